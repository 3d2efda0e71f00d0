"""Which match goes to which table: the room as it is in, calls with their reasons out (docs/venue.md).

A function of what it is given and nothing else, so that anyone can compute a call again. Times are seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NewType

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

TableId = NewType("TableId", str)
MatchId = NewType("MatchId", str)
Name = NewType("Name", str)

FREE: Final = "free"
MINUTE: Final = 60
# Fewer are a bye.
LEAST_PLAYERS: Final = 2


@dataclass(frozen=True, slots=True)
class TableNow:
    """A table of the room; only one whose state is free gets a match."""

    id: TableId
    state: str = FREE
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Running:
    """Players who are busy, and the table they play at; None where they play elsewhere."""

    table: TableId | None
    players: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Ready:
    """A match that could begin if it had a table."""

    id: MatchId
    players: tuple[Name, ...]
    since: float
    # How many later matches wait for its result.
    blocks: int = 0
    # The table a director wants it at.
    fixed: TableId | None = None


@dataclass(frozen=True, slots=True)
class RoomNow:
    """All that a call depends on."""

    now: float
    tables: tuple[TableNow, ...]
    running: tuple[Running, ...]
    ready: tuple[Ready, ...]
    # When each player's last match ended; a player who is not there has been free since their match was ready.
    free_since: Mapping[Name, float]


@dataclass(frozen=True, slots=True)
class Reason:
    """What gives a match its place in the order, as values."""

    # The table it is fixed to.
    fixed: TableId | None
    # Who of its players has been free longest, and for how long.
    longest: Name
    minutes: int
    # How many later matches wait for it.
    blocks: int


@dataclass(frozen=True, slots=True)
class Call:
    """A match is called to a table."""

    match: MatchId
    table: TableId
    why: str


def next_calls(room: RoomNow) -> tuple[Call, ...]:
    """Return who is called now, and to which table, in the order of their right to one."""
    free = _free_tables(room)
    busy = {player for match in room.running for player in match.players}
    calls: list[Call] = []
    for match in in_order(room):
        if not free:
            break
        # V2: nobody is in two places, whichever events the two matches belong to.
        if busy.intersection(match.players):
            continue
        table = _table_for(match, free)
        if table is None:
            continue
        free.remove(table)
        busy.update(match.players)
        calls.append(Call(match.id, table, why(room, match)))
    return tuple(calls)


def in_order(room: RoomNow) -> list[Ready]:
    """Return the matches that need a table, by their right to one."""
    # V2: a bye is not played, and holds no table.
    waiting = [match for match in room.ready if len(match.players) >= LEAST_PLAYERS]
    return sorted(waiting, key=lambda match: _right(room, match))


def why(room: RoomNow, match: Ready) -> str:
    """Return what gives a match its place in the order, in words."""
    reasons: list[str] = []
    found = reason(room, match)
    if found.fixed is not None:
        reasons.append(f"fixed to table {found.fixed} by the director")
    reasons.append(f"{found.longest} waited {found.minutes} min")
    if found.blocks:
        others = "1 later match waits" if found.blocks == 1 else f"{found.blocks} later matches wait"
        reasons.append(f"{others} for this match")
    return "; ".join(reasons)


def reason(room: RoomNow, match: Ready) -> Reason:
    """Return the same as values."""
    longest = min(match.players, key=lambda player: (_free_since(room, match, player), player))
    minutes = int(room.now - _free_since(room, match, longest)) // MINUTE
    return Reason(match.fixed, longest, minutes, match.blocks)


def _right(room: RoomNow, match: Ready) -> tuple[object, ...]:
    """Return what the order goes by; the smaller comes first."""
    return (
        match.fixed is None,  # V3
        -match.blocks,  # V4
        # V5: the player longest free, then the others of the match
        sorted(_free_since(room, match, player) for player in match.players),
        min(match.since, room.now),  # V6
        match.id,  # V7
    )


def _free_since(room: RoomNow, match: Ready, player: Name) -> float:
    """Return since when a player has waited; nobody has waited for less than no time."""
    return min(room.free_since.get(player, match.since), room.now)


def _free_tables(room: RoomNow) -> list[TableId]:
    """Return the tables that can be played at, as they are listed (V1)."""
    taken = {match.table for match in room.running}
    return [table.id for table in room.tables if table.state == FREE and table.id not in taken]


def _table_for(match: Ready, free: Iterable[TableId]) -> TableId | None:
    """Return the table a match goes to: the one it is fixed to (V3), else the first."""
    return next((table for table in free if match.fixed in (None, table)), None)
