from __future__ import annotations

from datetime import date

from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import permissions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.models import Club
from rankings.requests import TAG
from rankings.seasons import fame
from rankings.seasons.season_pages import format_plain_points
from runtime.http.answers import Answer, about


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


class HallOfFame(APIView):
    permission_classes = (permissions.AllowAny,)

    @extend_schema(operation_id="hall_of_fame", responses=FameAnswer, tags=[TAG])
    def get(self, _request: Request, slug: str) -> Response:
        """The players with most event wins, the winners of seasons, and the leaders of dated lists."""
        club = get_object_or_404(Club, slug=slug)
        return Response(FameAnswer.read(fame.load_fame(club, now=timezone.now())))


paths: list[URLPattern] = [
    path("clubs/<slug:slug>/hall-of-fame/", HallOfFame.as_view(), name="hall-of-fame"),
]
