"""The queue's input for a room: waiting matches, busy players, and since when each player is free.

It is read with every call, so the queries return columns, not model instances.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any, NamedTuple

from django.db.models import Case, Exists, Max, OuterRef, Q, QuerySet, When

from tournaments.base import formats
from tournaments.models import Entry, Pairing, PairingState
from tournaments.status import Status
from venue.calls import stream_queue
from venue.models import Assignment, CallMode, Chair, EventRoom, Room, Table
from venue.queue import MatchId, Name, ReadyMatch, RoomNow, RunningMatch, StreamRequest, TableId, TableNow


class OpenMatch(NamedTuple):
    pk: int
    event: int
    event_key: str
    key: str
    length: int
    opened_at: datetime
    match_id: int | None
    running: Mapping[str, object]
    players: tuple[int, int]
    names: tuple[Name, Name]
    # True if it is played by appointment: its players are called by hand alone.
    by_appointment: bool
    # True if it has a table, in this room or another.
    sits: bool

    @property
    def id(self) -> MatchId:
        return MatchId(f"{self.event_key}/{self.key}")


@dataclass(frozen=True, slots=True)
class QueueInput:
    room: RoomNow
    waiting: Mapping[MatchId, OpenMatch]
    tables: Mapping[TableId, Table]
    # The call modes of all running events of the room.
    modes: frozenset[str]


def has_waiting_matches(room_id: int) -> bool:
    """True if an open match of the room waits for a call: not at a table, under way, adjourned or by appointment."""
    is_waiting = Q(running={}) | Q(running__has_key="waits")
    rows = _query_open(room_id).filter(is_waiting, ~formats.query_over_days("stage"), match__isnull=True)
    return any(not sits for *_columns, sits in rows)


def load_queue_input(
    room: Room, *, now: datetime, modes: Collection[CallMode], but: Collection[int] = ()
) -> QueueInput:
    """Read the room with the matches of events in these call modes, except the events in *but*."""
    uses = list(_query_events(room.pk).values_list("event_id", "mode"))
    events = {event for event, mode in uses if mode in modes and event not in but}
    tables = {TableId(table.key): table for table in room.tables.order_by("position")}
    open_matches = list(_list_open(room))
    rows = [row for row in open_matches if row.event in events]
    free = {row.id: row for row in rows if _waits(row)}
    blocked = _count_blocked(room)
    busy = {(row.event, row.key) for row in rows if row.sits or is_under_way(row)}
    return QueueInput(
        RoomNow(
            now=now.timestamp(),
            tables=tuple(
                TableNow(key, table.state, tuple(map(str, table.tags))) for key, table in tables.items()
            ),
            running=tuple(_list_running(room, open_matches)),
            ready=tuple(
                ReadyMatch(key, row.names, row.opened_at.timestamp(), blocked.get((row.event, row.key), 0))
                for key, row in free.items()
            ),
            free_since=_compute_free_since(room, events, free.values()),
            stream=tuple(_list_stream(room, events, busy=busy)),
        ),
        free,
        tables,
        frozenset(mode for _event, mode in uses),
    )


def load_pairings(found: Iterable[OpenMatch]) -> dict[MatchId, Pairing]:
    ids = {row.pk: row.id for row in found}
    rows = Pairing.objects.filter(pk__in=ids).select_related("tournament", "a__player", "b__player")
    return {ids[row.pk]: row for row in rows}


def get_match_id(row: Pairing) -> MatchId:
    return MatchId(f"{row.tournament.key}/{row.key}")


def is_under_way(row: Pairing | OpenMatch) -> bool:
    """True if the match is played without a call: on an online board, or with a score kept.

    One that has lost its table waits for another.
    """
    is_kept = bool(row.running) and "waits" not in row.running
    return row.match_id is not None or (is_kept and not is_adjourned(row))


def _waits(row: OpenMatch) -> bool:
    return not (row.sits or row.by_appointment or is_under_way(row) or is_adjourned(row))


def is_adjourned(row: Pairing | OpenMatch) -> bool:
    """True if the match is adjourned: it needs no table, and its players are free."""
    return "adjourned" in row.running


def _list_open(room: Room) -> Iterator[OpenMatch]:
    for *columns, a, a_key, b, b_key, by_appointment, sits in _query_open(room.pk):
        yield OpenMatch._make((*columns, (a, b), (Name(a_key), Name(b_key)), by_appointment, sits))


def _list_running(room: Room, rows: Sequence[OpenMatch]) -> Iterator[RunningMatch]:
    """Yield the busy players: at a table of this room, at another, or at an online board."""
    ours = {player for row in rows for player in row.players}
    found: dict[int, list[Name]] = defaultdict(list)
    tables: dict[int, TableId | None] = {}
    for assignment, of_room, table, player, name in _query_taken_chairs(room.pk):
        if of_room == room.pk or player in ours:
            found[assignment].append(Name(name))
            tables[assignment] = TableId(table) if of_room == room.pk else None
    for assignment, players in found.items():
        yield RunningMatch(tables[assignment], tuple(players))
    for row in rows:
        if not row.sits and is_under_way(row):
            yield RunningMatch(None, row.names)


def _count_blocked(room: Room) -> dict[tuple[int, str], int]:
    """Count the matches that depend on each place, directly or indirectly."""
    after: dict[tuple[int, str], list[tuple[int, str]]] = defaultdict(list)
    upcoming = Pairing.objects.filter(
        tournament__in=_query_events(room.pk).values("event"), state=PairingState.WAITING
    )
    for event, key, a, b in upcoming.order_by().values_list("tournament_id", "key", "a_key", "b_key"):
        for source in {a, b} - {""}:
            after[event, source].append((event, key))
    bits = {place: 1 << number for number, place in enumerate(set(chain(*after.values())))}
    # Bit sets of the places that depend on each place, so that shared ones are counted once.
    known: dict[tuple[int, str], int] = {}
    seen: set[tuple[int, str]] = set()
    todo = list(after)
    while todo:
        place = todo[-1]
        if place not in seen:
            seen.add(place)
            todo += [one for one in after.get(place, ()) if one not in seen]
            continue
        todo.pop()
        known[place] = 0
        for one in after.get(place, ()):
            known[place] |= bits[one] | known[one]
    return {place: known[place].bit_count() for place in after}


def _list_stream(
    room: Room, events: Collection[int], *, busy: Collection[tuple[int, str]]
) -> Iterable[StreamRequest]:
    """Yield the stream queue of the room; a match is `soon` if all it waits for is being played."""
    wanted = [row.pairing for row in stream_queue.list_streamed(room) if row.pairing.tournament_id in events]
    sources = {
        (row.tournament_id, key)
        for row in wanted
        if row.state == PairingState.WAITING
        for key in (row.a_key, row.b_key)
    }
    known = Pairing.objects.filter(tournament__in=events, key__in={key for _event, key in sources if key})
    to_come = set(
        known.filter(state__in=(PairingState.WAITING, PairingState.READY)).values_list("tournament_id", "key")
        if sources
        else ()
    )
    for row in wanted:
        # Each empty seat needs a known source match.
        seats = [
            (row.tournament_id, key)
            for seat, key in ((row.a_id, row.a_key), (row.b_id, row.b_key))
            if not seat
        ]
        soon = all(place in to_come and place in busy for place in seats)
        yield StreamRequest(get_match_id(row), soon and bool(seats) and row.state == PairingState.WAITING)


def _compute_free_since(
    room: Room, events: Collection[int], waiting: Iterable[OpenMatch]
) -> dict[Name, float]:
    """Return when the last match of each waiting player ended, in these events or at any table."""
    names = {player: name for row in waiting for player, name in zip(row.players, row.names, strict=True)}
    ended = [
        (player, at)
        for side in ("a__player_id", "b__player_id")
        for event, player, at in _query_ended(room.pk, side)
        if event in events
    ]
    chairs = Chair.objects.filter(
        player__in=_query_entrants(room.pk), ended_at__isnull=False, assignment__started_at__isnull=False
    )
    left = chairs.order_by().values_list("player_id").annotate(Max("ended_at"))
    found: dict[Name, float] = {}
    for player, at in chain(ended, left):
        if player in names:
            found[names[player]] = max(at.timestamp(), found.get(names[player], 0.0))
    return dict(sorted(found.items()))


def _query_events(room: int) -> QuerySet[EventRoom]:
    # A paused event makes no calls.
    return EventRoom.objects.filter(room=room, event__status=Status.RUNNING, event__paused_at__isnull=True)


def _query_entrants(room: int) -> QuerySet[Entry, Any]:
    return Entry.objects.filter(tournament__in=_query_events(room).values("event")).values("player")


def _query_open(room: int) -> QuerySet[Pairing, Any]:
    rows = Pairing.objects.filter(
        tournament__in=_query_events(room).values("event"), state=PairingState.READY, opened_at__isnull=False
    )
    at_table = Assignment.objects.filter(pairing=OuterRef("pk"), ended_at__isnull=True)
    return (
        rows.annotate(
            sits=Exists(at_table),
            by_appointment=Case(When(formats.query_over_days("stage"), then=True), default=False),
        )
        .order_by("tournament_id", "position")
        .values_list(
            "pk", "tournament_id", "tournament__key", "key", "length", "opened_at", "match_id", "running",
            "a__player_id", "a__player__key", "b__player_id", "b__player__key", "by_appointment", "sits",
        )
    )  # fmt: skip


def _query_taken_chairs(room: int) -> QuerySet[Chair, Any]:
    rows = Chair.objects.filter(
        Q(assignment__table__room=room) | Q(player__in=_query_entrants(room)), ended_at__isnull=True
    )
    return rows.order_by("assignment_id", "pk").values_list(
        "assignment_id", "assignment__table__room_id", "assignment__table__key", "player_id", "player__key"
    )


def _query_ended(room: int, player: str) -> QuerySet[Pairing, Any]:
    rows = Pairing.objects.filter(
        tournament__in=_query_events(room).values("event"),
        decided_at__isnull=False,
        **{f"{player}__isnull": False},
    )
    return rows.order_by().values_list("tournament_id", player).annotate(Max("decided_at"))
