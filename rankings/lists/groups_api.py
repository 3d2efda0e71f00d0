"""Groups of clubs over HTTP: public to read; directors of both clubs change them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import generics, permissions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.access.callers import get_account
from players.models import Club
from rankings import models
from rankings.ledger import reach
from rankings.lists import groups
from rankings.requests import TAG
from runtime.http.answer_schema import make_list_serializer
from runtime.http.answers import Answer, about, paginate
from runtime.http.strict_fields import refuse_body


class GroupMemberAnswer(Answer):
    """A club of a group."""

    club: str = about("The club's address.", source="club.slug")
    name: str = about(source="club.name")
    asked_at: datetime
    joined_at: datetime | None = about(
        "Matches opened from then on are rated; null: it has not answered yet."
    )


class RatingGroup(generics.GenericAPIView[models.GroupMember]):
    queryset = models.GroupMember.objects.none()
    permission_classes = (permissions.IsAuthenticatedOrReadOnly,)

    @extend_schema(operation_id="rating_group", responses=make_list_serializer(GroupMemberAnswer), tags=[TAG])
    def get(self, request: Request, slug: str) -> Response:
        """The clubs in the group that a club leads; its directors also see open invitations."""
        lead = get_object_or_404(Club, slug=slug)
        rows: Any = reach.list_members(lead)
        if request.user.has_perm("tournaments.direct", lead):
            rows = [*rows, *reach.list_invited(lead)]
        return paginate(self, rows, GroupMemberAnswer.read)


@extend_schema(request=None, responses={204: None}, tags=[TAG])
class RatingGroupMember(APIView):
    permission_classes = (permissions.IsAuthenticated,)

    @refuse_body
    def post(self, request: Request, slug: str, member: str) -> Response:
        """Invite a club, as a director of the club that leads."""
        return _change_group(request, slug, member, groups.invite_club)

    @refuse_body
    def put(self, request: Request, slug: str, member: str) -> Response:
        """Accept an invitation, as a director of the invited club."""
        return _change_group(request, slug, member, groups.join_group)

    @refuse_body
    def delete(self, request: Request, slug: str, member: str) -> Response:
        """Decline, leave or remove, as a director of either club; rated matches stay rated."""
        return _change_group(request, slug, member, groups.leave_group)


def _change_group(request: Request, slug: str, member: str, change: Callable[..., object]) -> Response:
    lead, club = get_object_or_404(Club, slug=slug), get_object_or_404(Club, slug=member)
    change(lead=lead, club=club, by=get_account(request), now=timezone.now())
    return Response(status=204)


GROUP: Final = "clubs/<slug:slug>/rating-group"
paths: list[URLPattern] = [
    path(f"{GROUP}/", RatingGroup.as_view(), name="rating-group"),
    path(f"{GROUP}/<slug:member>/", RatingGroupMember.as_view(), name="rating-group-member"),
]
