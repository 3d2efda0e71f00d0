"""Statistics of a side over decisions and matches: sums that can be added, and their quotients."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from math import sqrt
from typing import Final, NamedTuple

from opinion.judging.formulas import BLUNDER, ERROR
from opinion.judging.passes import JudgedDecision

# The PR is the mean error in thousandths, halved.
PER_PR: Final = 500
# With fewer decisions or plies no PR is published, because it would not be significant.
LEAST_COUNTED: Final = 50
LEAST_LEVEL: Final = 2
# Two-sided 95 % quantile of the normal distribution.
SURE: Final = 1.96
DIGITS: Final = 2


class Label(NamedTuple):
    """A skill label and its largest PR (Janowski 2014)."""

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
    """One side's sums; sums of matches can be added, quotients cannot.

    >>> (Totals(counted=30, error=0.3) + Totals(counted=30, error=0.9)).pr
    10.0
    """

    counted: int = 0
    error: float = 0.0
    # Sum of squared errors, for the interval.
    squares: float = 0.0
    # Errors in match winning chance (or points); luck in equity, and in match winning chance (or points).
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
        """Performance rating: 500 times the mean error of counted decisions; None without any."""
        return round(PER_PR * self.error / self.counted, DIGITS) if self.counted else None

    @property
    def interval(self) -> float | None:
        """Half width of the PR's 95 % interval; None under two decisions."""
        if self.counted < 2:
            return None
        mean = self.error / self.counted
        variance = max(0.0, (self.squares - self.counted * mean * mean) / (self.counted - 1))
        return round(SURE * PER_PR * sqrt(variance / self.counted), DIGITS)

    def published(self, level: int) -> float | None:
        """Return the PR; None if it may not be published."""
        return None if explain_no_pr(self, level) else self.pr


NAMES: Final = tuple(each.name for each in fields(Totals))


def explain_no_pr(totals: Totals, level: int) -> str:
    """Return why a PR is not published: ``level``, ``counted``, or "" if it is."""
    if level < LEAST_LEVEL:
        return "level"
    return "counted" if totals.counted < LEAST_COUNTED else ""


def find_label(pr: float) -> str:
    """Return the skill label of a PR.

    >>> find_label(3.9), find_label(4.0), find_label(4.1), find_label(30.0)
    ('grandmaster', 'grandmaster', 'master', 'beginner')
    """
    return next(each.code for each in LABELS if pr <= each.most)


@dataclass(frozen=True, slots=True)
class ByFault:
    number: int = 0
    error: float = 0.0

    def __add__(self, other: ByFault) -> ByFault:
        return ByFault(self.number + other.number, self.error + other.error)


@dataclass(frozen=True, slots=True)
class SideFigures:
    """Sums of one side over matches, with errors by kind."""

    totals: Totals = field(default_factory=Totals)
    by_fault: Mapping[str, ByFault] = field(default_factory=dict[str, ByFault])


class Line(NamedTuple):
    error: float
    cost: float
    counted: bool
    fault: str
    luck: float | None
    luck_cost: float | None
    is_play: bool


def build_line(each: JudgedDecision) -> Line:
    is_play = each.decision.is_play_with_a_choice
    return Line(each.error, each.cost, each.counted, each.fault, each.luck, each.luck_cost, is_play)


def compute_figures(lines: Iterable[Line]) -> SideFigures:
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


def adjust_for_luck(won: float, mine: Totals, theirs: Totals) -> float:
    """Return a result without luck: the match winning chance *won*, minus own luck, plus the opponent's."""
    return round(won - mine.luck_cost + theirs.luck_cost, 4)
