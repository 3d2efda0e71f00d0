"""What the API tells of rooms, what it takes, and how both are described."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from matches.play import problems
from runtime.http.strict_fields import StrictFields
from venue.calls import tables
from venue.models import TableState, TableTag
from venue.models.queues import LONGEST_BREAK_NAME
from venue.rooms import planned_breaks as planned

if TYPE_CHECKING:
    from tournaments.models import Tournament
    from venue.calls.calls import CallNow
    from venue.calls.streamed import StreamQueue
    from venue.desk.desk_room import InQueue
    from venue.models import QueueRun, Room, Table

Shape = StrictFields
TAG: Final = "rooms"
PROBLEMS: Final = problems.answers(
    {
        **problems.USUAL,
        403: {
            "not_director": "only a director of the club may do this",
            "read_only_token": "the token is for reading",
        },
        409: {"venue_refused": "it cannot be done as things are; the code and the sentence say why"},
    }
)
CALL_STATES: Final = ("called", "seen", "here", "playing")
# Of a queue or of an event's breaks; the services take fewer.
MOST_ROWS = 200


class CalledPlayerShape(Shape):
    """One of the two who are called."""

    key = serializers.CharField()
    name = serializers.CharField()
    entrant = serializers.IntegerField(help_text="The number of their entry.")
    seen_at = serializers.DateTimeField(allow_null=True)
    here_at = serializers.DateTimeField(allow_null=True)


class RoomCallShape(Shape):
    """A match at a table, from the call until the table is free."""

    id = serializers.UUIDField()
    event = serializers.CharField(help_text="The key of the event.")
    match = serializers.CharField(help_text="The place of the match in its event, such as `main/1.2`.")
    table = serializers.CharField(help_text="The key of the table.")
    state = serializers.ChoiceField(choices=CALL_STATES, help_text="How far both of them are.")
    players = CalledPlayerShape(many=True)
    called_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)


class RoomTableShape(Shape):
    """A table of a room."""

    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a field of that name
    state = serializers.ChoiceField(choices=TableState.choices)
    tags = serializers.ListField(child=serializers.ChoiceField(choices=TableTag.choices))
    seen = serializers.CharField(
        help_text="What is seen of the table, in a word: the call by its id, or else its state. An act sends it back as `saw`."
    )


class TableStateShape(Shape):
    """Whether a table gets matches, and what was seen of it."""

    state = serializers.ChoiceField(choices=TableState.choices)
    saw = serializers.CharField(
        required=False,
        max_length=40,
        help_text="`seen` of the table that was read. Where it is another by now, nothing is done: `changed_meanwhile`.",
    )


class RoomShape(Shape):
    """A room with its tables, and what is called or played at them."""

    key = serializers.CharField()
    name = serializers.CharField()
    tables = RoomTableShape(many=True)
    calls = RoomCallShape(many=True)
    latest = serializers.CharField(
        allow_blank=True, help_text="The latest open call by its id; whoever calls the next sends it back."
    )


class QueuedShape(Shape):
    """A match that waits for a table."""

    event = serializers.CharField()
    match = serializers.CharField()
    names = serializers.CharField()
    why = serializers.CharField(help_text="What gives it its place in the order.")
    table = serializers.CharField(help_text="The label of the table it gets next; empty while it waits.")
    likely_at = serializers.DateTimeField(allow_null=True)


class StreamedShape(Shape):
    """A match that is wanted on stream and not yet at a table."""

    event = serializers.CharField()
    match = serializers.CharField()
    label = serializers.CharField(help_text="Where it stands in its event.")  # type: ignore[assignment]
    names = serializers.CharField(help_text="Both, or who may come there.")
    ready = serializers.BooleanField(help_text="Whether it could begin if it had a table.")


class StreamQueueShape(Shape):
    """What is wanted on stream, in order."""

    seen = serializers.CharField(
        allow_blank=True, help_text="What is seen of the queue, in a word: send it back to change it."
    )
    matches = StreamedShape(many=True)


class StreamPlaceShape(Shape):
    """A match that is to be wanted on stream."""

    event = serializers.CharField(max_length=10)
    match = serializers.CharField(max_length=80)


class StreamOrderShape(Shape):
    """What is to be wanted on stream, in order, and which queue was seen."""

    saw = serializers.CharField(
        allow_blank=True, max_length=400, help_text="`seen` of the queue that was read."
    )
    matches = StreamPlaceShape(many=True, max_length=MOST_ROWS)  # type: ignore[call-arg]


class BreakShape(Shape):
    """A break of an event."""

    begins_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()
    name = serializers.CharField(
        allow_blank=True,
        default="",
        max_length=LONGEST_BREAK_NAME,
        help_text="What it is for, such as `Dinner`.",
    )


class BreaksShape(Shape):
    """The breaks of an event, the first first."""

    seen = serializers.CharField(
        allow_blank=True, help_text="What is seen of them, in a word: send it back to change them."
    )
    breaks = BreakShape(many=True)


class BreakOrderShape(Shape):
    """The breaks an event is to have, and which were seen."""

    saw = serializers.CharField(
        allow_blank=True, max_length=400, help_text="`seen` of the breaks that were read."
    )
    breaks = BreakShape(many=True, max_length=MOST_ROWS)  # type: ignore[call-arg]


class QueueAnswerShape(Shape):
    """An answer of the queue, with all it was computed from."""

    at = serializers.DateTimeField()
    asked = serializers.DictField(
        help_text="What `python -m venue next` reads, with players and tables by key."
    )
    calls = serializers.ListField(
        child=serializers.DictField(), help_text="What it prints: match, table and why."
    )


@extend_schema_serializer(component_name="RoomCallAct")
class CallActShape(Shape):
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
        """Have match and table given in full, or neither; what was seen goes with what is done."""
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


def call(one: CallNow) -> dict[str, Any]:
    """Return a call as the API tells it."""
    return {
        "id": one.uid,
        "event": one.event,
        "match": one.match,
        "table": one.table_key,
        "state": one.state,
        "players": [
            {
                "key": player.key,
                "name": player.name,
                "entrant": player.number,
                "seen_at": player.seen_at,
                "here_at": player.here_at,
            }
            for player in one.players
        ],
        "called_at": one.called_at,
        "started_at": one.started_at,
    }


def table(row: Table, call: str = "") -> dict[str, Any]:
    """Return a table as the API tells it, with the open call there by its id."""
    return {
        "key": row.key,
        "label": row.label,
        "state": row.state,
        "tags": list(row.tags),
        "seen": tables.mark(row.state, call),
    }


def room(row: Room, calls: tuple[CallNow, ...]) -> dict[str, Any]:
    """Return a room as the API tells it."""
    there = {each.table_key: each.uid for each in calls}
    return {
        "key": row.key,
        "name": row.name,
        "tables": [table(each, there.get(each.key, "")) for each in row.tables.order_by("position")],
        "calls": [call(each) for each in calls],
        "latest": max(((each.pk, each.uid) for each in calls), default=(0, ""))[1],
    }


def queued(one: InQueue) -> dict[str, Any]:
    """Return a match of the queue as the API tells it."""
    return {
        "event": one.event,
        "match": one.match,
        "names": one.names,
        "why": one.why,
        "table": one.table,
        "likely_at": one.likely_at,
    }


def stream(queue: StreamQueue) -> dict[str, Any]:
    """Return the queue of a stream as the API tells it."""
    return {
        "seen": queue.seen,
        "matches": [
            {
                "event": one.event,
                "match": one.match,
                "label": one.label,
                "names": one.names,
                "ready": one.is_ready,
            }
            for one in queue.matches
        ],
    }


def answer(run: QueueRun) -> dict[str, Any]:
    """Return an answer of the queue as the API tells it."""
    return {"at": run.at, "asked": run.asked, "calls": run.calls}


def breaks(event: Tournament) -> dict[str, Any]:
    """Return the breaks of an event."""
    return {
        "seen": planned.mark(event),
        "breaks": [BreakShape(span._asdict()).data for span in planned.of(event)],
    }
