"""An estimate of an event before entries open, by formula: fast enough to show many variants (P119)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Final

from draw.forecast.room import PARTS, SLOWEST, SPREAD, Room

# Standard deviation of a match's duration, as a share of the average (P112).
DEVIATION: Final = SPREAD * sqrt(PARTS / 12)
USUAL: Final = Room()
BELL: Final = NormalDist()


@dataclass(frozen=True, slots=True)
class SketchedRound:
    """Matches played at the same time: number by length, and whether the next round waits for all of them."""

    matches: Mapping[int, int]
    waits: bool = True

    @property
    def tables(self) -> int:
        return sum(self.matches.values())


def count_tables(turns: Sequence[SketchedRound]) -> int:
    """Count the tables that are needed so that no match waits for one."""
    return max((turn.tables for turn in turns), default=0)


def estimate_minutes(turns: Sequence[SketchedRound]) -> float:
    """Estimate the duration, with as many tables as needed."""
    played = [_estimate_round(turn) for turn in turns if turn.tables]
    return sum(played) + USUAL.turnaround * max(0, len(played) - 1)


def _estimate_round(turn: SketchedRound) -> float:
    return max(
        USUAL.minutes_a_point * length * estimate_slowest(matches if turn.waits else 1)
        for length, matches in turn.matches.items()
        if matches
    )


def estimate_slowest(matches: int) -> float:
    """Estimate the duration of the longest of so many matches, as a multiple of the average."""
    rank = (matches - 0.375) / (matches + 0.25)
    return min(SLOWEST, 1 + DEVIATION * BELL.inv_cdf(rank))


def list_rounds_from_lives(lives_left: Iterable[int], until: int) -> Iterator[int]:
    """Yield the number of matches in each round, from the remaining lives of each player (P70).

    Half the players with the same number of lives lose one; an odd one meets a player with a life less.
    """
    left = list(lives_left)
    while len(left) > until and len(left) > 1:
        yield len(left) // 2
        left.sort(reverse=True)
        for loser in range(1, len(left), 2):
            left[loser] -= 1
        left = [one for one in left if one]
