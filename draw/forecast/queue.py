"""When the matches that wait in the queue of a room are likely to get a table, in simulated evenings (P112, P113).

The matches take as long as in the forecast of an event, but here they may be of several events, get their tables in a given
order, and some may only be played at the tables of the stream.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heapreplace
from itertools import compress
from statistics import median_low
from struct import unpack
from typing import TYPE_CHECKING, Final

from draw.forecast.room import PARTS, SLOWEST, bell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draw.chance import Chance

RUNS: Final = 40


@dataclass(frozen=True, slots=True)
class QueueTable:
    """A table, free or with a match; times are minutes from now."""

    is_on_stream: bool
    # The match there: who plays it, since when, and how long it takes on average.
    players: Sequence[str] = ()
    began: float = 0
    average: float = 0


@dataclass(frozen=True, slots=True)
class QueueMatch:
    """A match that waits for a table; times are minutes from now."""

    players: Sequence[str]
    average: float
    needs_stream: bool = False
    # In the order of time; none begins in one of these.
    breaks: Sequence[tuple[float, float]] = ()


def median_starts(
    tables: Sequence[QueueTable], matches: Sequence[QueueMatch], rng: Chance
) -> list[float | None]:
    """Return in how many minutes each match begins, in half of the evenings; None for one that no table is there for."""
    kinds = {table.is_on_stream for table in tables}
    is_playable = [True in kinds or (False in kinds and not match.needs_stream) for match in matches]
    playable = list(compress(matches, is_playable))
    many = PARTS * (len(tables) + len(playable))
    evenings: list[list[float]] = []
    for run in range(RUNS if playable else 0):
        drawn = unpack(f">{many}H", rng.child(str(run)).stream(2 * many))
        shares = [min(bell(drawn[at : at + PARTS]), SLOWEST) for at in range(0, many, PARTS)]
        evenings.append(_starts(tables, playable, shares))
    medians = map(median_low, zip(*evenings, strict=True))
    return [next(medians) if each else None for each in is_playable]


def _starts(
    tables: Sequence[QueueTable], matches: Sequence[QueueMatch], shares: Sequence[float]
) -> list[float]:
    """Play one evening, each match so many times its average, and return when those that wait begin."""
    free: dict[bool, list[float]] = {True: [], False: []}
    ready: dict[str, float] = {}
    for table, share in zip(tables, shares, strict=False):
        over = max(0.0, table.began + share * table.average) if table.players else 0.0
        free[table.is_on_stream].append(over)
        ready.update(dict.fromkeys(table.players, over))
    for each in free.values():
        heapify(each)
    found: list[float] = []
    for match, share in zip(matches, shares[len(tables) :], strict=True):
        choice = [free[True]] if match.needs_stream else [each for each in free.values() if each]
        # Of two tables that are free at the same time, the stream keeps its own.
        first = min(reversed(choice), key=lambda each: each[0])
        start = max(first[0], *(ready.get(player, 0.0) for player in match.players))
        for begins, ends in match.breaks:
            if begins <= start < ends:
                start = ends
        over = start + share * match.average
        heapreplace(first, over)
        ready.update(dict.fromkeys(match.players, over))
        found.append(start)
    return found
