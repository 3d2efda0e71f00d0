"""The queue of a room: the calls of matches to tables that follow from its state, with their reasons.

A pure function of its input, so that anyone can recompute a call; docs/venue.md has the rules. Times are in
seconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NewType

TableId = NewType("TableId", str)
MatchId = NewType("MatchId", str)
Name = NewType("Name", str)

FREE: Final = "free"
BROKEN: Final = "broken"
# The tag of tables that are shown on stream.
STREAM: Final = "stream"
MINUTE: Final = 60
# The longest time that a match waits because a table is reserved for the stream (V9).
KEPT_FOR: Final = 10 * MINUTE
# A match with fewer is a bye.
LEAST_PLAYERS: Final = 2


@dataclass(frozen=True, slots=True)
class TableNow:
    """A table of the room; only one whose state is free gets a match."""

    id: TableId
    state: str = FREE
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunningMatch:
    """Busy players and their table; None if they play elsewhere."""

    table: TableId | None
    players: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class ReadyMatch:
    """A match that could begin if it had a table."""

    id: MatchId
    players: tuple[Name, ...]
    since: float
    # Number of later matches that depend on its result.
    blocks: int = 0
    # The table a director chose for it.
    fixed: TableId | None = None


@dataclass(frozen=True, slots=True)
class StreamRequest:
    """A match that a director wants on stream; it may not be ready yet."""

    id: MatchId
    # True if everything it waits for is being played.
    soon: bool = False


@dataclass(frozen=True, slots=True)
class RoomNow:
    """The whole input of the queue; as a dict it is what `queue_files.read_room` reads."""

    now: float
    tables: tuple[TableNow, ...]
    running: tuple[RunningMatch, ...]
    ready: tuple[ReadyMatch, ...]
    # When each player's last match ended; a missing player counts from when the match was ready.
    free_since: Mapping[Name, float]
    # The stream queue, in the director's order.
    stream: tuple[StreamRequest, ...] = ()


@dataclass(frozen=True, slots=True)
class Reason:
    """The figures that give a match its place in the order."""

    # The table a director chose for it.
    fixed: TableId | None
    # The player who has been free longest, and for how long; None while no player of it is free.
    longest: Name | None
    minutes: int
    # Number of later matches that depend on it.
    blocks: int
    # True if it only goes to a stream table.
    stream: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    match: MatchId
    table: TableId
    why: str


@dataclass(frozen=True, slots=True)
class ReservedTable:
    table: TableId
    # The match that will be ready soon.
    match: MatchId
    # When the reservation ends; None while no other match could be played there.
    until: float | None

    @property
    def why(self) -> str:
        return f"kept for {self.match}, which is next on stream and about to be ready"


@dataclass(frozen=True, slots=True)
class QueueResult:
    calls: tuple[Call, ...]
    kept: tuple[ReservedTable, ...]


def find_next_calls(room: RoomNow) -> tuple[Call, ...]:
    return compute_result(room).calls


def compute_result(room: RoomNow) -> QueueResult:
    found = _compute_result(room, _list_nearly_ready(room))
    if any(each.until is not None and each.until <= room.now for each in found.kept):
        # V9: a match has waited long enough.
        return _compute_result(room, ())
    return found


def _compute_result(room: RoomNow, coming: Sequence[MatchId]) -> QueueResult:
    """Compute the calls with one free stream table reserved for each of the matches in *coming*."""
    # V1: free tables, in order.
    taken = {match.table for match in room.running}
    free = [table.id for table in room.tables if table.state == FREE and table.id not in taken]
    busy = {player for match in room.running for player in match.players}
    calls: list[Call] = []
    held_up: list[ReadyMatch] = []
    for match in sort_matches(room):
        # V2: a player is at one table at a time, across all events.
        if busy.intersection(match.players):
            continue
        able = _list_tables_for(room, match, free)
        # V9: the first stream tables are reserved.
        reserved = (
            _filter_stream_tables(room, free)[: len(coming)]
            if match.fixed is None and not needs_stream_table(room, match)
            else []
        )
        table = next((one for one in able if one not in reserved), None)
        if table is None:
            if able:
                held_up.append(match)
            continue
        free.remove(table)
        busy.update(match.players)
        calls.append(Call(match.id, table, describe_reason(room, match)))
    waiting = [match for match in held_up if not busy.intersection(match.players)]
    until = min((min(match.since, room.now) + KEPT_FOR for match in waiting), default=None)
    tables = _filter_stream_tables(room, free)
    return QueueResult(
        tuple(calls),
        tuple(ReservedTable(table, match, until) for table, match in zip(tables, coming, strict=False)),
    )


def sort_matches(room: RoomNow) -> list[ReadyMatch]:
    # V2: a bye is not played and takes no table.
    waiting = [match for match in room.ready if len(match.players) >= LEAST_PLAYERS]
    return sorted(waiting, key=lambda match: _build_sort_key(room, match))


def describe_reason(room: RoomNow, match: ReadyMatch) -> str:
    found = find_reason(room, match)
    reasons = ["next on stream"] if found.stream else []
    if found.fixed is not None:
        reasons.append(f"fixed to table {found.fixed} by the director")
    if found.longest is not None:
        reasons.append(f"{found.longest} waited {found.minutes} min")
    if found.blocks:
        others = "1 later match waits" if found.blocks == 1 else f"{found.blocks} later matches wait"
        reasons.append(f"{others} for this match")
    return "; ".join(reasons)


def find_reason(room: RoomNow, match: ReadyMatch) -> Reason:
    """Return the figures that give a match its place in the order."""
    busy = list_busy_players(room, match)
    free = ((_get_free_since(room, match, player), player) for player in match.players if player not in busy)
    since, longest = min(free, default=(room.now, None))
    minutes = int(room.now - since) // MINUTE
    return Reason(match.fixed, longest, minutes, match.blocks, needs_stream_table(room, match))


def list_busy_players(room: RoomNow, match: ReadyMatch) -> tuple[Name, ...]:
    playing = {player for each in room.running for player in each.players}
    return tuple(player for player in match.players if player in playing)


def needs_stream_table(room: RoomNow, match: ReadyMatch) -> bool:
    """True if a match only goes to a stream table (V9)."""
    is_wanted = any(one.id == match.id for one in room.stream)
    # Without a working stream table the stream queue has no effect.
    has_table = any(STREAM in table.tags and table.state != BROKEN for table in room.tables)
    return is_wanted and match.fixed is None and has_table


def _build_sort_key(room: RoomNow, match: ReadyMatch) -> tuple[object, ...]:
    return (
        match.fixed is None,  # V3
        _get_stream_position(room, match),  # V9
        -match.blocks,  # V4
        # V5: the player longest free, then the others of the match
        sorted(_get_free_since(room, match, player) for player in match.players),
        min(match.since, room.now),  # V6
        match.id,  # V7
    )


def _get_free_since(room: RoomNow, match: ReadyMatch, player: Name) -> float:
    """Return the time since which a player is free, at most now."""
    return min(room.free_since.get(player, match.since), room.now)


def _list_tables_for(room: RoomNow, match: ReadyMatch, free: Sequence[TableId]) -> Sequence[TableId]:
    """Return the free tables a match can go to, best first."""
    if match.fixed is not None:  # V3
        return [table for table in free if table == match.fixed]
    of_stream = _filter_stream_tables(room, free)
    if needs_stream_table(room, match):
        return of_stream
    # V9: while matches are wanted on stream, other matches get stream tables last.
    last = of_stream if room.stream else []
    return [*(table for table in free if table not in last), *last]


def _filter_stream_tables(room: RoomNow, free: Iterable[TableId]) -> list[TableId]:
    tagged = {table.id for table in room.tables if STREAM in table.tags}
    return [table for table in free if table in tagged]


def _get_stream_position(room: RoomNow, match: ReadyMatch) -> int:
    """Return the position in the stream queue; after all of it if the match is not in it."""
    if not needs_stream_table(room, match):
        return len(room.stream)
    return next(place for place, one in enumerate(room.stream) if one.id == match.id)


def _list_nearly_ready(room: RoomNow) -> list[MatchId]:
    """Return the stream matches that cannot begin yet, but wait only for matches being played."""
    busy = {player for match in room.running for player in match.players}
    ready = {match.id: match for match in room.ready}
    return [
        one.id
        for one in room.stream
        if (
            needs_stream_table(room, ready[one.id]) and busy.intersection(ready[one.id].players)
            if one.id in ready
            else one.soon
        )
    ]
