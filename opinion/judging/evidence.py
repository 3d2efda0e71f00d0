"""Comparison of a player's share of best plays with that of players of about the same rating.

Strong players find most of an engine's plays, and two engines agree in four plays of five: a high share by
itself is not significant. So it comes with the base rate of similarly rated players, and the number of them
with as high a share: evidence, no verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import hypot, sqrt
from typing import Final

from opinion.judging.figures import LEAST_COUNTED, SURE, Totals

# Number of players compared with: those with the nearest ratings.
NEAREST: Final = 10
DIGITS: Final = 4


@dataclass(frozen=True, slots=True)
class Share:
    """Number of plays as good as the engine's best, out of a total."""

    found: int = 0
    of: int = 0

    def __add__(self, other: Share) -> Share:
        return Share(self.found + other.found, self.of + other.of)

    @property
    def rate(self) -> float | None:
        """The share; None for too few plays."""
        return round(self.found / self.of, DIGITS) if self.of >= LEAST_COUNTED else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share (Wilson's score interval).

        >>> Share(70, 100).interval
        (0.6041, 0.7811)
        >>> Share(0, 0).interval
        (0.0, 1.0)
        """
        if not self.of:
            return 0.0, 1.0
        share, square = self.found / self.of, SURE * SURE
        middle = share + square / (2 * self.of)
        spread = SURE * sqrt((share * (1 - share) + square / (4 * self.of)) / self.of)
        whole = 1 + square / self.of
        return (
            max(0.0, round((middle - spread) / whole, DIGITS)),
            min(1.0, round((middle + spread) / whole, DIGITS)),
        )


@dataclass(frozen=True, slots=True)
class PlayRecord:
    """Sums of a player, and their share of best plays."""

    share: Share = field(default_factory=Share)
    totals: Totals = field(default_factory=Totals)
    matches: int = 0

    def __add__(self, other: PlayRecord) -> PlayRecord:
        return PlayRecord(self.share + other.share, self.totals + other.totals, self.matches + other.matches)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A player and the similarly rated others."""

    own: PlayRecord
    others: PlayRecord
    # The number of others, and of those with at least as large a share.
    number: int
    as_many: int
    # The lowest and the highest rating of the others; None if the player has no rating.
    ratings: tuple[float, float] | None

    @property
    def difference(self) -> tuple[float, float, float] | None:
        """The player's share minus the base rate, and the interval of the difference (Newcombe, Wilson).

        None for too few plays.
        """
        mine, base = self.own.share, self.others.share
        if mine.rate is None or base.rate is None:
            return None
        low, high = mine.interval
        base_low, base_high = base.interval
        between = mine.found / mine.of - base.found / base.of
        down = hypot(mine.found / mine.of - low, base_high - base.found / base.of)
        up = hypot(high - mine.found / mine.of, base.found / base.of - base_low)
        return (
            round(between, DIGITS),
            max(-1.0, round(between - down, DIGITS)),
            min(1.0, round(between + up, DIGITS)),
        )


def compare(player: int, records: Mapping[int, PlayRecord], ratings: Mapping[int, float]) -> Comparison:
    """Compare a player with the others whose ratings are nearest; with all if the player has no rating.

    Others with too few plays are left out.
    """
    known = {
        one: record for one, record in records.items() if one != player and record.share.rate is not None
    }
    chosen = find_nearest(player, known, ratings)
    own = records.get(player, PlayRecord())
    others = sum((known[one] for one in chosen), PlayRecord())
    mine = own.share.rate
    as_many = 0 if mine is None else sum(1 for one in chosen if (known[one].share.rate or 0.0) >= mine)
    rated = [ratings[one] for one in chosen] if player in ratings else []
    return Comparison(own, others, len(chosen), as_many, (min(rated), max(rated)) if rated else None)


def find_nearest(player: int, others: Iterable[int], ratings: Mapping[int, float]) -> tuple[int, ...]:
    """Return the others with the nearest ratings; all of them if the player has no rating."""
    mine = ratings.get(player)
    if mine is None:
        return tuple(sorted(others))
    rated = [one for one in others if one in ratings]
    return tuple(sorted(rated, key=lambda one: (abs(ratings[one] - mine), one))[:NEAREST])
