"""Seasons and the hall of fame over HTTP: public to read; directors open and change seasons. And their shapes."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import permissions, serializers, status, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.access.callers import KeyLookup, get_account, read_body
from players.models import Club
from players.people import people
from players.people.players_api import build_player_field
from rankings.formulas.season import SCHEMES, SHARING, season_rules
from rankings.models import Season
from rankings.requests import (
    CLUB,
    EVENT,
    PLAYER,
    TAG,
    TableFile,
    build_csv_response,
    get_season,
    read_query_parameter,
)
from rankings.seasons import fame, season_pages
from rankings.seasons import seasons as services
from rankings.seasons.season_pages import format_plain_points
from runtime.http.answer_schema import make_list_serializer
from runtime.http.answers import Answer, about, paginate
from runtime.http.strict_fields import StrictFields
from tournaments.base import local_times

HEADS: Final = ("place", "name", "player", "points", "events")


class SeasonRulesShape(StrictFields):
    """The rules by which a season's points are counted; a missing rule has its default."""

    places = serializers.ListField(
        child=serializers.CharField(max_length=8),
        max_length=64,
        required=False,
        help_text='Points from first place down, with at most two decimals: ["10", "7.5"].',
    )
    attendance = serializers.CharField(
        max_length=8, required=False, help_text="Points for having taken part, whatever the place."
    )
    scheme = serializers.ChoiceField(
        choices=[(name, name) for name in SCHEMES],
        required=False,
        help_text="table: points by place as given. master: master points for each match won and for the place.",
    )
    sharing = serializers.ChoiceField(
        choices=[(name, name) for name in SHARING],
        required=False,
        help_text="Those who share a place: the average of the places they take up, or the points of the highest.",
    )
    by_field = serializers.BooleanField(
        required=False, help_text="Whether the points for a place are multiplied by the number of players."
    )
    best = serializers.IntegerField(
        min_value=0, max_value=366, required=False, help_text="So many events of each player count; 0: all."
    )
    decay = serializers.IntegerField(
        min_value=0,
        max_value=100,
        required=False,
        help_text="Per cent lost with each month between an event and the last one of the season.",
    )


class SeasonChange(StrictFields):
    """The settings of a season; the rules are given in full."""

    name = serializers.CharField(max_length=80)
    from_day = serializers.DateField(
        validators=[local_times.validate_moment],
        help_text="Events that begin on this day or later, by the club's clock.",
    )
    to_day = serializers.DateField(
        validators=[local_times.validate_moment], help_text="The last day, within two years."
    )
    series = serializers.CharField(
        max_length=80, required=False, allow_blank=True, help_text="Only events whose name has these words."
    )
    rules = SeasonRulesShape(required=False)


class SeasonShape(SeasonChange):
    """A series of a club's events with one table of points."""

    key = serializers.CharField(read_only=True)
    club = serializers.SlugField(help_text="The club's address.")


class SeasonStandingAnswer(Answer):
    """A player's place in a season."""

    place: int = about("Players with the same points share it.")
    events: int = about("How many they took part in.")
    points: str = about("With two decimals.", source=lambda row: f"{row.points:.2f}")
    player: dict[str, Any] = build_player_field()


class SeasonResultAnswer(Answer):
    """A player's points from an event of a season."""

    for_place: str = about(source=lambda row: f"{row.for_place:.2f}")
    earned: str = about("For the place and for taking part.", source=lambda row: f"{row.earned:.2f}")
    points: str = about("What time has left of them.", source=lambda row: f"{row.points:.2f}")
    place: int | None
    counts: bool = about("Whether it is among their best.")
    event: str = about("The event's key.", source="event.key")
    player: str = about("The player's key.", source="player.key")


class FameLineAnswer(Answer):
    """A line of the hall of fame: a player, and how often they were first."""

    place: int = about("Those with equal figures share it.")
    name: str
    url: str
    times: int = about("Events won, or dated lists led.")


class FameChampionAnswer(Answer):
    """A winner of a season."""

    name: str = about(source="player.public_name")
    url: str = about(source=lambda row: row.player.get_absolute_url())
    points: str = about(source=lambda row: format_plain_points(row.points))


class FameSeasonAnswer(Answer):
    """A season that is over."""

    season: str = about("The key of the season.", source="season.key")
    name: str = about(source="season.name")
    won_by: list[FameChampionAnswer] = about("Several where they share the first place.", source="first")


class FameHighestAnswer(Answer):
    """The highest rating at the head of a dated list."""

    name: str
    url: str
    rating: float
    day: date


class FameListAnswer(Answer):
    """The leaders of the dated lists of a rating list."""

    list: str = about("The key of the rating list.", source="list.key")
    name: str = about(source="list.name")
    dated_lists: int = about("How many there are in which somebody led.", source="dated")
    leaders: tuple[FameLineAnswer, ...] = about("The first ten.", source="leaders.lines")
    highest: FameHighestAnswer


class FameAnswer(Answer):
    """The hall of fame of a club."""

    winners: list[FameLineAnswer] = about("Who has won most events, the first ten.", source="winners.lines")
    seasons: list[FameSeasonAnswer]
    lists: list[FameListAnswer]


def serialize_season(row: Season) -> dict[str, Any]:
    rules = season_rules(row.rules)
    return {
        **{name: getattr(row, name) for name in ("key", "name", "from_day", "to_day", "series")},
        "club": row.club.slug,
        "rules": {
            **{name: getattr(rules, name) for name in ("scheme", "sharing", "by_field", "best", "decay")},
            "places": [format_plain_points(points) for points in rules.places],
            "attendance": format_plain_points(rules.attendance),
        },
    }


@extend_schema(responses=SeasonShape, tags=[TAG])
class SeasonViewSet(KeyLookup, viewsets.GenericViewSet[Season]):
    """Seasons, a club's latest first."""

    serializer_class = SeasonShape
    permission_classes = (permissions.IsAuthenticatedOrReadOnly,)

    def get_queryset(self) -> QuerySet[Season]:
        return Season.objects.select_related("club").order_by("club", "-from_day", "-pk")

    @extend_schema(parameters=[CLUB])
    def list(self, request: Request) -> Response:
        """List seasons."""
        rows = self.get_queryset()
        if club := read_query_parameter(request, "club"):
            rows = rows.filter(club__slug=club)
        return paginate(self, rows, serialize_season)

    @extend_schema(request=SeasonShape, responses={201: SeasonShape})
    def create(self, request: Request) -> Response:
        """Open a season; its finished events count at once."""
        data = read_body(SeasonShape, request)
        club = get_object_or_404(Club, slug=data["club"])
        days = data["from_day"], data["to_day"]
        terms = services.SeasonTerms(data["name"], *days, data.get("series", ""), dict(data.get("rules", {})))
        made = services.open_season(club=club, by=get_account(request), terms=terms, now=timezone.now())
        return Response(serialize_season(made), status=status.HTTP_201_CREATED)

    def retrieve(self, request: Request, key: str) -> Response:
        """A season, with its rules."""
        return Response(serialize_season(self.get_object()))

    @extend_schema(request=SeasonChange)
    def partial_update(self, request: Request, key: str) -> Response:
        """Change a season; its table is recomputed."""
        found = self.get_object()
        data = read_body(SeasonChange, request, partial=True)
        made = services.change_terms(season=found, terms=data, by=get_account(request), now=timezone.now())
        return Response(serialize_season(made))

    @extend_schema(responses=make_list_serializer(SeasonStandingAnswer))
    @action(detail=True)
    def standings(self, request: Request, key: str) -> Response:
        """The table, the first place first."""
        rows = season_pages.list_standings(self.get_object())
        return paginate(self, rows, SeasonStandingAnswer.read)

    @extend_schema(parameters=[PLAYER, EVENT], responses=make_list_serializer(SeasonResultAnswer))
    @action(detail=True)
    def results(self, request: Request, key: str) -> Response:
        """The points of each player from each event, in the order of the events."""
        rows = season_pages.list_results(self.get_object())
        if player := read_query_parameter(request, "player"):
            rows = rows.filter(player=people.get_player(key=player))
        if event := read_query_parameter(request, "event"):
            rows = rows.filter(event__key=event)
        return paginate(self, rows, SeasonResultAnswer.read)


routes: list[tuple[str, type[viewsets.ViewSetMixin], str]] = [("seasons", SeasonViewSet, "season")]


class SeasonFile(TableFile):
    def get(self, _request: Request, key: str) -> HttpResponse:
        """The places in a season as CSV."""
        season = get_season(key=key)
        rows = (
            (row.place, row.player.public_name, row.player.key, format_plain_points(row.points), row.events)
            for row in season_pages.list_standings(season)
        )
        return build_csv_response(season.key, HEADS, rows)


class HallOfFame(APIView):
    permission_classes = (permissions.AllowAny,)

    @extend_schema(operation_id="hall_of_fame", responses=FameAnswer, tags=[TAG])
    def get(self, _request: Request, slug: str) -> Response:
        """The players with most event wins, the winners of seasons, and the leaders of dated lists."""
        club = get_object_or_404(Club, slug=slug)
        return Response(FameAnswer.read(fame.load_fame(club, now=timezone.now())))


paths: list[URLPattern] = [
    path("clubs/<slug:slug>/hall-of-fame/", HallOfFame.as_view(), name="hall-of-fame"),
    path("seasons/<slug:key>/standings.csv", SeasonFile.as_view(), name="season-csv"),
]
