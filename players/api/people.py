"""People and clubs over HTTP and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import exceptions, mixins, permissions, status, viewsets
from rest_framework.decorators import action
from rest_framework.response import Response

from players.models import Club, Player, User
from players.permissions import clubs_where
from players.selectors import clubs as club_rows
from players.selectors import members as member_rows
from players.selectors import people
from players.serializers import (
    ClubSerializer,
    GuestSerializer,
    MemberForDirectorsSerializer,
    MemberSerializer,
    MemberShape,
    MeSerializer,
    PlayerSerializer,
)
from players.services import accounts, clubs
from runtime import idempotency
from runtime.strict_fields import takes_no_body

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from rest_framework.request import Request

SEARCH = OpenApiParameter("q", str, description="Part of the name.")
KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    required=True,
    description="A fresh random string; sending the request again with the same one changes nothing more.",
)


@extend_schema_view(list=extend_schema(parameters=[SEARCH]))
class ClubViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Club]):
    """Clubs: to be found by anyone."""

    serializer_class = ClubSerializer
    permission_classes = (permissions.AllowAny,)
    lookup_field = "slug"

    def get_queryset(self) -> QuerySet[Club]:
        """Return the clubs whose name or town holds `q`."""
        return club_rows.visible_clubs(query=_query(self.request) if self.action == "list" else "")

    @extend_schema(parameters=[SEARCH], responses=MemberShape(many=True))
    @action(detail=True, permission_classes=[permissions.IsAuthenticated])
    def members(self, request: Request, slug: str) -> Response:
        """List the members, to members; e-mail addresses go to directors alone."""
        club = self.get_object()
        user = account(request)
        if not user.has_perm("players.see_members", club):
            raise exceptions.PermissionDenied
        details = user.has_perm("players.see_member_emails", club)
        rows = member_rows.visible_members(club=club, query=_query(request), sees_names=details)
        page = self.paginator.paginate_queryset(rows, request, view=self) if self.paginator else None
        kind = MemberForDirectorsSerializer if details else MemberSerializer
        return self.get_paginated_response(kind(page or (), many=True).data)

    @extend_schema(parameters=[KEY], request=GuestSerializer, responses={201: PlayerSerializer})
    @action(detail=True, methods=["post"], permission_classes=[permissions.IsAuthenticated])
    def guests(self, request: Request, slug: str) -> Response:
        """Take in someone without an account."""
        club = self.get_object()
        user = account(request)
        if not user.has_perm("players.add_guest", club):
            raise exceptions.PermissionDenied
        # Before request.data: once the body is parsed, its bytes are gone.
        fingerprint = idempotency.request_hash(method="POST", path=request.path, body=request.body)
        form = GuestSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        key, now = idempotency_key(request), timezone.now()

        def act() -> tuple[int, Any]:
            guest = clubs.add_guest(club=club, name=form.validated_data["name"], by=user, now=now)
            return status.HTTP_201_CREATED, dict(PlayerSerializer(guest).data)

        number, body = idempotency.once(
            actor=f"user.{user.pk}", key=key, request_hash=fingerprint, now=now, act=act
        )
        return Response(body, status=number)

    @extend_schema(request=GuestSerializer, responses=PlayerSerializer)
    @action(
        detail=True,
        methods=["patch"],
        url_path=r"guests/(?P<key>[0-9a-z]{10})",
        url_name="guest",
        permission_classes=[permissions.IsAuthenticated],
    )
    def rename_guest(self, request: Request, slug: str, key: str) -> Response:
        """Write the name of a guest as it is spelt; everything that was played stays theirs."""
        club = self.get_object()
        user = account(request)
        if not user.has_perm("players.rename_guest", club):
            raise exceptions.PermissionDenied
        guest = member_rows.get_membership(club=club, key=key).player
        form = GuestSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        name = form.validated_data["name"]
        guest = clubs.rename_guest(club=club, player=guest, name=name, by=user, now=timezone.now())
        return Response(PlayerSerializer(guest).data)


@extend_schema_view(list=extend_schema(parameters=[SEARCH]))
class PlayerViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Player]):
    """Players: searched by the name they show."""

    serializer_class = PlayerSerializer
    permission_classes = (permissions.AllowAny,)
    lookup_field = "key"

    def get_queryset(self) -> QuerySet[Player]:
        """Return whom a search for `q` may name."""
        insider_of = clubs_where(self.request.user, "players.find_hidden")
        return people.visible_players(query=_query(self.request), insider_of=insider_of)

    def get_object(self) -> Player:
        """Return the player of this key, or the one they were merged into."""
        return people.get_player(key=self.kwargs["key"])

    @extend_schema(request=None, responses={204: None})
    @action(detail=True, methods=["put"], permission_classes=[permissions.IsAuthenticated])
    @takes_no_body
    def follow(self, request: Request, key: str) -> Response:
        """Have a player among your friends; they are not told. Who hides from searches cannot be followed."""
        people.follow(user=account(request), player=self.get_object(), now=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(responses={204: None})
    @follow.mapping.delete
    @takes_no_body
    def unfollow(self, request: Request, key: str) -> Response:
        """Follow a player no more."""
        people.unfollow(user=account(request), player=self.get_object())
        return Response(status=status.HTTP_204_NO_CONTENT)


class AccountViewSet(viewsets.ViewSet):
    """One's own account."""

    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(responses=MeSerializer)
    @action(detail=False)
    def me(self, request: Request) -> Response:
        """Return the account that asks."""
        return Response(MeSerializer(account(request)).data)

    @extend_schema(request=MeSerializer(partial=True), responses=MeSerializer)
    @me.mapping.patch
    def change_me(self, request: Request) -> Response:
        """Change some of it."""
        user = account(request)
        form = MeSerializer(user, data=request.data, partial=True)
        form.is_valid(raise_exception=True)
        changes = {**form.validated_data.pop("player", {}), **form.validated_data}
        accounts.change(user=user, now=timezone.now(), **changes)
        return Response(MeSerializer(user).data)


def account(request: Request) -> User:
    """Return who asks; IsAuthenticated has let nobody else through."""
    if not isinstance(request.user, User):
        raise exceptions.NotAuthenticated
    return request.user


def _query(request: Request) -> str:
    return request.query_params.get("q", "").strip()[:80]


def idempotency_key(request: Request) -> str:
    """Return the key under which the request may be repeated.

    :raises ValidationError: there is none, or none that we keep.
    """
    key = request.headers.get("Idempotency-Key", "")
    if not 8 <= len(key) <= 80 or not key.isascii() or not key.isprintable():
        sentence = _("Send an Idempotency-Key header of 8 to 80 characters, a new one for each request.")
        raise exceptions.ValidationError({"Idempotency-Key": sentence}, code="idempotency_key")
    return key


routes: list[tuple[str, type[viewsets.ViewSetMixin], str]] = [
    ("clubs", ClubViewSet, "club"),
    ("players", PlayerViewSet, "player"),
    ("", AccountViewSet, "account"),
]
