"""Series over HTTP, for the directors of their club."""

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
from players.models import Club
from players.permissions import clubs_where
from runtime import idempotency
from runtime.strict_fields import takes_no_body
from tournaments.models import Series
from tournaments.selectors import series as selectors
from tournaments.serializers import series as shapes
from tournaments.serializers import tables
from tournaments.services import series as services

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from django.db.models import QuerySet
    from rest_framework.request import Request

    from players.models import User

CLUB = OpenApiParameter("club", OpenApiTypes.STR, description="The club's address.")


class SeriesViewSet(viewsets.GenericViewSet[Series]):
    """The series of the clubs that the caller directs."""

    serializer_class = shapes.SeriesShape
    permission_classes = (permissions.IsAuthenticated,)
    lookup_field = "key"
    lookup_value_regex = "[0-9a-z]{10}"
    queryset = Series.objects.none()

    def get_queryset(self) -> QuerySet[Series]:
        """Return the series that the caller may change."""
        rows = Series.objects.filter(club__in=clubs_where(self.request.user, "tournaments.direct"))
        return rows.select_related("club", "like").order_by("club", "weekday", "at", "pk")

    @extend_schema(parameters=[CLUB], responses=shapes.SeriesShape(many=True), tags=[shapes.TAG])
    def list(self, request: Request) -> Response:
        """List series, with what is to come of each."""
        rows, now = self.get_queryset(), callers.moment(request)
        if club := request.query_params.get("club"):
            rows = rows.filter(club__slug=club)
        found = self.paginate_queryset(rows)
        return self.get_paginated_response([_told(row, now) for row in found or ()])

    @extend_schema(
        parameters=[callers.KEY],
        request=shapes.SeriesShape,
        responses={201: shapes.SeriesShape, **shapes.PROBLEMS},
        tags=[shapes.TAG],
    )
    def create(self, request: Request) -> Response:
        """Begin a series at a club you direct: its events are announced by themselves."""
        # Before request.data: once the body is parsed, its bytes are gone.
        digest = idempotency.request_hash(method="POST", path=request.path, body=request.body)
        user, name, now = callers.account(request), callers.idempotency_key(request), callers.moment(request)
        form = shapes.SeriesShape(data=request.data)
        form.is_valid(raise_exception=True)
        club = get_object_or_404(Club, slug=form.validated_data["club"])

        def act() -> tuple[int, Any]:
            terms = _terms(form.validated_data)
            made = services.begin(club=club, by=user, key=new_key(), terms=terms, now=now)
            return status.HTTP_201_CREATED, tables.plain(_told(made, now))

        number, body = idempotency.once(
            actor=f"user.{user.pk}", key=name, request_hash=digest, now=now, act=act
        )
        return Response(body, status=number)

    @extend_schema(responses=shapes.SeriesShape, tags=[shapes.TAG])
    def retrieve(self, request: Request, key: str) -> Response:
        """A series, with what is to come."""
        return Response(_told(self.get_object(), callers.moment(request)))

    @extend_schema(
        request=shapes.SeriesAmendment,
        responses={200: shapes.SeriesShape, **shapes.PROBLEMS},
        tags=[shapes.TAG],
    )
    def partial_update(self, request: Request, key: str) -> Response:
        """Change what is still to come of a series; `seen` is always needed."""
        found = self.get_object()
        form = shapes.SeriesAmendment(data=request.data, partial=True)
        form.is_valid(raise_exception=True)
        said = {**_there(found), **form.validated_data}
        terms, seen, now = _terms(said), said["seen"], callers.moment(request)
        made = services.amend(series=found, by=callers.account(request), terms=terms, seen=seen, now=now)
        return Response(_told(made, now))

    @extend_schema(responses={204: None, **shapes.PROBLEMS}, tags=[shapes.TAG])
    @takes_no_body
    def destroy(self, request: Request, key: str) -> Response:
        """End a series; its events stay."""
        now = callers.moment(request)
        services.end(series=self.get_object(), by=callers.account(request), now=now)
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(request=None, responses={200: shapes.SeriesShape, **shapes.PROBLEMS}, tags=[shapes.TAG])
    @action(detail=True, methods=["post"])
    @takes_no_body
    def pause(self, request: Request, key: str) -> Response:
        """Have nothing announced until it goes on."""
        return self._done(request, services.pause)

    @extend_schema(request=None, responses={200: shapes.SeriesShape, **shapes.PROBLEMS}, tags=[shapes.TAG])
    @action(detail=True, methods=["post"])
    @takes_no_body
    def resume(self, request: Request, key: str) -> Response:
        """Have it go on."""
        return self._done(request, services.go_on)

    @extend_schema(
        request=shapes.SeriesDayShape,
        responses={200: shapes.SeriesShape, **shapes.PROBLEMS},
        tags=[shapes.TAG],
    )
    @action(detail=True, methods=["post"])
    def skip(self, request: Request, key: str) -> Response:
        """Have no event on one day."""
        return self._done(request, services.skip, **_day(request))

    @extend_schema(
        request=shapes.SeriesDayShape,
        responses={200: shapes.SeriesShape, **shapes.PROBLEMS},
        tags=[shapes.TAG],
    )
    @action(detail=True, methods=["post"])
    def unskip(self, request: Request, key: str) -> Response:
        """Have an event on a day after all."""
        return self._done(request, services.unskip, **_day(request))

    def _done(self, request: Request, act: Callable[..., Series], **more: Any) -> Response:
        user: User = callers.account(request)
        now = callers.moment(request)
        return Response(_told(act(series=self.get_object(), by=user, now=now, **more), now))


def _told(row: Series, now: datetime) -> dict[str, Any]:
    return shapes.series(selectors.view(row, now=now))


def _there(row: Series) -> dict[str, Any]:
    same = ("name", "weekday", "at", "days_before", "until")
    return {**{name: getattr(row, name) for name in same}, "like": row.like.key if row.like else ""}


def _terms(said: Mapping[str, Any]) -> services.SeriesTerms:
    same = ("name", "weekday", "at", "days_before")
    return services.SeriesTerms(
        **{name: said[name] for name in same}, until=said.get("until"), like=said.get("like", "")
    )


def _day(request: Request) -> dict[str, Any]:
    form = shapes.SeriesDayShape(data=request.data)
    form.is_valid(raise_exception=True)
    return dict(form.validated_data)


routes = (("series", SeriesViewSet, "series"),)
