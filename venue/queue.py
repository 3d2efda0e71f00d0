"""Which match goes to which table: the room as it is in, calls with their reasons out (docs/venue.md).

A function of what it is given and nothing else, so that anyone can compute a call again. Times are seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NewType

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

TableId = NewType("TableId", str)
MatchId = NewType("MatchId", str)
Name = NewType("Name", str)

FREE: Final = "free"
BROKEN: Final = "broken"
# What a table is tagged with that the stream shows.
STREAM: Final = "stream"
MINUTE: Final = 60
# For so long somebody who could play waits at most while a table is kept for the stream (V9).
KEPT_FOR: Final = 10 * MINUTE
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
class OnStream:
    """A match that a director wants on stream; it may not be ready yet."""

    id: MatchId
    # Whether everything it waits for is being played.
    soon: bool = False


@dataclass(frozen=True, slots=True)
class RoomNow:
    """All that a call depends on."""

    now: float
    tables: tuple[TableNow, ...]
    running: tuple[Running, ...]
    ready: tuple[Ready, ...]
    # When each player's last match ended; a player who is not there has been free since their match was ready.
    free_since: Mapping[Name, float]
    # What is wanted on stream, in the order of the director.
    stream: tuple[OnStream, ...] = ()


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
    # Whether it goes to a table of the stream, and to no other.
    stream: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """A match is called to a table."""

    match: MatchId
    table: TableId
    why: str


@dataclass(frozen=True, slots=True)
class Kept:
    """A free table that is kept for the stream."""

    table: TableId
    # The match that is about to be ready.
    match: MatchId
    # When it is kept no longer; None while nobody waits who could play there.
    until: float | None

    @property
    def why(self) -> str:
        """Return why it is kept, in words."""
        return f"kept for {self.match}, which is next on stream and about to be ready"


@dataclass(frozen=True, slots=True)
class Answer:
    """Who is called now, and which tables are kept."""

    calls: tuple[Call, ...]
    kept: tuple[Kept, ...]


def next_calls(room: RoomNow) -> tuple[Call, ...]:
    """Return who is called now, and to which table, in the order of their right to one."""
    return answer(room).calls


def answer(room: RoomNow) -> Answer:
    """Return who is called now, and which tables stay free for the stream."""
    found = _answer(room, _about_to_be_ready(room))
    if any(each.until is not None and each.until <= room.now for each in found.kept):
        # V9: somebody has waited for long enough.
        return _answer(room, ())
    return found


def _answer(room: RoomNow, coming: Sequence[MatchId]) -> Answer:
    """Return who is called where a free table of the stream is kept for each of the matches that are coming."""
    free = _free_tables(room)
    busy = {player for match in room.running for player in match.players}
    calls: list[Call] = []
    held_up: list[Ready] = []
    for match in in_order(room):
        # V2: nobody is in two places, whichever events the two matches belong to.
        if busy.intersection(match.players):
            continue
        able = _tables_for(room, match, free)
        # V9: of the tables for the stream the first are kept.
        kept = (
            _of_stream(room, free)[: len(coming)]
            if match.fixed is None and not on_stream(room, match)
            else []
        )
        table = next((one for one in able if one not in kept), None)
        if table is None:
            if able:
                held_up.append(match)
            continue
        free.remove(table)
        busy.update(match.players)
        calls.append(Call(match.id, table, why(room, match)))
    waiting = [match for match in held_up if not busy.intersection(match.players)]
    until = min((min(match.since, room.now) + KEPT_FOR for match in waiting), default=None)
    tables = _of_stream(room, free)
    return Answer(
        tuple(calls), tuple(Kept(table, match, until) for table, match in zip(tables, coming, strict=False))
    )


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
    if found.stream:
        reasons.insert(0, "next on stream")
    if found.blocks:
        others = "1 later match waits" if found.blocks == 1 else f"{found.blocks} later matches wait"
        reasons.append(f"{others} for this match")
    return "; ".join(reasons)


def reason(room: RoomNow, match: Ready) -> Reason:
    """Return the same as values."""
    longest = min(match.players, key=lambda player: (_free_since(room, match, player), player))
    minutes = int(room.now - _free_since(room, match, longest)) // MINUTE
    return Reason(match.fixed, longest, minutes, match.blocks, on_stream(room, match))


def on_stream(room: RoomNow, match: Ready) -> bool:
    """Say whether a match goes to a table of the stream and to no other (V9)."""
    is_wanted = any(one.id == match.id for one in room.stream)
    return is_wanted and match.fixed is None and _has_stream(room)


def _right(room: RoomNow, match: Ready) -> tuple[object, ...]:
    """Return what the order goes by; the smaller comes first."""
    return (
        match.fixed is None,  # V3
        _place_on_stream(room, match),  # V9
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


def _tables_for(room: RoomNow, match: Ready, free: Sequence[TableId]) -> Sequence[TableId]:
    """Return the free tables a match can go to, the best first."""
    if match.fixed is not None:  # V3
        return [table for table in free if table == match.fixed]
    of_stream = _of_stream(room, free)
    if on_stream(room, match):
        return of_stream
    # V9: while anything is wanted on stream, its tables are given to others last.
    last = of_stream if room.stream else []
    return [*(table for table in free if table not in last), *last]


def _has_stream(room: RoomNow) -> bool:
    """Say whether a table of the stream is in order; where none is, what is wanted there is played as all else."""
    return any(STREAM in table.tags and table.state != BROKEN for table in room.tables)


def _of_stream(room: RoomNow, free: Iterable[TableId]) -> list[TableId]:
    tagged = {table.id for table in room.tables if STREAM in table.tags}
    return [table for table in free if table in tagged]


def _place_on_stream(room: RoomNow, match: Ready) -> int:
    """Return its place in the queue of the stream; behind all of it where it is not wanted there."""
    if not on_stream(room, match):
        return len(room.stream)
    return next(place for place, one in enumerate(room.stream) if one.id == match.id)


def _about_to_be_ready(room: RoomNow) -> list[MatchId]:
    """Return what is wanted on stream and cannot begin, but waits only for what is being played."""
    busy = {player for match in room.running for player in match.players}
    ready = {match.id: match for match in room.ready}
    return [
        one.id
        for one in room.stream
        if (
            on_stream(room, ready[one.id]) and busy.intersection(ready[one.id].players)
            if one.id in ready
            else one.soon
        )
    ]
