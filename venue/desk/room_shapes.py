"""Answers and requests of the API: rooms."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from matches.play import problems
from players.people.players_api import ApiNameField
from runtime.http.answers import Answer, about
from runtime.http.strict_fields import StrictFields
from tournaments.base import local_times
from tournaments.models import Tournament
from venue import models
from venue.calls import tables
from venue.calls.calls import CallNow
from venue.models import Table, TableState, TableTag
from venue.models.queues import LONGEST_BREAK_NAME
from venue.rooms import breaks as planned

TAG: Final = "rooms"
PROBLEMS: Final = problems.build_director_responses("venue_refused")
CALL_STATES: Final = ("called", "seen", "here", "playing")
# Limit for the rows of a queue and an event's breaks; the services allow fewer.
MOST_ROWS = 200


class CalledPlayerAnswer(Answer):
    """A player of a called match."""

    key: str
    name: str
    entrant: int = about("The number of their entry.", source="number")
    seen_at: datetime | None
    here_at: datetime | None


class RoomCallAnswer(Answer):
    """A match at a table, from the call until the table is free."""

    id: UUID = about(source="uid")
    event: str = about("The key of the event.")
    match: str = about("The place of the match in its event, such as `main/1.2`.")
    table: str = about("The key of the table.", source="table_key")
    state: str = about("How far both of them are.", words=CALL_STATES)
    players: list[CalledPlayerAnswer]
    called_at: datetime
    started_at: datetime | None


class RoomTableAnswer(Answer):
    """A table of a room."""

    key: str
    label: str
    state: TableState
    tags: list[TableTag]
    seen: str = about(
        "What is seen of the table, in a word: the call by its id, or else its state. An act sends it back as `saw`."
    )


class TableStateShape(StrictFields):
    """The new state of a table, and the state that the caller saw."""

    state = serializers.ChoiceField(choices=TableState.choices)
    saw = serializers.CharField(
        required=False,
        max_length=40,
        help_text="`seen` of the table that was read. Where it is another by now, nothing is done: `changed_meanwhile`.",
    )


class RoomAnswer(Answer):
    """A room with its tables and the matches at them."""

    key: str
    name: str
    tables: list[RoomTableAnswer]
    calls: list[RoomCallAnswer]
    latest: str = about("The latest open call by its id; whoever calls the next sends it back.")


class QueuedAnswer(Answer):
    """A match that waits for a table."""

    event: str
    match: str
    names: str
    why: str = about("What gives it its place in the order.")
    table: str = about("The label of the table it gets next; empty while it waits.")
    likely_at: datetime | None


class StreamedAnswer(Answer):
    """A match that is wanted on stream and not yet at a table."""

    event: str
    match: str
    label: str = about("Where it stands in its event.")
    names: str = about("Both, or who may come there.")
    ready: bool = about("Whether it could begin if it had a table.", source="is_ready")


class StreamQueueAnswer(Answer):
    """The matches queued for the stream, in order."""

    seen: str = about("What is seen of the queue, in a word: send it back to change it.")
    matches: list[StreamedAnswer]


class StreamPlaceShape(StrictFields):
    """A match to queue for the stream."""

    event = serializers.CharField(max_length=10)
    match = serializers.CharField(max_length=80)


class StreamOrderShape(StrictFields):
    """The new stream queue, in order, and the version that the caller saw."""

    saw = serializers.CharField(
        allow_blank=True, max_length=400, help_text="`seen` of the queue that was read."
    )
    matches = StreamPlaceShape(many=True, max_length=MOST_ROWS)  # type: ignore[call-arg]


class BreakShape(StrictFields):
    """A break of an event."""

    begins_at = serializers.DateTimeField(validators=[local_times.validate_moment])
    ends_at = serializers.DateTimeField(validators=[local_times.validate_moment])
    name = ApiNameField(
        allow_blank=True,
        default="",
        max_length=LONGEST_BREAK_NAME,
        help_text="What it is for, such as `Dinner`.",
    )


class BreaksAnswer(Answer):
    """The breaks of an event, the earliest first."""

    seen: str = about("What is seen of them, in a word: send it back to change them.")
    breaks: list[Any] = about(described=BreakShape(many=True))


class BreakOrderShape(StrictFields):
    """The new breaks of an event, and the version that the caller saw."""

    saw = serializers.CharField(
        allow_blank=True, max_length=400, help_text="`seen` of the breaks that were read."
    )
    breaks = BreakShape(many=True, max_length=MOST_ROWS)  # type: ignore[call-arg]


class QueueAnswer(Answer):
    """A run of the queue that led to calls, with its whole input."""

    at: datetime
    asked: dict[str, Any] = about("What `python -m venue next` reads, with players and tables by key.")
    calls: list[dict[str, Any]] = about("What it prints: match, table and why.")


@extend_schema_serializer(component_name="RoomCallAct")
class CallActShape(StrictFields):
    """A match and the table it is called to; without them the next of the queue is called."""

    event = serializers.CharField(max_length=10, required=False)
    match = serializers.CharField(max_length=80, required=False)
    table = serializers.CharField(max_length=10, required=False, help_text="The key of the table.")
    at = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=10,
        help_text="The key of the table where the match was seen, blank for none. Where it is at another by now, "
        "nothing is done: `changed_meanwhile`.",
    )
    saw = serializers.CharField(
        required=False, max_length=40, help_text="`seen` of the table that it is called to."
    )
    latest = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=40,
        help_text="Without a match: `latest` of the room that was read, so that of two who call the next one does.",
    )

    def validate(self, attrs: Any) -> Any:
        """Require match, event and table together or not at all, and only the `saw` fields that apply."""
        named = ("event", "match", "table")
        given = [name for name in named if name in attrs]
        if given and len(given) != len(named):
            raise serializers.ValidationError(
                {name: ["event, match and table go together"] for name in named if name not in attrs}
            )
        stray = {"latest"} if given else {"at", "saw"}
        if found := stray & set(attrs):
            raise serializers.ValidationError(
                {name: ["`at` and `saw` go with a match, `latest` with none"] for name in sorted(found)}
            )
        return attrs


def serialize_table(row: Table, call: str) -> RoomTableAnswer:
    """Serialize a table, with the uid of its open call."""
    return RoomTableAnswer.read(row, seen=tables.compute_version_key(row.state, call))


def serialize_room(row: models.Room, calls: tuple[CallNow, ...]) -> RoomAnswer:
    there = {each.table_key: each.uid for each in calls}
    return RoomAnswer.read(
        row,
        tables=[serialize_table(each, there.get(each.key, "")) for each in row.tables.order_by("position")],
        calls=calls,
        latest=max(((each.pk, each.uid) for each in calls), default=(0, ""))[1],
    )


def serialize_breaks(event: Tournament) -> BreaksAnswer:
    rows = [BreakShape(span._asdict()).data for span in planned.list_breaks(event)]
    return BreaksAnswer(seen=planned.compute_version_key(event), breaks=rows)
