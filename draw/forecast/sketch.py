"""What an event comes to before anybody has entered, by formula: so quick that a page may ask for many (P119)."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

from draw.forecast.room import PARTS, SLOWEST, SPREAD, Room

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

# How long a match takes varies by this share of the average (P112): the sum of some uniform parts.
DEVIATION: Final = SPREAD * sqrt(PARTS / 12)
USUAL: Final = Room()
BELL: Final = NormalDist()


@dataclass(frozen=True, slots=True)
class SketchedRound:
    """What is played at the same time: how many matches of which length, and whether the next wait for all of them."""

    matches: Mapping[int, int]
    waits: bool = True

    @property
    def tables(self) -> int:
        """How many tables it needs."""
        return sum(self.matches.values())


def count_tables(turns: Sequence[SketchedRound]) -> int:
    """Return how many tables are needed for nobody to wait for one."""
    return max((turn.tables for turn in turns), default=0)


def estimate_minutes(turns: Sequence[SketchedRound], room: Room = USUAL) -> float:
    """Return about how many minutes it takes, with as many tables as it needs."""
    played = [_estimate_round(turn, room) for turn in turns if turn.tables]
    return sum(played) + room.turnaround * max(0, len(played) - 1)


def _estimate_round(turn: SketchedRound, room: Room) -> float:
    return max(
        room.minutes_a_point * length * estimate_slowest(matches if turn.waits else 1)
        for length, matches in turn.matches.items()
        if matches
    )


def estimate_slowest(matches: int) -> float:
    """Return how many times the average the longest of so many matches takes."""
    rank = (matches - 0.375) / (matches + 0.25)
    return min(SLOWEST, 1 + DEVIATION * BELL.inv_cdf(rank))


def list_lives_rounds(entrants: int, each: int, until: int = 1) -> Iterator[int]:
    """Yield how many matches the rounds of an event have in which so many losses put you out (P70).

    Half of those with as many lives left lose one; where the number is odd, one meets somebody with a life less.
    """
    yield from list_rounds_from_lives([each] * entrants, until)


def list_rounds_from_lives(lives_left: Iterable[int], until: int = 1) -> Iterator[int]:
    """Yield the same for those who have so many lives left."""
    left = list(lives_left)
    while len(left) > until and len(left) > 1:
        yield len(left) // 2
        left.sort(reverse=True)
        for loser in range(1, len(left), 2):
            left[loser] -= 1
        left = [one for one in left if one]
