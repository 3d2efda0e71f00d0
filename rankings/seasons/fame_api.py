from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import permissions, serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from players.models import Club
from rankings.ledger.ledger_shapes import TAG
from rankings.seasons import fame
from runtime.http.strict_fields import StrictFields

if TYPE_CHECKING:
    from django.urls import URLPattern
    from rest_framework.request import Request

Shape = StrictFields


class FameLineShape(Shape):
    """Somebody who was first more often than others."""

    place = serializers.IntegerField(help_text="Those with equal figures share it.")
    name = serializers.CharField()
    url = serializers.CharField()
    times = serializers.IntegerField(help_text="Events won, or dated lists led.")


class FameChampionShape(Shape):
    """Somebody who won a season."""

    name = serializers.CharField()
    url = serializers.CharField(source="href")
    points = serializers.CharField()


class FameSeasonShape(Shape):
    """A season that is over."""

    season = serializers.CharField(source="season.key", help_text="The key of the season.")
    name = serializers.CharField(source="season.name")
    won_by = FameChampionShape(
        source="first", many=True, help_text="Several where they share the first place."
    )


class FameHighestShape(Shape):
    """The highest rating at the head of a dated list."""

    name = serializers.CharField()
    url = serializers.CharField()
    rating = serializers.FloatField()
    day = serializers.DateField()


class FameListShape(Shape):
    """Who led the dated lists of a rating list."""

    list = serializers.CharField(source="list.key", help_text="The key of the rating list.")
    name = serializers.CharField(source="list.name")
    dated_lists = serializers.IntegerField(
        source="dated", help_text="How many there are in which somebody led."
    )
    leaders = FameLineShape(source="leaders.lines", many=True, help_text="The first ten.")
    highest = FameHighestShape()


class FameShape(Shape):
    """Whom a club remembers."""

    winners = FameLineShape(
        source="winners.lines", many=True, help_text="Who has won most events, the first ten."
    )
    seasons = FameSeasonShape(many=True)
    lists = FameListShape(many=True)


class HallOfFame(APIView):
    """Whom a club remembers."""

    permission_classes = (permissions.AllowAny,)

    @extend_schema(operation_id="hall_of_fame", responses=FameShape, tags=[TAG])
    def get(self, _request: Request, slug: str) -> Response:
        """Who has won most events of a club, who won its seasons, and who led its dated lists."""
        club = get_object_or_404(Club, slug=slug)
        return Response(FameShape(fame.of(club, now=timezone.now())).data)


paths: list[URLPattern] = [
    path("clubs/<slug:slug>/hall-of-fame/", HallOfFame.as_view(), name="hall-of-fame"),
]
