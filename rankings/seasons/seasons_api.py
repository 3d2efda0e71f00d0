"""Seasons over HTTP: public to read; directors open and change them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import permissions, status, viewsets
from rest_framework.decorators import action
from rest_framework.response import Response

from players.access.callers import get_account
from players.models import Club
from players.people import people
from rankings.ledger.ledger_shapes import CLUB, EVENT, PLAYER, TAG, read_query_parameter
from rankings.models import Season
from rankings.requests import TableFile, build_csv_response, get_season, paginate, read_body
from rankings.seasons import season_pages
from rankings.seasons import season_shapes as shapes
from rankings.seasons import seasons as services
from runtime.http.answer_schema import make_list_serializer

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpResponse
    from django.urls import URLPattern
    from rest_framework.request import Request

HEADS: Final = ("place", "name", "player", "points", "events")


class SeasonViewSet(viewsets.GenericViewSet[Season]):
    """Seasons, a club's latest first."""

    serializer_class = shapes.SeasonShape
    permission_classes = (permissions.IsAuthenticatedOrReadOnly,)
    lookup_field = "key"
    lookup_value_regex = "[0-9a-z]{10}"

    def get_queryset(self) -> QuerySet[Season]:
        return Season.objects.select_related("club").order_by("club", "-from_day", "-pk")

    @extend_schema(parameters=[CLUB], responses=shapes.SeasonShape(many=True), tags=[TAG])
    def list(self, request: Request) -> Response:
        """List seasons."""
        rows = self.get_queryset()
        if club := read_query_parameter(request, "club"):
            rows = rows.filter(club__slug=club)
        return paginate(self, rows, shapes.serialize_season)

    @extend_schema(request=shapes.SeasonShape, responses={201: shapes.SeasonShape}, tags=[TAG])
    def create(self, request: Request) -> Response:
        """Open a season; its finished events count at once."""
        said = read_body(shapes.SeasonShape, request)
        club = get_object_or_404(Club, slug=said["club"])
        days = said["from_day"], said["to_day"]
        terms = services.SeasonTerms(said["name"], *days, said.get("series", ""), dict(said.get("rules", {})))
        made = services.open_season(club=club, by=get_account(request), terms=terms, now=timezone.now())
        return Response(shapes.serialize_season(made), status=status.HTTP_201_CREATED)

    @extend_schema(responses=shapes.SeasonShape, tags=[TAG])
    def retrieve(self, request: Request, key: str) -> Response:
        """A season, with its rules."""
        return Response(shapes.serialize_season(self.get_object()))

    @extend_schema(request=shapes.SeasonChange, responses=shapes.SeasonShape, tags=[TAG])
    def partial_update(self, request: Request, key: str) -> Response:
        """Change a season; its table is recomputed."""
        found = self.get_object()
        said = read_body(shapes.SeasonChange, request, partial=True)
        made = services.change_terms(season=found, said=said, by=get_account(request), now=timezone.now())
        return Response(shapes.serialize_season(made))

    @extend_schema(responses=make_list_serializer(shapes.SeasonStandingAnswer), tags=[TAG])
    @action(detail=True)
    def standings(self, request: Request, key: str) -> Response:
        """The table, the first place first."""
        rows = season_pages.list_standings(self.get_object())
        return paginate(self, rows, shapes.SeasonStandingAnswer.read)

    @extend_schema(
        parameters=[PLAYER, EVENT], responses=make_list_serializer(shapes.SeasonResultAnswer), tags=[TAG]
    )
    @action(detail=True)
    def results(self, request: Request, key: str) -> Response:
        """The points of each player from each event, in the order of the events."""
        rows = season_pages.list_results(self.get_object())
        if player := read_query_parameter(request, "player"):
            rows = rows.filter(player=people.get_player(key=player))
        if event := read_query_parameter(request, "event"):
            rows = rows.filter(event__key=event)
        return paginate(self, rows, shapes.SeasonResultAnswer.read)


routes: list[tuple[str, type[viewsets.ViewSetMixin], str]] = [("seasons", SeasonViewSet, "season")]


class SeasonFile(TableFile):
    @extend_schema(responses={(200, "text/csv"): OpenApiTypes.STR}, tags=[TAG])
    def get(self, _request: Request, key: str) -> HttpResponse:
        """The places in a season as CSV."""
        season = get_season(key=key)
        rows = (
            (
                row.place,
                row.player.public_name,
                row.player.key,
                season_pages.format_plain_points(row.points),
                row.events,
            )
            for row in season_pages.list_standings(season)
        )
        return build_csv_response(season.key, HEADS, rows)


paths: list[URLPattern] = [
    path("seasons/<slug:key>/standings.csv", SeasonFile.as_view(), name="season-csv"),
]
