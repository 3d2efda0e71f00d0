"""A player's play beside that of others of about the same rating: shares, and how far each may be off. Evidence, and no verdict.

Strong players find most of what an engine plays, and two engines agree in four plays of five: a high share by itself says
nothing. So beside it stands the base rate, the share of those who are rated alike, and how many of them find as many.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import hypot, sqrt
from typing import TYPE_CHECKING, Final

from opinion.judging.figures import LEAST_COUNTED, SURE, Totals

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# So many of the others, those whose ratings are nearest.
NEAREST: Final = 10
DIGITS: Final = 4


@dataclass(frozen=True, slots=True)
class Share:
    """How many plays of so many were as good as the engine's best."""

    found: int = 0
    of: int = 0

    def __add__(self, other: Share) -> Share:
        return Share(self.found + other.found, self.of + other.of)

    @property
    def rate(self) -> float | None:
        """The share; None where there were too few plays to say anything."""
        return round(self.found / self.of, DIGITS) if self.of >= LEAST_COUNTED else None

    @property
    def interval(self) -> tuple[float, float]:
        """Where the share of such a player lies, 95 % (Wilson's score interval).

        >>> Share(70, 100).interval
        (0.6042, 0.7811)
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
    """What somebody's decisions come to, and how many of their plays were the engine's."""

    share: Share = field(default_factory=Share)
    totals: Totals = field(default_factory=Totals)
    matches: int = 0

    def __add__(self, other: PlayRecord) -> PlayRecord:
        return PlayRecord(self.share + other.share, self.totals + other.totals, self.matches + other.matches)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One player, and those who are rated about alike."""

    own: PlayRecord
    others: PlayRecord
    # So many they are; and so many of them find as large a share, or a larger one.
    number: int
    as_many: int

    @property
    def difference(self) -> tuple[float, float, float] | None:
        """How much larger the own share is than the base rate, and the interval of that (Newcombe's, from both of Wilson's)."""
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
    """Return a player beside those of the others whose ratings are nearest; beside all where the player is not rated.

    Of whom there are too few plays to say anything is left out.
    """
    known = {
        one: record for one, record in records.items() if one != player and record.share.rate is not None
    }
    chosen = nearest(player, known, ratings)
    own = records.get(player, PlayRecord())
    others = sum((known[one] for one in chosen), PlayRecord())
    mine = own.share.rate
    as_many = 0 if mine is None else sum(1 for one in chosen if (known[one].share.rate or 0.0) >= mine)
    return Comparison(own, others, len(chosen), as_many)


def nearest(player: int, others: Iterable[int], ratings: Mapping[int, float]) -> tuple[int, ...]:
    """Return the others whose ratings are nearest to the player's; all of them where it has none."""
    mine = ratings.get(player)
    if mine is None:
        return tuple(sorted(others))
    rated = [one for one in others if one in ratings]
    return tuple(sorted(rated, key=lambda one: (abs(ratings[one] - mine), one))[:NEAREST])
