"""A club's screens over HTTP: list, bind, change, release."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

from django.db.models import Model, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path
from drf_spectacular.utils import extend_schema
from rest_framework import generics, permissions, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from matches.play.callers import get_arrival_time
from players.access.callers import get_account, read_body
from players.models import Club
from runtime.http.answer_schema import JSON_200, make_list_serializer
from runtime.http.answers import Answer, about, paginate
from runtime.http.strict_fields import StrictFields, refuse_body
from tournaments.play import changes
from venue import models
from venue.desk.room_shapes import PROBLEMS
from venue.errors import BadProgramme
from venue.models import Show
from venue.screens import screens

Row = TypeVar("Row", bound=Model)
TAG: Final = "screens"


class ScreenAnswer(Answer):
    """A screen on a wall."""

    key: str
    name: str
    room: str | None = about("Key of the room whose calls and tables it shows.", source="room.key")
    event: str | None = about("Key of its event; null is whatever is played.", source="event.key")
    programme: list[str] = about(words=Show.values)
    seconds: int = about("How long each page stays.")
    held: str | None = about("The one thing it holds.", source=lambda row: row.held or None)
    announcement: str
    announced_until: datetime | None
    speaks: bool = about("Whether it says each call aloud.")


class BindShape(StrictFields):
    """The letters that a browser shows, and the name of its screen."""

    letters = serializers.CharField(min_length=4, max_length=8)
    name = serializers.CharField(max_length=80)
    room = serializers.CharField(max_length=10, required=False, allow_null=True)


class ProgrammeShape(StrictFields):
    """The new settings of a screen; a missing field is not changed."""

    name = serializers.CharField(max_length=80, required=False)
    room = serializers.CharField(max_length=10, required=False, allow_null=True)
    event = serializers.CharField(max_length=10, required=False, allow_null=True)
    programme = serializers.ListField(
        child=serializers.ChoiceField(choices=Show.values), max_length=len(Show.values), required=False
    )
    seconds = serializers.IntegerField(min_value=5, max_value=120, required=False)
    held = serializers.ChoiceField(choices=Show.values, required=False, allow_null=True)
    announcement = serializers.CharField(max_length=160, required=False, allow_blank=True)
    minutes = serializers.IntegerField(
        min_value=1, max_value=7 * 24 * 60, required=False, help_text="How long the announcement stays."
    )
    speaks = serializers.BooleanField(required=False, help_text="Whether it says each call aloud.")


@extend_schema(tags=[TAG])
class ScreenListView(generics.GenericAPIView[models.Screen]):
    queryset = models.Screen.objects.none()
    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(
        operation_id="screens_list", responses={JSON_200: make_list_serializer(ScreenAnswer), **PROBLEMS}
    )
    def get(self, request: Request, slug: str) -> Response:
        """The screens of a club, for its directors."""
        club = get_object_or_404(Club, slug=slug)
        changes.require_director(club, get_account(request))
        return paginate(self, screens.list_screens(club), ScreenAnswer.read)

    @extend_schema(operation_id="screens_bind", request=BindShape, responses={201: ScreenAnswer, **PROBLEMS})
    def post(self, request: Request, slug: str) -> Response:
        """Bind a browser by the letters it shows. Under an existing name it replaces that browser."""
        club = get_object_or_404(Club, slug=slug)
        changes.require_director(club, get_account(request))
        data = read_body(BindShape, request)
        screen = screens.bind(
            club=club,
            by=get_account(request),
            letters=data["letters"],
            name=data["name"],
            room=_find_by_key(screens.list_rooms(club), data.get("room")),
            now=get_arrival_time(request),
        )
        return Response(ScreenAnswer.read(screen), status=status.HTTP_201_CREATED)


@extend_schema(tags=[TAG])
class ScreenView(APIView):
    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(
        operation_id="screens_steer", request=ProgrammeShape, responses={200: ScreenAnswer, **PROBLEMS}
    )
    def patch(self, request: Request, key: str) -> Response:
        """Change what a screen shows."""
        screen, club = _get_screen(key)
        changes.require_director(club, get_account(request))
        data = read_body(ProgrammeShape, request)
        now = get_arrival_time(request)
        data = _read_settings(club, data, now)
        made = screens.change_settings(screen=screen, by=get_account(request), now=now, **data)
        return Response(ScreenAnswer.read(made))

    @extend_schema(operation_id="screens_release", responses={204: None, **PROBLEMS})
    @refuse_body
    def delete(self, request: Request, key: str) -> Response:
        """Release a screen: it shows letters again."""
        screen, _club = _get_screen(key)
        screens.release(screen=screen, by=get_account(request), now=get_arrival_time(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


def _read_settings(club: Club, sent: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    settings = {name: value for name, value in sent.items() if name != "minutes"}
    if "room" in settings:
        settings["room"] = _find_by_key(screens.list_rooms(club), settings["room"])
    if "event" in settings:
        settings["event"] = _find_by_key(screens.list_events(club), settings["event"])
    if "minutes" in sent:
        settings["announced_until"] = now + timedelta(minutes=sent["minutes"])
    elif "announcement" in settings:
        settings["announced_until"] = None
    return settings


def _get_screen(key: str) -> tuple[models.Screen, Club]:
    rows = models.Screen.objects.select_related("club", "room", "event").filter(club__isnull=False)
    screen = get_object_or_404(rows, key=key)
    if screen.club is None:
        raise Http404
    return screen, screen.club


def _find_by_key(rows: QuerySet[Row], key: str | None) -> Row | None:
    if key is None:
        return None
    found = rows.filter(key=key).first()
    return BadProgramme.raise_if_none(found, least=screens.SECONDS[0], most=screens.SECONDS[-1])


paths: list[URLPattern] = [
    path("clubs/<slug:slug>/screens/", ScreenListView.as_view(), name="club-screens"),
    path("screens/<slug:key>/", ScreenView.as_view(), name="screen"),
]
