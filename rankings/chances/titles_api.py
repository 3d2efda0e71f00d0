"""Title chances over HTTP: what the page of a running event shows."""

from __future__ import annotations

from datetime import datetime

from django.urls import URLPattern, path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import permissions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from rankings.chances import titles
from rankings.requests import TAG
from runtime.http.answers import Answer, about
from tournaments.pages import access


class TitleChanceAnswer(Answer):
    """A player's chance to win the event."""

    entry: int = about("The number of the entry.", source="number")
    player: str = about("The player's key.", source="key")
    name: str
    chance: float = about("Between 0 and 1; a shared first place counts for each.", source="share")


class TitleChancesAnswer(Answer):
    """The title chances of a running event."""

    list: str | None = about("The key of the list by whose ratings; null: nobody may say.", source="list_key")
    computed_at: datetime | None = about(source=lambda seen: timezone.localtime(seen.at))
    runs: int = about("Finishes that were played out; 0: every way was looked at.")
    margin: float = about("How far a chance may be off, 19 times in 20; 0: every way was looked at.")
    chances: tuple[TitleChanceAnswer, ...] = about("The likeliest first.")


class TitleChancesView(APIView):
    permission_classes = (permissions.AllowAny,)

    @extend_schema(operation_id="event_title_chances", responses=TitleChancesAnswer, tags=[TAG])
    def get(self, request: Request, key: str) -> Response:
        """The chance of each player to win, by rating.

        It is empty if the event is not running, or no list that rates the club may predict.
        """
        event = access.load_event(key, request.user)
        seen = titles.load_title_chances(event.key)
        if seen is None:
            return Response(TitleChancesAnswer(list=None, computed_at=None, runs=0, margin=0.0, chances=()))
        return Response(TitleChancesAnswer.read(seen))


paths: list[URLPattern] = [
    path("events/<slug:key>/title-chances/", TitleChancesView.as_view(), name="event-title-chances")
]
