"""Match durations, when tables become free (P112, P113), and matches behind the pace of others tonight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from heapq import heappop, heappush
from typing import Final

from draw.event import Key, MatchRules

# Measured over many matches: 3.83 games in a match to 5, 5.02 in one to 7, about fifty turns a game.
GAMES_AT_LEAST: Final = 0.855
GAMES_A_POINT: Final = 0.595
TURNS_A_GAME: Final = 50
# Without a clock, the longest match as a multiple of the average; a clock limits it by reserves and delays.
SLOWEST: Final = 1.6
SPREAD: Final = 0.5
PARTS: Final = 4
PART_BITS: Final = 16
# Margins of slow matches: a share of a whole match, and at least so many minutes.
SLOW_SHARE: Final = 0.25
SLOW_MINUTES: Final = 5.0
VERY_SLOW_SHARE: Final = 0.5
VERY_SLOW_MINUTES: Final = 15.0


@dataclass(frozen=True, slots=True)
class Room:
    tables: int = 0  # 0: unlimited
    breaks: tuple[tuple[datetime, datetime], ...] = ()  # no match begins during one; running matches continue
    turnaround: float = 5  # minutes from a result to the next match of its players
    minutes_a_point: float = 8  # on average
    started: Mapping[Key, datetime] = field(default_factory=dict["Key", "datetime"])


def estimate_games(length: int) -> float:
    """Estimate the average number of games in a match of this length."""
    return GAMES_AT_LEAST + GAMES_A_POINT * length


def compute_longest_minutes(rules: MatchRules, room: Room) -> float:
    """Compute the maximum duration in minutes: with two minutes a point and 12 s, about 11 a point."""
    if rules.clock is None:
        return SLOWEST * room.minutes_a_point * rules.length
    delays = estimate_games(rules.length) * TURNS_A_GAME * rules.clock.delay_seconds / 60
    return float(2 * rules.length * rules.clock.minutes_a_point) + delays


def draw_duration(rules: MatchRules, room: Room, word: int) -> timedelta:
    """Draw the duration of a match from 64 random bits: bell-shaped around the average, with a limit."""
    parts = [(word >> (PART_BITS * number)) % (1 << PART_BITS) for number in range(PARTS)]
    minutes = room.minutes_a_point * rules.length * compute_duration_factor(parts)
    return timedelta(minutes=min(minutes, compute_longest_minutes(rules, room)))


def compute_duration_factor(parts: Sequence[int]) -> float:
    """Compute the duration as a multiple of the average, from four random 16-bit numbers."""
    return 1 + SPREAD * (sum(parts) / (1 << PART_BITS) - PARTS / 2)


def compute_allowed_minutes(length: int, minutes_a_point: float, score: Sequence[int] = ()) -> float:
    """Compute the minutes after which a match at tonight's pace should be past this score.

    Without a score, that is the time of a whole match. With one, it is the share that the leader has played plus one game,
    because the progress of the current game is unknown.
    """
    whole = minutes_a_point * length
    if not score:
        return whole
    return min(whole, whole * min(max(score), length) / length + whole / estimate_games(length))


def compute_slow_minute(length: int, minutes_a_point: float, score: Sequence[int] = ()) -> float:
    margin = max(SLOW_MINUTES, SLOW_SHARE * minutes_a_point * length)
    return compute_allowed_minutes(length, minutes_a_point, score) + margin


def compute_very_slow_minute(length: int, minutes_a_point: float, score: Sequence[int] = ()) -> float:
    """Compute the minute from which a director should have a look; never before the match is slow."""
    margin = max(VERY_SLOW_MINUTES, VERY_SLOW_SHARE * minutes_a_point * length)
    return compute_allowed_minutes(length, minutes_a_point, score) + margin


class SimulatedTables:
    """The tables of one simulated day: the first ready match gets the first free table."""

    def __init__(self, room: Room, now: datetime) -> None:
        self.room = room
        self.now = now
        self.free = [now] * room.tables

    def play(self, ready: datetime, duration: timedelta, began: datetime | None = None) -> datetime:
        """Assign a table and return when the match ends. A match that already *began* keeps its table."""
        if began is not None:
            start = began
            if self.free:
                heappop(self.free)
        else:
            start = self._skip_breaks(max(ready, heappop(self.free)) if self.free else ready)
        end = max(start + duration, self.now)
        if self.room.tables:
            heappush(self.free, end)
        return end

    def _skip_breaks(self, start: datetime) -> datetime:
        for begins, ends in sorted(self.room.breaks):
            if begins <= start < ends:
                start = ends
        return start

    def next_ready(self, end: datetime) -> datetime:
        """Return the time from which the players of a match that ended can play again."""
        return end + timedelta(minutes=self.room.turnaround)
