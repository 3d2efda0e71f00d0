"""Friendlies over HTTP, for the two who play them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import permissions, status, viewsets
from rest_framework.decorators import action
from rest_framework.response import Response

from matches.api import callers
from players.keys import new_key
from players.models import Club, Player
from runtime import idempotency
from runtime.strict_fields import takes_no_body
from tournaments.errors import CannotPlayFriendly
from tournaments.models import Friendly, FriendlyOffer
from tournaments.selectors import friendlies as selectors
from tournaments.serializers import friendlies as shapes
from tournaments.serializers import tables
from tournaments.services import friendlies as services

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import QuerySet
    from rest_framework.request import Request

STATUS = OpenApiParameter("status", OpenApiTypes.STR, enum=FriendlyOffer.values)


class FriendlyViewSet(viewsets.GenericViewSet[Friendly]):
    """Friendlies that you proposed, were asked for, or played; the latest first."""

    serializer_class = shapes.FriendlyShape
    permission_classes = (permissions.IsAuthenticated,)
    lookup_field = "key"
    lookup_value_regex = "[0-9a-z]{10}"
    queryset = Friendly.objects.none()

    def get_queryset(self) -> QuerySet[Friendly]:
        """Return the friendlies of the caller."""
        return selectors.known_to(callers.player(self.request))

    @extend_schema(parameters=[STATUS], responses=shapes.FriendlyShape(many=True), tags=[shapes.TAG])
    def list(self, request: Request) -> Response:
        """List your friendlies."""
        rows = self.get_queryset()
        if wanted := request.query_params.get("status"):
            rows = rows.filter(status=wanted)
        found = self.paginate_queryset(rows)
        return self.get_paginated_response([shapes.friendly(row) for row in found or ()])

    @extend_schema(
        parameters=[callers.KEY],
        request=shapes.FriendlyProposal,
        responses={201: shapes.FriendlyShape, **shapes.PROBLEMS},
        tags=[shapes.TAG],
    )
    def create(self, request: Request) -> Response:
        """Propose a friendly to another member of a club of yours: it can be played once they agree."""
        # Before request.data: once the body is parsed, its bytes are gone.
        digest = idempotency.request_hash(method="POST", path=request.path, body=request.body)
        user, name, now = callers.account(request), callers.idempotency_key(request), callers.moment(request)
        me = callers.player(request)
        form = shapes.FriendlyProposal(data=request.data)
        form.is_valid(raise_exception=True)
        said = dict(form.validated_data)
        club = get_object_or_404(Club, slug=said.pop("club"), memberships__player=me)
        other = Player.objects.filter(key=said.pop("opponent")).first()
        if other is None:
            raise CannotPlayFriendly

        def act() -> tuple[int, Any]:
            made = services.propose(club=club, proposer=me, opponent=other, now=now, key=new_key(), **said)
            return status.HTTP_201_CREATED, tables.plain(shapes.friendly(made))

        number, body = idempotency.once(
            actor=f"user.{user.pk}", key=name, request_hash=digest, now=now, act=act
        )
        return Response(body, status=number)

    @extend_schema(responses=shapes.FriendlyShape, tags=[shapes.TAG])
    def retrieve(self, request: Request, key: str) -> Response:
        """A friendly of yours."""
        return Response(shapes.friendly(self.get_object()))

    @extend_schema(request=None, responses={200: shapes.FriendlyShape, **shapes.PROBLEMS}, tags=[shapes.TAG])
    @action(detail=True, methods=["post"])
    @takes_no_body
    def agree(self, request: Request, key: str) -> Response:
        """Agree to a friendly that you were asked for: `event` has its match. Once more changes nothing."""
        return self._done(request, services.agree)

    @extend_schema(request=None, responses={200: shapes.FriendlyShape, **shapes.PROBLEMS}, tags=[shapes.TAG])
    @action(detail=True, methods=["post"])
    @takes_no_body
    def decline(self, request: Request, key: str) -> Response:
        """Say no."""
        return self._done(request, services.decline)

    @extend_schema(request=None, responses={200: shapes.FriendlyShape, **shapes.PROBLEMS}, tags=[shapes.TAG])
    @action(detail=True, methods=["post"])
    @takes_no_body
    def withdraw(self, request: Request, key: str) -> Response:
        """Take your own proposal back."""
        return self._done(request, services.withdraw)

    @extend_schema(request=None, responses={200: shapes.FriendlyShape, **shapes.PROBLEMS}, tags=[shapes.TAG])
    @action(detail=True, methods=["post"], url_path="call-off")
    @takes_no_body
    def call_off(self, request: Request, key: str) -> Response:
        """Call an agreed friendly off of which nothing is played or reported."""
        return self._done(request, services.call_off)

    def _done(self, request: Request, act: Callable[..., Friendly]) -> Response:
        row = self.get_object()
        act(key=row.key, player=callers.player(request), now=callers.moment(request))
        return Response(shapes.friendly(self.get_queryset().get(pk=row.pk)))


routes = (("friendlies", FriendlyViewSet, "friendly"),)
