"""Rehearsals over HTTP: create, play to a goal, and delete; for directors only."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.urls import URLPattern, path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import permissions, serializers, status, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from matches.play import callers
from players.access.callers import found_or_404, get_account, read_body
from players.models import User
from runtime.http.answers import Answer, about
from runtime.http.strict_fields import StrictFields, refuse_body
from tournaments.base.errors import NotDirector
from tournaments.pages import access
from venue.desk import room_shapes as shapes
from venue.models import Goal
from venue.rehearsals import rehearsal_play, rehearsing
from venue.rehearsals.rehearsal_play import RehearsalStatus


class RehearsalAnswer(Answer):
    """A rehearsal, and its progress."""

    event: str = about("The key of the copy, which is an event like others to its directors.", source="key")
    of: str = about("The key of the event it is a copy of.")
    status: str
    played: int = about("How many matches are decided.")
    open: int = about("How many matches could be played now.")
    playing_to: str = about("Blank while it does not play.", words=("", *Goal.values), source="goal")
    pace: int = about("Seconds between two results; 0 is at once.")
    expires_at: datetime = about(
        "Then it is thrown away.", source=lambda shown: timezone.localtime(shown.expires_at)
    )


class RehearseShape(StrictFields):
    """The number of players of a new rehearsal."""

    players = serializers.IntegerField(
        min_value=0,
        max_value=rehearsing.MOST_PLAYERS,
        default=0,
        help_text="Made-up players fill it up to so many.",
    )


class PlayRehearsalShape(StrictFields):
    """The goal to which a rehearsal is played."""

    goal = serializers.ChoiceField(choices=Goal.values)
    pace = serializers.IntegerField(
        min_value=0,
        max_value=rehearsing.SLOWEST,
        default=0,
        help_text="Seconds between two results; 0 is at once.",
    )


@extend_schema(responses={200: RehearsalAnswer, **shapes.PROBLEMS}, tags=[shapes.TAG])
class RehearsalViewSet(viewsets.ViewSet):
    """The rehearsal of an event, by the key of the event or of the copy."""

    permission_classes = (permissions.IsAuthenticated,)

    def retrieve(self, request: Request, key: str) -> Response:
        """The rehearsal of an event, and its progress."""
        return Response(RehearsalAnswer.read(_get_rehearsal(key, get_account(request))))

    @extend_schema(request=RehearseShape, responses={201: RehearsalAnswer, **shapes.PROBLEMS})
    def create(self, request: Request, key: str) -> Response:
        """Create a rehearsal of the event, or return the existing one."""
        user, now = get_account(request), callers.get_arrival_time(request)
        data = read_body(RehearseShape, request)
        event = access.load_event(key, user)
        rehearsing.start(tournament_id=event.pk, by=user, now=now, players=data["players"])
        return Response(RehearsalAnswer.read(_get_rehearsal(key, user)), status=status.HTTP_201_CREATED)

    @extend_schema(request=PlayRehearsalShape)
    def play(self, request: Request, key: str) -> Response:
        """Play the rehearsal: to the next result, all open matches, up to the final, or to the end."""
        user, now = get_account(request), callers.get_arrival_time(request)
        data = read_body(PlayRehearsalShape, request)
        goal, pace = Goal(data["goal"]), data["pace"]
        copy = access.load_event(_get_rehearsal(key, user).key, user)
        rehearsing.play(tournament_id=copy.pk, goal=goal, by=user, now=now, pace=pace)
        return Response(RehearsalAnswer.read(_get_rehearsal(key, user)))

    @extend_schema(responses={204: None, **shapes.PROBLEMS})
    @refuse_body
    def destroy(self, request: Request, key: str) -> Response:
        """Delete the rehearsal, with all its results."""
        user = get_account(request)
        copy = access.load_event(_get_rehearsal(key, user).key, user)
        rehearsing.discard(tournament_id=copy.pk, by=user)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _get_rehearsal(key: str, user: User) -> RehearsalStatus:
    event = access.load_event(key, user)
    if not user.has_perm("tournaments.direct", event.club):
        raise NotDirector
    return found_or_404(rehearsal_play.find_rehearsal(event=event) or rehearsal_play.find_rehearsal(of=event))


REHEARSAL: Final = "events/<slug:key>/rehearsal"
paths: list[URLPattern] = [
    path(
        f"{REHEARSAL}/",
        RehearsalViewSet.as_view({"get": "retrieve", "post": "create", "delete": "destroy"}),
        name="event-rehearsal",
    ),
    path(f"{REHEARSAL}/play/", RehearsalViewSet.as_view({"post": "play"}), name="event-rehearsal-play"),
]
