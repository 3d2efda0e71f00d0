"""Free tables get the next matches: by themselves in automatic mode, or when a director presses the key.

What frees a table or makes a match ready writes down, in its own transaction, that the room is to be looked at
(ADR 7). `fill` looks: it holds the room, then its events, so that of any number of workers one finds the match and the
others find it called.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from django.db import transaction

from runtime.work import outbox, portions
from tournaments.models import Tournament
from tournaments.play import calls as event_calls
from tournaments.play import changes
from tournaments.status import Status
from venue.calls import seats, seen, waiting
from venue.errors import NothingToCall, PlayerBusy, TableBroken, TableTaken
from venue.models import Assignment, Break, CallMode, EventRoom, QueueRun, Room, Table, TableState
from venue.queue import answer, next_calls, reason
from venue.queue_files import room_written

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from django.db.models import QuerySet

    from players.models import User
    from tournaments.models import Pairing
    from venue.calls.waiting import RoomRead
    from venue.queue import Answer, Call

NEXT: Final = "venue.next"
AUTOMATIC: Final = (CallMode.AUTOMATIC,)
# A director's key calls matches of all events that do not leave the choice to the director.
PROPOSED: Final = (CallMode.AUTOMATIC, CallMode.CONFIRMED)
# Nobody asks why a table went to somebody a quarter of a year ago.
RUNS_KEPT_FOR: Final = timedelta(days=90)
MOST_ROOMS: Final = 100


def note(rooms: Iterable[int], *, once: str, now: datetime) -> None:
    """Write down that rooms are to be looked at, in the transaction of what has changed there."""
    uses = EventRoom.objects.filter(
        room__in=set(rooms), mode=CallMode.AUTOMATIC, event__status=Status.RUNNING
    )
    for room in sorted(set(uses.values_list("room_id", flat=True))):
        outbox.put(NEXT, {"room": room}, dedupe_key=f"{NEXT}:{room}:{once}", now=now)


def note_change(room_id: int, *, now: datetime) -> None:
    """Write down that the tables of a room are others now."""
    note([room_id], once=uuid4().hex, now=now)


def tell(payload: Mapping[str, Any], *, now: datetime) -> None:
    """Look at a room, when the outbox says so."""
    fill(room_id=payload["room"], now=now)


def fill(*, room_id: int, now: datetime) -> list[Assignment]:
    """Call to free tables whatever is called by itself; to repeat it calls nothing more."""
    # Most changes free no table: then nobody is held up.
    if not _free_tables(room_id).exists():
        return []
    with transaction.atomic():
        held = _hold(room_id)
        if held is None:
            return []
        # Nobody is called away from a meal by a machine; a director's key still does it.
        resting = set(_resting(room_id, now).values_list("event", flat=True))
        read = waiting.read(held.room, now=now, modes=AUTOMATIC, but=resting)
        found = answer(read.room)
        _look_again(held.room, found)
        return _carry_out(held, read, found.calls, by=None, now=now)


def call_next(*, room: Room, by: User, now: datetime, saw: str | None = None) -> Assignment:
    """Call the match whose turn it is to the table it gets; `saw` is the latest call that was seen, "" for none.

    :raises NotDirector: `by` does not direct at the room's club.
    :raises ChangedMeanwhile: another call is the latest by now; nothing changes.
    :raises NothingToCall: no table is free, or nobody waits who could play.
    """
    changes.require_director(room.club, by)
    with transaction.atomic():
        held = _hold(room.pk)
        if held is None:
            raise NothingToCall
        if saw is not None:
            seen.require_latest(held.room, saw)
        read = waiting.read(held.room, now=now, modes=PROPOSED)
        made = _carry_out(held, read, next_calls(read.room)[:1], by=by, now=now)
        if not made:
            raise NothingToCall
        return made[0]


def kept(at: Any) -> Iterator[QuerySet[Room]]:
    """Ask, by a column with an index, for rooms that have kept a table for the stream for long enough since then."""
    yield Room.objects.filter(kept_until__lte=at)


def let_go(now: datetime) -> int:
    """Look again at the rooms in which a table is kept for the stream no longer."""
    due = list(next(kept(now)).order_by("kept_until", "pk").values_list("pk", flat=True)[:MOST_ROOMS])
    for room in due:
        Room.objects.filter(pk=room, kept_until__lte=now).update(kept_until=None)
        fill(room_id=room, now=now)
        seats.tell_rooms([room], now=now)
    return len(due)


def prune(*, now: datetime) -> int:
    """Forget old answers of the queue; the calls that came of them stay, each with its reason."""
    return portions.delete(QueueRun.objects.filter(at__lt=now - RUNS_KEPT_FOR))


def _resting(room_id: int, now: datetime) -> QuerySet[Break]:
    """Return the breaks that are on in a room."""
    return Break.objects.filter(event__played_in__room=room_id, begins_at__lte=now, ends_at__gt=now)


def _free_tables(room: Any) -> QuerySet[Table]:
    taken = Assignment.objects.filter(table__room=room, ended_at__isnull=True).values("table")
    return Table.objects.filter(room=room, state=TableState.FREE).exclude(pk__in=taken)


@dataclass(frozen=True, slots=True)
class HeldRoom:
    """A room that is held, and the events in it that are."""

    room: Room
    events: Mapping[int, Tournament]


def _hold(room_id: int) -> HeldRoom | None:
    """Hold a room and then the events in it; None where it is gone."""
    rooms = Room.objects.select_for_update(of=("self",), no_key=True).order_by("pk")
    room = rooms.filter(pk=room_id).first()
    if room is None:
        return None
    uses = EventRoom.objects.filter(room=room, event__status=Status.RUNNING).values("event")
    events = Tournament.objects.select_for_update(of=("self",), no_key=True).select_related("club")
    return HeldRoom(room, {event.pk: event for event in events.filter(pk__in=uses).order_by("pk")})


def _look_again(room: Room, found: Answer) -> None:
    """Write down when a table is kept for the stream no longer."""
    times = [each.until for each in found.kept if each.until is not None]
    until = datetime.fromtimestamp(min(times), tz=UTC) if times else None
    if until != room.kept_until:
        Room.objects.filter(pk=room.pk).update(kept_until=until)


def _carry_out(
    held: HeldRoom, read: RoomRead, said: Sequence[Call], *, by: User | None, now: datetime
) -> list[Assignment]:
    """Do what the queue says, and keep what it was asked and has answered."""
    if not said:
        return []
    run = QueueRun.objects.create(
        room=held.room,
        at=now,
        by=by,
        asked=room_written(read.room),
        calls=[{"match": call.match, "table": call.table, "why": call.why} for call in said],
    )
    rows = waiting.pairings(read.waiting[call.match] for call in said)
    made = []
    for call in said:
        row = rows[call.match]
        # An event that has come into the room since it was held has its turn next time.
        event = held.events.get(row.tournament_id)
        if event is None:
            continue
        row.tournament = event
        if (assignment := _seat(read, call, row, run, by=by, now=now)) is not None:
            made.append(assignment)
    _tell(held, made, now=now)
    if made and len(made) < len(said):
        # Somebody sat down elsewhere meanwhile: the table is free for others.
        note([held.room.pk], once=uuid4().hex, now=now)
    return made


def _seat(
    read: RoomRead, call: Call, row: Pairing, run: QueueRun, *, by: User | None, now: datetime
) -> Assignment | None:
    """Seat a match that the queue has called; None where one of the two has sat down elsewhere since."""
    table = read.tables[call.table]
    found = next(each for each in read.room.ready if each.id == call.match)
    said = reason(read.room, found)
    why = {
        "fixed": said.fixed is not None,
        "longest": said.longest,
        "minutes": said.minutes,
        "blocks": said.blocks,
        "stream": said.stream,
    }
    try:
        with transaction.atomic():
            made = seats.seat(row, table, by=by, now=now, why=why, run=run)
            event_calls.mark(row.tournament, row, table=table.label, by=by, now=now)
    except (PlayerBusy, TableBroken, TableTaken):
        return None
    return made


def _tell(held: HeldRoom, made: Collection[Assignment], *, now: datetime) -> None:
    """Tell the pages of all events in the room, and those of whoever is called."""
    if not made:
        return
    called = {each.pairing.tournament_id for each in made}
    seats.tell_players(made, now=now)
    if len(held.events) > 1:
        seats.hold_events(event.key for event in held.events.values())
    for pk in sorted(called):
        event_calls.tell(held.events[pk], now=now)
    seats.tell_events((event.key for pk, event in held.events.items() if pk not in called), now=now)
