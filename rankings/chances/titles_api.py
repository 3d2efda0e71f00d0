"""Title chances over HTTP: what the page of a running event shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import permissions, serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from rankings.chances import titles
from rankings.ledger.ledger_shapes import TAG
from runtime.http.strict_fields import StrictFields
from tournaments.pages import access

if TYPE_CHECKING:
    from django.urls import URLPattern
    from rest_framework.request import Request

Shape = StrictFields


class TitleChanceShape(Shape):
    """How likely somebody is to win."""

    entry = serializers.IntegerField(help_text="The number of the entry.")
    player = serializers.CharField(help_text="The player's key.")
    name = serializers.CharField()
    chance = serializers.FloatField(help_text="Between 0 and 1; a shared first place counts for each.")


class TitleChancesShape(Shape):
    """How likely each is to win an event that is being played."""

    list = serializers.CharField(
        allow_null=True, help_text="The key of the list by whose ratings; null: nobody may say."
    )
    computed_at = serializers.DateTimeField(allow_null=True)
    runs = serializers.IntegerField(help_text="Finishes that were played out; 0: every way was looked at.")
    margin = serializers.FloatField(
        help_text="How far a chance may be off, 19 times in 20; 0: every way was looked at."
    )
    chances = TitleChanceShape(many=True, help_text="The likeliest first.")


class TitleChancesView(APIView):
    """The title chances of an event."""

    permission_classes = (permissions.AllowAny,)

    @extend_schema(operation_id="event_title_chances", responses=TitleChancesShape, tags=[TAG])
    def get(self, request: Request, key: str) -> Response:
        """How likely each is to win, by rating; empty where no list that rates the club may predict, or the event does not run."""
        event = access.find(key, request.user)
        seen = titles.of_event(event.key)
        if seen is None:
            return Response({"list": None, "computed_at": None, "runs": 0, "margin": 0.0, "chances": []})
        chances = [
            {"entry": one.number, "player": one.key, "name": one.name, "chance": one.share}
            for one in seen.chances
        ]
        told = {
            "list": seen.list_key,
            "computed_at": seen.at,
            "runs": seen.runs,
            "margin": seen.margin,
            "chances": chances,
        }
        return Response(TitleChancesShape(told).data)


paths: list[URLPattern] = [
    path("events/<slug:key>/title-chances/", TitleChancesView.as_view(), name="event-title-chances")
]
