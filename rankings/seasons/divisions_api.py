"""Divisions over HTTP: public to read; directors set up, place and close."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.http import HttpResponse
from django.urls import URLPattern, path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import permissions, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.access.callers import get_account, read_body
from rankings.formulas.divisions import MOST_MOVES
from rankings.models import Season, SeasonMove
from rankings.requests import TAG, TableFile, build_csv_response, get_season
from rankings.seasons import division_pages as selectors
from rankings.seasons import divisions
from rankings.seasons.season_pages import format_plain_points
from runtime.http.answers import Answer, about
from runtime.http.strict_fields import StrictFields, build_repeated_error, refuse_body

MOST: Final = 2_000
HEADS: Final = (
    "division",
    "place",
    "name",
    "player",
    "points",
    "events",
    "proposed",
    "goes",
    "why",
    "reason",
)


class DivisionPlayerAnswer(Answer):
    """A player of a division, and their move at the end of the season."""

    place: int = about("Equal players share it.", source="move.place")
    name: str = about(source="move.player.public_name")
    points: str = about(source=lambda line: format_plain_points(line.move.points))
    events: int = about(source="move.events")
    why: str = about("A sentence; empty where the place says it all.")
    reason: str = about("Why a director decided otherwise.")
    player: str = about("The player's key.", source="move.player.key")
    proposed: SeasonMove = about("By the table as it stands.")
    goes: SeasonMove = about("As it was confirmed; before that, as proposed.")


class DivisionAnswer(Answer):
    """A division of a season."""

    number: int = about("1 is the highest.", source="division.number")
    name: str = about(source="division.name")
    up: int = about("So many go up.", source="division.up")
    down: int = about("So many go down.", source="division.down")
    players: list[DivisionPlayerAnswer] = about(source="rows")


class SeasonDivisionsAnswer(Answer):
    """All divisions of a season, in the order of their tables."""

    divisions: list[DivisionAnswer] = about(source="tables")
    seen: str = about("What a closing sends back, so that nobody confirms another table.")
    is_over: bool
    next: str | None = about("Confirmed: the key of the season it leads to.", source="closing.next.key")
    confirmed_at: datetime | None = about(source="closing.at")


class NewDivision(StrictFields):
    """The settings of a division."""

    name = serializers.CharField(max_length=80)
    up = serializers.IntegerField(min_value=0, max_value=MOST_MOVES, default=0)
    down = serializers.IntegerField(min_value=0, max_value=MOST_MOVES, default=0)
    was = serializers.IntegerField(
        required=False, allow_null=True, default=None, help_text="The number it has; without: by its name."
    )


class NewDivisions(StrictFields):
    """The divisions of a season, the highest first."""

    divisions = NewDivision(many=True, max_length=MOST)  # type: ignore[call-arg]


class PlacingShape(StrictFields):
    """A player and the division they are placed in."""

    player = serializers.CharField(max_length=10, help_text="The key of a member.")
    was = serializers.IntegerField(
        allow_null=True, help_text="The number of the present division; null: none."
    )
    number = serializers.IntegerField(allow_null=True, help_text="The number of the new one; null: none.")


class PlacingsShape(StrictFields):
    """Players to be placed: all of them, or none."""

    players = PlacingShape(many=True, max_length=MOST)  # type: ignore[call-arg]

    def validate_players(self, rows: list[Any]) -> list[Any]:
        """Accept one placing for each player."""
        return _refuse_repeated(rows)


class OverruleShape(StrictFields):
    """A player whose move differs from the one by the table."""

    player = serializers.CharField(max_length=10)
    goes = serializers.ChoiceField(choices=SeasonMove.choices)
    reason = serializers.CharField(max_length=200)


class NewClosing(StrictFields):
    """The end of a season, confirmed."""

    next = serializers.CharField(max_length=10, help_text="The key of the season that follows.")
    seen = serializers.CharField(max_length=16, help_text="From the divisions that were looked at.")
    overrules = OverruleShape(many=True, max_length=MOST, required=False, default=list)  # type: ignore[call-arg]

    def validate_overrules(self, rows: list[Any]) -> list[Any]:
        """Accept one decision for each player."""
        return _refuse_repeated(rows)


@extend_schema(responses=SeasonDivisionsAnswer, tags=[TAG])
class SeasonDivisions(APIView):
    permission_classes = (permissions.IsAuthenticatedOrReadOnly,)

    def get(self, request: Request, key: str) -> Response:
        """The players of each division, with the proposed or confirmed moves and the reasons."""
        return _build_response(request, get_season(key=key))

    @extend_schema(request=NewDivisions)
    def put(self, request: Request, key: str) -> Response:
        """Set up the divisions, as a director. Each keeps its players; only an empty one can be left out."""
        season, data = get_season(key=key), read_body(NewDivisions, request)
        terms = [divisions.DivisionTerms(**row) for row in data["divisions"]]
        divisions.set_up_divisions(season=season, terms=terms, by=get_account(request), now=timezone.now())
        return _build_response(request, season)

    @extend_schema(request=PlacingsShape)
    def patch(self, request: Request, key: str) -> Response:
        """Place players, as a director: all of them, or none if the division of one has changed since."""
        season, data = get_season(key=key), read_body(PlacingsShape, request)
        placings = [divisions.Placing(**row) for row in data["players"]]
        divisions.place_players(season=season, placings=placings, by=get_account(request), now=timezone.now())
        return _build_response(request, season)


@extend_schema(responses=SeasonDivisionsAnswer, tags=[TAG])
class SeasonEnd(APIView):
    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(request=NewClosing)
    def post(self, request: Request, key: str) -> Response:
        """Confirm promotion and relegation as a director, once; the players are placed in the next season."""
        season, data = get_season(key=key), read_body(NewClosing, request)
        divisions.close_season(
            season=season,
            following=get_season(club=season.club, key=data["next"]),
            seen=data["seen"],
            overrules={
                row["player"]: divisions.Overrule(row["goes"], row["reason"]) for row in data["overrules"]
            },
            by=get_account(request),
            now=timezone.now(),
        )
        return _build_response(request, season)

    @extend_schema(request=None, responses={204: None})
    @refuse_body
    def delete(self, request: Request, key: str) -> Response:
        """Revert the end of a season, as a director, as long as the next season is not closed."""
        divisions.reopen_season(season=get_season(key=key), by=get_account(request), now=timezone.now())
        return Response(status=204)


class DivisionsFile(TableFile):
    def get(self, request: Request, key: str) -> HttpResponse:
        """The places in each division as CSV."""
        season = get_season(key=key)
        shown = selectors.load_divisions_page(season, request.user, now=timezone.now())
        rows = (
            (
                *(table.division.name, line.move.place, line.move.player.public_name, line.move.player.key),
                *(format_plain_points(line.move.points), line.move.events),
                *(line.proposed.value, line.goes.value, line.why, line.reason),
            )
            for table in shown.tables
            for line in table.rows
        )
        return build_csv_response(f"{season.key}-divisions", HEADS, rows)


def _build_response(request: Request, season: Season) -> Response:
    return Response(
        SeasonDivisionsAnswer.read(selectors.load_divisions_page(season, request.user, now=timezone.now()))
    )


def _refuse_repeated(rows: list[Any]) -> list[Any]:
    """Refuse two rows about one player."""
    if len({row["player"] for row in rows}) < len(rows):
        raise serializers.ValidationError([build_repeated_error()])
    return rows


paths: list[URLPattern] = [
    path("seasons/<slug:key>/divisions/", SeasonDivisions.as_view(), name="season-divisions"),
    path("seasons/<slug:key>/end/", SeasonEnd.as_view(), name="season-end"),
    path("seasons/<slug:key>/divisions.csv", DivisionsFile.as_view(), name="season-divisions-csv"),
]
