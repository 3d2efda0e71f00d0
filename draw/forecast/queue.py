"""A simulation of when the matches in a room's queue get a table (P112, P113).

Durations are drawn as in the forecast of an event. The matches may belong to several events, are given tables in the order of the
queue, and some can only be played at a table with a stream.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heapreplace
from itertools import compress
from statistics import median_low
from struct import unpack
from typing import Final

from draw.forecast.room import PARTS, SLOWEST, compute_duration_factor
from draw.random_stream import RandomStream

RUNS: Final = 40


@dataclass(frozen=True, slots=True)
class QueueTable:
    """A table, free or with a match; times are minutes from now."""

    is_on_stream: bool
    # The match at the table: its players, its start, and its average duration.
    players: Sequence[str] = ()
    began: float = 0
    average: float = 0


@dataclass(frozen=True, slots=True)
class QueueMatch:
    """A match that waits for a table; times are minutes from now."""

    players: Sequence[str]
    average: float
    needs_stream: bool = False
    # Sorted by time; the match does not begin during one of them.
    breaks: Sequence[tuple[float, float]] = ()


def estimate_starts(
    tables: Sequence[QueueTable], matches: Sequence[QueueMatch], rng: RandomStream
) -> list[float | None]:
    """Estimate the median number of minutes until each match begins; None if no table suits it."""
    kinds = {table.is_on_stream for table in tables}
    is_playable = [True in kinds or (False in kinds and not match.needs_stream) for match in matches]
    playable = list(compress(matches, is_playable))
    many = PARTS * (len(tables) + len(playable))
    evenings: list[list[float]] = []
    for run in range(RUNS if playable else 0):
        drawn = unpack(f">{many}H", rng.child(str(run)).stream(2 * many))
        shares = [
            min(compute_duration_factor(drawn[at : at + PARTS]), SLOWEST) for at in range(0, many, PARTS)
        ]
        evenings.append(_simulate_starts(tables, playable, shares))
    medians = map(median_low, zip(*evenings, strict=True))
    return [next(medians) if each else None for each in is_playable]


def _simulate_starts(
    tables: Sequence[QueueTable], matches: Sequence[QueueMatch], shares: Sequence[float]
) -> list[float]:
    """Simulate one evening and return when the waiting matches begin.

    *shares* are the durations of all matches, as multiples of their averages.
    """
    # When each table is free. If two are free at the same time, the ordinary one is taken.
    ordinary: list[float] = []
    streaming: list[float] = []
    ready: dict[str, float] = {}
    for table, share in zip(tables, shares, strict=False):
        over = max(0.0, table.began + share * table.average) if table.players else 0.0
        (streaming if table.is_on_stream else ordinary).append(over)
        ready.update(dict.fromkeys(table.players, over))
    heapify(ordinary)
    heapify(streaming)
    found: list[float] = []
    for match, share in zip(matches, shares[len(tables) :], strict=True):
        choice = [streaming] if match.needs_stream else [each for each in (ordinary, streaming) if each]
        tables_free = min(choice, key=lambda each: each[0])
        start = max([tables_free[0], *(ready.get(player, 0.0) for player in match.players)])
        for begins, ends in match.breaks:
            if begins <= start < ends:
                start = ends
        over = start + share * match.average
        heapreplace(tables_free, over)
        ready.update(dict.fromkeys(match.players, over))
        found.append(start)
    return found
