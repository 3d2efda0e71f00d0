"""Possible duplicates among a club's members over HTTP and JSON, for directors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import exceptions, permissions, status, viewsets
from rest_framework.decorators import action
from rest_framework.response import Response

from players.access.callers import get_account
from players.access.permissions import get_club
from players.clubs import duplicates as selectors
from players.clubs import members, merging
from players.clubs.club_shapes import DuplicateAnswer, TwoMembersSerializer
from players.models import Player

if TYPE_CHECKING:
    from rest_framework.request import Request

    from players.models import Club


class DuplicateViewSet(viewsets.GenericViewSet[Player]):
    """Members of a club who may be one person."""

    queryset = Player.objects.none()
    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(responses=DuplicateAnswer, tags=["clubs"])
    def list(self, request: Request, slug: str) -> Response:
        """List pairs of members with nearly the same name, the likeliest first, with what they have played."""
        rows: Any = selectors.find_duplicates(club=_get_club_to_merge(request, slug))
        page = self.paginate_queryset(rows)
        return self.get_paginated_response([DuplicateAnswer.read(row) for row in page or ()])

    @extend_schema(request=TwoMembersSerializer, responses={204: None}, tags=["clubs"])
    @action(detail=False, methods=["post"])
    def merge(self, request: Request, slug: str) -> Response:
        """Merge a guest into another member: matches and results move, and it can be undone on the page."""
        club = _get_club_to_merge(request, slug)
        kept, dropped = _read_two_players(request, club)
        merging.merge_guest(kept=kept, dropped=dropped, by=get_account(request), now=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(request=TwoMembersSerializer, responses={204: None}, tags=["clubs"])
    @action(detail=False, methods=["post"], url_path="two-people", url_name="two-people")
    def tell_apart(self, request: Request, slug: str) -> Response:
        """Confirm that two members are two people: they are not listed again."""
        club = _get_club_to_merge(request, slug)
        kept, dropped = _read_two_players(request, club)
        merging.tell_apart(club=club, one=kept, other=dropped, by=get_account(request), now=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)


def _get_club_to_merge(request: Request, slug: str) -> Club:
    club = get_club(slug)
    if not get_account(request).has_perm("players.merge_players", club):
        raise exceptions.PermissionDenied
    return club


def _read_two_players(request: Request, club: Club) -> tuple[Player, Player]:
    form = TwoMembersSerializer(data=request.data)
    form.is_valid(raise_exception=True)
    kept, dropped = (
        members.get_membership(club=club, key=form.validated_data[name]).player
        for name in ("kept", "dropped")
    )
    return kept, dropped


routes: list[tuple[str, type[viewsets.ViewSetMixin], str]] = [
    (r"clubs/(?P<slug>[-a-zA-Z0-9_]+)/duplicates", DuplicateViewSet, "duplicate"),
]
