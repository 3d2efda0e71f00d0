"""Rooms over HTTP: tables, calls, the queue and breaks for everyone, the acts for directors."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any, Final

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import permissions, serializers, status, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from matches.play import callers
from players.access.callers import KEY, IdempotentRequest, get_account, read_body
from players.access.permissions import may_know
from players.models import Club, User
from runtime.http.answer_schema import make_list_serializer
from runtime.http.answers import paginate
from tournaments.pages import access
from tournaments.status import Status
from venue.calls import (
    calling,
    calls,
    conflict_checks,
    stream_queue,
    stream_queue_changes,
    table_filling,
    tables,
)
from venue.desk import desk_room
from venue.desk import room_shapes as shapes
from venue.models import Assignment, CallMode, EventRoom, Room, Table, TableState
from venue.queue import MatchId
from venue.rooms import breaks, rooms
from venue.rooms.breaks import PlannedBreak


@extend_schema(tags=[shapes.TAG])
class RoomViewSet(viewsets.GenericViewSet[Room]):
    queryset = Room.objects.none()
    permission_classes = (permissions.IsAuthenticatedOrReadOnly,)

    @extend_schema(responses=shapes.RoomAnswer)
    def list(self, request: Request, slug: str) -> Response:
        """Every room with its tables and the matches at them."""
        club = get_object_or_404(Club, slug=slug)
        rows = Room.objects.filter(club=club).order_by("pk")
        return paginate(self, rows, lambda row: shapes.serialize_room(row, calls.list_calls(row)))

    @extend_schema(responses=shapes.RoomAnswer)
    def retrieve(self, request: Request, key: str) -> Response:
        """A room with its tables and the matches at them."""
        found = _get_room(key, request)
        return Response(shapes.serialize_room(found, calls.list_calls(found)))

    @extend_schema(responses=make_list_serializer(shapes.QueuedAnswer))
    def list_queue(self, request: Request, key: str) -> Response:
        """The matches that wait for a table, in the order in which they are called."""
        running = EventRoom.objects.filter(room=_get_room(key, request), event__status=Status.RUNNING)
        latest = running.select_related("room__club", "event").order_by("-event__starts_at", "-event")
        # With calls by hand no table is proposed; other events of the room may have proposals.
        used = latest.exclude(mode=CallMode.BY_HAND).first() or latest.first()
        now = callers.get_arrival_time(request)
        rows = [] if used is None else list(desk_room.load_room(used, now=now).queue)
        return paginate(self, rows, shapes.QueuedAnswer.read)

    @extend_schema(responses=shapes.StreamQueueAnswer)
    def retrieve_stream(self, request: Request, key: str) -> Response:
        """The matches that are wanted on stream and not yet at a table, in order."""
        return Response(
            shapes.StreamQueueAnswer.read(
                stream_queue.load_queue(_get_room(key, request), now=callers.get_arrival_time(request))
            )
        )

    @extend_schema(
        request=shapes.StreamOrderShape, responses={200: shapes.StreamQueueAnswer, **shapes.PROBLEMS}
    )
    def update_stream(self, request: Request, key: str) -> Response:
        """Set the stream's queue, in order; refused if the queue has changed since the caller saw it."""
        user, now = get_account(request), callers.get_arrival_time(request)
        found = _get_room(key, request)
        data = read_body(shapes.StreamOrderShape, request)
        order = [MatchId(f"{one['event']}/{one['match']}") for one in data["matches"]]
        stream_queue_changes.change_queue(
            room=found, change=lambda _before: order, saw=data["saw"], by=user, now=now
        )
        return Response(shapes.StreamQueueAnswer.read(stream_queue.load_queue(found, now=now)))

    @extend_schema(responses=make_list_serializer(shapes.QueueAnswer))
    def list_calls(self, request: Request, key: str) -> Response:
        """Every run of the queue that led to calls, the latest first; each can be recomputed."""
        rows = _get_room(key, request).queue_runs.order_by("-at", "-pk")
        return paginate(self, rows, shapes.QueueAnswer.read)

    @extend_schema(
        parameters=[KEY],
        request=shapes.CallActShape,
        responses={201: shapes.RoomCallAnswer, **shapes.PROBLEMS},
    )
    def call(self, request: Request, key: str) -> Response:
        """Call a match to a table, or with an empty body the next of the queue. Lateness runs from the call.

        If the state that `at`, `saw` or `latest` names has changed, nothing is done: `changed_meanwhile`.
        """
        user, once = get_account(request), IdempotentRequest.read(request)
        now, found = callers.get_arrival_time(request), _get_room(key, request)
        data = read_body(shapes.CallActShape, request)
        return once.run_once(now, lambda: (status.HTTP_201_CREATED, _make_call(found, user, data, now=now)))


class RoomTableViewSet(viewsets.ViewSet):
    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(
        request=shapes.TableStateShape,
        responses={200: shapes.RoomTableAnswer, **shapes.PROBLEMS},
        tags=[shapes.TAG],
    )
    def partial_update(self, request: Request, key: str) -> Response:
        """Free a table, hold it for a match, or take it out of play; a match called there waits again.

        With `saw` the request is refused if the table has changed since: another match is called there, or it
        was held or broken.
        """
        user, now = get_account(request), callers.get_arrival_time(request)
        found = get_object_or_404(Table.objects.select_related("room__club"), key=key)
        data = read_body(shapes.TableStateShape, request)
        state = TableState(data["state"])
        saw = data.get("saw")
        act = calling.break_table if state is TableState.BROKEN else partial(rooms.set_state, state=state)
        change = partial(act, table=found, by=user, now=now)
        if saw is None:
            change()
        else:
            conflict_checks.run_if_unchanged(change, table=found, saw=saw)
        found.refresh_from_db()
        open_ones = Assignment.objects.filter(table=found, ended_at__isnull=True)
        call = open_ones.values_list("uid", flat=True).first()
        return Response(shapes.serialize_table(found, str(call or "")))


@extend_schema(tags=[shapes.TAG])
class BreakViewSet(viewsets.ViewSet):
    permission_classes = (permissions.IsAuthenticatedOrReadOnly,)

    @extend_schema(responses=shapes.BreaksAnswer)
    def retrieve(self, request: Request, key: str) -> Response:
        """The breaks of an event. No match is called automatically during a break."""
        return Response(shapes.serialize_breaks(access.load_event(key, request.user)))

    @extend_schema(request=shapes.BreakOrderShape, responses={200: shapes.BreaksAnswer, **shapes.PROBLEMS})
    def update(self, request: Request, key: str) -> Response:
        """Replace all breaks of an event; refused if they are not those that the caller saw."""
        user, now = get_account(request), callers.get_arrival_time(request)
        event = access.load_event(key, user)
        data = read_body(shapes.BreakOrderShape, request)
        wanted = [PlannedBreak(one["begins_at"], one["ends_at"], one["name"]) for one in data["breaks"]]
        breaks.change_breaks(event=event, change=lambda _before: wanted, by=user, now=now, saw=data["saw"])
        return Response(shapes.serialize_breaks(event))


def _make_call(room: Room, user: User, data: Mapping[str, Any], *, now: datetime) -> Any:
    """Make the call and serialize it; the answer is stored for idempotent retries."""
    if "match" in data:
        table = room.tables.select_related("room__club").filter(key=data["table"]).first()
        if table is None:
            raise serializers.ValidationError({"table": ["the room has no such table"]})
        event = access.load_event(data["event"], user)
        at = data.get("at")
        made = calling.call(
            table=table,
            event=event,
            key=data["match"],
            by=user,
            now=now,
            saw=None if at is None else _get_label(at, room),
            table_saw=data.get("saw"),
        )
    else:
        made = table_filling.call_next(room=room, by=user, now=now, saw=data.get("latest"))
    (call,) = calls.load_calls(Assignment.objects.filter(pk=made.pk))
    return shapes.RoomCallAnswer.read(call, called_at=timezone.localtime(call.called_at))


def _get_label(key: str, room: Room) -> str:
    """Return the label of a table of the room's club by its key; "" for "".

    :raises ValidationError: there is no such table.
    """
    label = tables.get_label(room.club_id, key) if key else ""
    if key and not label:
        raise serializers.ValidationError({"at": ["the club has no such table"]})
    return label


def _get_room(key: str, request: Request) -> Room:
    found = get_object_or_404(Room.objects.select_related("club"), key=key)
    if not may_know(request.user, found.club):
        raise Http404
    return found


ROOM: Final = "rooms/<slug:key>"
paths: list[URLPattern] = [
    path("clubs/<slug:slug>/rooms/", RoomViewSet.as_view({"get": "list"}), name="club-rooms"),
    path(f"{ROOM}/", RoomViewSet.as_view({"get": "retrieve"}), name="room-detail"),
    path(f"{ROOM}/queue/", RoomViewSet.as_view({"get": "list_queue"}), name="room-queue"),
    path(
        f"{ROOM}/stream/",
        RoomViewSet.as_view({"get": "retrieve_stream", "put": "update_stream"}),
        name="room-stream",
    ),
    path(f"{ROOM}/calls/", RoomViewSet.as_view({"get": "list_calls", "post": "call"}), name="room-calls"),
    path(
        "events/<slug:key>/breaks/",
        BreakViewSet.as_view({"get": "retrieve", "put": "update"}),
        name="event-breaks",
    ),
    path("tables/<slug:key>/", RoomTableViewSet.as_view({"patch": "partial_update"}), name="table-detail"),
]
