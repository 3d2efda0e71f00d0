"""Calls of the next matches to free tables: automatic, or when a director calls the next match.

A change that frees a table or makes a match ready puts a message into the outbox in its own transaction (ADR
7). `fill` processes it: it locks the room, then its events, so only one of several workers makes each call.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import uuid4

from django.db import transaction
from django.db.models import QuerySet

from players.models import User
from runtime.rows import delete_rows
from runtime.work import outbox
from tournaments.models import Pairing, Tournament
from tournaments.play import changes, table_play
from tournaments.status import Status
from venue.calls import conflict_checks, queue_input, seats
from venue.calls.queue_input import QueueInput
from venue.errors import NothingToCall, PlayerBusy, TableBroken, TableTaken
from venue.models import Assignment, Break, CallMode, EventRoom, QueueRun, Room, Table, TableState
from venue.queue import Call, QueueResult, compute_result, find_next_calls, find_reason

NEXT: Final = "venue.next"
AUTOMATIC: Final = (CallMode.AUTOMATIC,)
# "Call next" considers all events except those whose directors choose by hand.
PROPOSED: Final = (CallMode.AUTOMATIC, CallMode.CONFIRMED)
RUNS_KEPT_FOR: Final = timedelta(days=90)
MOST_ROOMS: Final = 100


def queue_fill(rooms: Iterable[int], *, once: str, now: datetime) -> None:
    """Queue a fill of those rooms that an automatic event is played in; *once* deduplicates."""
    uses = EventRoom.objects.filter(
        room__in=set(rooms), mode=CallMode.AUTOMATIC, event__status=Status.RUNNING
    )
    for room in sorted(set(uses.values_list("room_id", flat=True))):
        outbox.put(NEXT, {"room": room}, dedupe_key=f"{NEXT}:{room}:{once}", now=now)


def queue_fill_after_change(room_id: int, *, now: datetime) -> None:
    queue_fill([room_id], once=uuid4().hex, now=now)


def run_fill(payload: Mapping[str, Any], *, now: datetime) -> None:
    """Fill the room of an outbox message."""
    fill(room_id=payload["room"], now=now)


def fill(*, room_id: int, now: datetime) -> list[Assignment]:
    """Call matches of automatic events to free tables. Idempotent."""
    # Most changes leave no free table or no match to call: check without taking locks.
    taken = Assignment.objects.filter(table__room=room_id, ended_at__isnull=True).values("table")
    free = Table.objects.filter(room=room_id, state=TableState.FREE).exclude(pk__in=taken)
    if not (free.exists() and queue_input.has_waiting_matches(room_id)):
        return []
    with transaction.atomic():
        held = _lock_room(room_id)
        if held is None:
            return []
        # No automatic calls during an event's break; directors can still call.
        breaks = Break.objects.filter(event__played_in__room=room_id, begins_at__lte=now, ends_at__gt=now)
        resting = set(breaks.values_list("event", flat=True))
        read = queue_input.load_queue_input(held.room, now=now, modes=AUTOMATIC, but=resting)
        found = compute_result(read.room)
        _store_reservation_end(held.room, found)
        return _make_calls(held, read, found.calls, by=None, now=now)


def call_next(*, room: Room, by: User, now: datetime, saw: str | None = None) -> Assignment:
    """Call the first match of the queue to its table; `saw` is the latest call the caller saw, "" for none.

    :raises NotDirector: `by` does not direct at the room's club.
    :raises ChangedMeanwhile: there is a later call; nothing changes.
    :raises NothingToCall: no table is free, or no waiting match can be played.
    """
    changes.require_director(room.club, by)
    with transaction.atomic():
        held = NothingToCall.raise_if_none(_lock_room(room.pk))
        if saw is not None:
            conflict_checks.require_latest_call(held.room, saw)
        read = queue_input.load_queue_input(held.room, now=now, modes=PROPOSED)
        made = _make_calls(held, read, find_next_calls(read.room)[:1], by=by, now=now)
        if not made:
            raise NothingToCall
        return made[0]


def query_due(at: Any) -> Iterator[QuerySet[Room]]:
    """Select the rooms whose reservation of a stream table ends by *at*, by an indexed column."""
    yield Room.objects.filter(kept_until__lte=at)


def release_reserved(now: datetime) -> int:
    """Fill the rooms whose reservation of a stream table has ended; return their number."""
    due = list(next(query_due(now)).order_by("kept_until", "pk").values_list("pk", flat=True)[:MOST_ROOMS])
    for room in due:
        Room.objects.filter(pk=room, kept_until__lte=now).update(kept_until=None)
        fill(room_id=room, now=now)
        seats.notify_rooms([room], now=now)
    return len(due)


def prune(*, now: datetime) -> int:
    """Delete old queue runs; their calls stay, each with its reason."""
    return delete_rows(QueueRun.objects.filter(at__lt=now - RUNS_KEPT_FOR))


@dataclass(frozen=True, slots=True)
class LockedRoom:
    room: Room
    events: Mapping[int, Tournament]


def _lock_room(room_id: int) -> LockedRoom | None:
    """Lock a room, then its running events; None if the room was deleted."""
    rooms = Room.objects.select_for_update(of=("self",), no_key=True).order_by("pk")
    room = rooms.filter(pk=room_id).first()
    if room is None:
        return None
    uses = EventRoom.objects.filter(room=room, event__status=Status.RUNNING).values("event")
    events = Tournament.objects.select_for_update(of=("self",), no_key=True).select_related("club")
    return LockedRoom(room, {event.pk: event for event in events.filter(pk__in=uses).order_by("pk")})


def _store_reservation_end(room: Room, found: QueueResult) -> None:
    times = [each.until for each in found.kept if each.until is not None]
    until = datetime.fromtimestamp(min(times), tz=UTC) if times else None
    if until != room.kept_until:
        Room.objects.filter(pk=room.pk).update(kept_until=until)


def _make_calls(
    held: LockedRoom, read: QueueInput, calls: Sequence[Call], *, by: User | None, now: datetime
) -> list[Assignment]:
    """Make the calls of the queue and store its input and output as a `QueueRun`."""
    if not calls:
        return []
    run = QueueRun.objects.create(
        room=held.room,
        at=now,
        by=by,
        asked=asdict(read.room),
        calls=[{"match": call.match, "table": call.table, "why": call.why} for call in calls],
    )
    rows = queue_input.load_pairings(read.waiting[call.match] for call in calls)
    made = []
    for call in calls:
        row = rows[call.match]
        # An event that joined the room after the lock is left to the next fill.
        event = held.events.get(row.tournament_id)
        if event is None:
            continue
        row.tournament = event
        if (assignment := _seat_match(read, call, row, run, by=by, now=now)) is not None:
            made.append(assignment)
    _notify(held, made, now=now)
    if made and len(made) < len(calls):
        # A player sat down elsewhere in the meantime: fill the freed table.
        queue_fill_after_change(held.room.pk, now=now)
    return made


def _seat_match(
    read: QueueInput, call: Call, row: Pairing, run: QueueRun, *, by: User | None, now: datetime
) -> Assignment | None:
    """Seat a match that the queue has called; None if a player or the table is taken by now."""
    table = read.tables[call.table]
    found = next(each for each in read.room.ready if each.id == call.match)
    reason = find_reason(read.room, found)
    why = {**asdict(reason), "fixed": reason.fixed is not None}
    try:
        with transaction.atomic():
            made = seats.seat_match(row, table, by=by, now=now, why=why, run=run)
            table_play.record_call(row.tournament, row, table=table.label, by=by, now=now)
    except (PlayerBusy, TableBroken, TableTaken):
        return None
    return made


def _notify(held: LockedRoom, made: Collection[Assignment], *, now: datetime) -> None:
    """Notify the pages of all events in the room and of the called players."""
    if not made:
        return
    called = {each.pairing.tournament_id for each in made}
    seats.notify_players(made, now=now)
    if len(held.events) > 1:
        seats.lock_event_topics(event.key for event in held.events.values())
    for pk in sorted(called):
        table_play.broadcast_calls(held.events[pk], now=now)
    seats.notify_events((event.key for pk, event in held.events.items() if pk not in called), now=now)
