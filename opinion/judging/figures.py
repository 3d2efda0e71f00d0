"""A side's figures over any number of decisions and matches: sums that are added, and what is divided at the end."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from math import sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from opinion.judging.formulas import BLUNDER, ERROR

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from opinion.judging.passes import Judged

# PR is the mean error in thousandths, halved.
PER_PR: Final = 500
# Below that, and from 1 ply, no PR is published: it would say nothing of a player.
LEAST_COUNTED: Final = 50
LEAST_LEVEL: Final = 2
# Of a normal distribution 95 in a hundred.
SURE: Final = 1.96
DIGITS: Final = 2


class Label(NamedTuple):
    """A word for a PR, and up to which it stands (Janowski 2014)."""

    most: float
    code: str


LABELS: Final = (
    Label(4.0, "grandmaster"),
    Label(6.0, "master"),
    Label(10.0, "advanced"),
    Label(17.5, "intermediate"),
    Label(float("inf"), "beginner"),
)


@dataclass(frozen=True, slots=True)
class Totals:
    """One side's sums; those of two matches may be added, never their quotients.

    >>> (Totals(counted=30, error=0.3) + Totals(counted=30, error=0.9)).pr
    10.0
    """

    counted: int = 0
    error: float = 0.0
    # The sum of the squares, for the interval.
    squares: float = 0.0
    # What the errors cost of the match's chance (or points), and what the dice gave.
    cost: float = 0.0
    luck: float = 0.0
    luck_cost: float = 0.0
    plays: int = 0
    errors: int = 0
    blunders: int = 0

    def __add__(self, other: Totals) -> Totals:
        return Totals(*(getattr(self, name) + getattr(other, name) for name in NAMES))

    @property
    def pr(self) -> float | None:
        """Performance rating: 500 times the mean error of the decisions that count; None where none does."""
        return round(PER_PR * self.error / self.counted, DIGITS) if self.counted else None

    @property
    def interval(self) -> float | None:
        """How far the PR of so few decisions may lie from the player's: half of the 95 % interval."""
        if self.counted < 2:
            return None
        mean = self.error / self.counted
        variance = max(0.0, (self.squares - self.counted * mean * mean) / (self.counted - 1))
        return round(SURE * PER_PR * sqrt(variance / self.counted), DIGITS)

    def published(self, level: int) -> float | None:
        """Return the PR if it may be published."""
        return None if why_no_pr(self, level) else self.pr


NAMES: Final = tuple(each.name for each in fields(Totals))


def why_no_pr(totals: Totals, level: int) -> str:
    """Return why a PR is not published: ``level``, ``counted``, or "" if it is."""
    if level < LEAST_LEVEL:
        return "level"
    return "counted" if totals.counted < LEAST_COUNTED else ""


def label(pr: float) -> str:
    """Return the word for a PR.

    >>> label(3.9), label(4.0), label(4.1), label(30.0)
    ('grandmaster', 'grandmaster', 'master', 'beginner')
    """
    return next(each.code for each in LABELS if pr <= each.most)


@dataclass(frozen=True, slots=True)
class ByFault:
    """How many errors of one kind a side made, and what they came to."""

    number: int = 0
    error: float = 0.0


@dataclass(frozen=True, slots=True)
class SideFigures:
    """One side of one match, or of many: its sums, and its errors by kind."""

    totals: Totals = field(default_factory=Totals)
    by_fault: Mapping[str, ByFault] = field(default_factory=dict[str, ByFault])


class Line(NamedTuple):
    """What one decision adds to a side's figures."""

    error: float
    cost: float
    counted: bool
    fault: str
    luck: float | None
    luck_cost: float | None
    is_play: bool


def line_of(each: Judged) -> Line:
    """Return what a decision adds."""
    is_play = each.decision.is_play_with_a_choice
    return Line(each.error, each.cost, each.counted, each.fault, each.luck, each.luck_cost, is_play)


def figures(lines: Iterable[Line]) -> SideFigures:
    """Return what a side's decisions come to."""
    totals, by_fault = Totals(), dict[str, ByFault]()
    for each in lines:
        totals += Totals(
            counted=int(each.counted),
            error=each.error,
            squares=each.error * each.error if each.counted else 0.0,
            cost=each.cost,
            luck=each.luck or 0.0,
            luck_cost=each.luck_cost or 0.0,
            plays=int(each.is_play),
            errors=int(each.error >= ERROR),
            blunders=int(each.error >= BLUNDER),
        )
        if each.fault:
            before = by_fault.get(each.fault, ByFault())
            by_fault[each.fault] = ByFault(before.number + 1, round(before.error + each.error, 4))
    return SideFigures(totals, by_fault)


def luck_adjusted(won: float, mine: Totals, theirs: Totals) -> float:
    """Return a result without its dice: what was won of the match's chance, less one's luck, and the other's added."""
    return round(won - mine.luck_cost + theirs.luck_cost, 4)
