"""How long matches take, and when a table is free (P112, P113)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from draw.event import Key, MatchRules

# Measured over many matches: 3.83 games in a match to 5, 5.02 in one to 7, about fifty turns a game.
GAMES_AT_LEAST: Final = 0.855
GAMES_A_POINT: Final = 0.595
TURNS_A_GAME: Final = 50
# Without a clock nothing ends a slow match; with one, nothing exceeds both reserves and every delay.
SLOWEST: Final = 1.6
SPREAD: Final = 0.5
PARTS: Final = 4
PART_BITS: Final = 16


@dataclass(frozen=True, slots=True)
class Room:
    """What the play has to fit into."""

    tables: int = 0  # 0: as many as are wanted
    breaks: tuple[tuple[datetime, datetime], ...] = ()  # no match begins in one; those that run go on
    turnaround: float = 5  # minutes from a result to the next match of its players
    minutes_a_point: float = 8  # on average
    started: Mapping[Key, datetime] = field(default_factory=dict["Key", "datetime"])


def estimate_games(length: int) -> float:
    """Return how many games a match of this length has, on average."""
    return GAMES_AT_LEAST + GAMES_A_POINT * length


def limit_minutes(rules: MatchRules, room: Room) -> float:
    """Return how many minutes a match takes at most: with two minutes a point and 12 s, about 11 a point."""
    if rules.clock is None:
        return SLOWEST * room.minutes_a_point * rules.length
    delays = estimate_games(rules.length) * TURNS_A_GAME * rules.clock.delay_seconds / 60
    return float(2 * rules.length * rules.clock.minutes_a_point) + delays


def draw_duration(rules: MatchRules, room: Room, word: int) -> timedelta:
    """Return how long a match takes, given 64 random bits: bell-shaped around the average, never too long."""
    parts = [(word >> (PART_BITS * number)) % (1 << PART_BITS) for number in range(PARTS)]
    minutes = room.minutes_a_point * rules.length * scale_duration(parts)
    return timedelta(minutes=min(minutes, limit_minutes(rules, room)))


def scale_duration(parts: Sequence[int]) -> float:
    """Return how many times the average a match takes, from four random numbers of 16 bits: mostly about once."""
    return 1 + SPREAD * (sum(parts) / (1 << PART_BITS) - PARTS / 2)


class Floor:
    """The tables of one simulated day: the first match that is ready gets the first table that is free."""

    def __init__(self, room: Room, now: datetime) -> None:
        self.room = room
        self.now = now
        self.free = [now] * room.tables
        heapify(self.free)

    def play(self, ready: datetime, duration: timedelta, began: datetime | None = None) -> datetime:
        """Give a match its table and return when it ends; one that *began* already keeps its place."""
        if began is not None:
            start = began
            if self.free:
                heappop(self.free)
        else:
            start = self._after_breaks(max(ready, heappop(self.free)) if self.free else ready)
        end = max(start + duration, self.now)
        if self.room.tables:
            heappush(self.free, end)
        return end

    def _after_breaks(self, start: datetime) -> datetime:
        for begins, ends in sorted(self.room.breaks):
            if begins <= start < ends:
                start = ends
        return start

    def next_ready(self, end: datetime) -> datetime:
        """Return when its players can play again."""
        return end + timedelta(minutes=self.room.turnaround)
