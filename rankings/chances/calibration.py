"""Calibration of a rating list: the expectancies in its ledger compared with the results.

A ledger entry has the expectancy of its player by the ratings just before the match. So nothing else is
stored, and corrections, voids and rebuilds need no extra work. A match counts once, from the side of the
favourite.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.db.models import Avg, Case, Count, F, FloatField, Q, QuerySet, Value, When

from rankings.ledger import rated_matches
from rankings.models import LedgerEntry, RatingList

# A list predicts in public after this many results with a Brier score below that of a constant one half.
ENOUGH: Final = 200
GOOD: Final = 0.25
# Only this many of the latest matches count: players and lists change.
MOST: Final = 5_000
# From an even match to a certain one, in steps of five per cent.
BINS: Final = 10
# Not a cast: PostgreSQL cannot cast a boolean to a float.
ONE_IF_WON: Final = Case(When(won=True, then=Value(1.0)), default=Value(0.0), output_field=FloatField())


@dataclass(frozen=True, slots=True)
class Score:
    """The quality of a list's predictions; the Brier score is the mean of (expected - 1 or 0) squared."""

    matches: int
    brier: float | None

    @property
    def is_good(self) -> bool:
        """True if the list may predict in public."""
        return self.matches >= ENOUGH and self.brier is not None and self.brier < GOOD


@dataclass(frozen=True, slots=True)
class Bin:
    """Matches with about the same expectancy: the favourites' mean expectancy and the share they won."""

    low: int
    high: int
    matches: int
    expected: float
    won: float

    @property
    def expected_percent(self) -> float:
        return 100 * self.expected

    @property
    def won_percent(self) -> float:
        return 100 * self.won


@dataclass(frozen=True, slots=True)
class Calibration:
    """The score of a list, and its predictions against results by bin."""

    score: Score
    bins: tuple[Bin, ...]

    @property
    def missing(self) -> int:
        """The number of results still needed before the list may predict."""
        return max(0, ENOUGH - self.score.matches)


def score_predictions(rating_list: RatingList) -> Score:
    """Score the predictions for the latest matches."""
    rows = _list_favourites(rating_list).annotate(one=ONE_IF_WON)
    found = rows[:MOST].aggregate(
        matches=Count("pk"), brier=Avg((F("expectancy") - F("one")) * (F("expectancy") - F("one")))
    )
    return Score(found["matches"], found["brier"])


def load_calibration(rating_list: RatingList) -> Calibration:
    """Score the predictions for the latest matches, and sort them into bins."""
    rows = _list_favourites(rating_list).values_list("expectancy", "won")[:MOST]
    return Calibration(score_predictions(rating_list), tuple(_build_bins(rows)))


def _list_favourites(rating_list: RatingList) -> QuerySet[LedgerEntry]:
    """Return the favourites' entries, one for each match, the latest first; of equals a is the favourite."""
    is_favourite = Q(expectancy__gt=0.5) | Q(expectancy=0.5, is_a=True)
    return rated_matches.list_entries(rating_list).filter(is_favourite).order_by("-at", "-match")


def _build_bins(rows: Iterable[tuple[float, bool]]) -> Iterable[Bin]:
    found: dict[int, list[tuple[float, bool]]] = {}
    for expected, won in rows:
        found.setdefault(min(int(2 * BINS * (expected - 0.5)), BINS - 1), []).append((expected, won))
    for number, some in sorted(found.items()):
        low = 50 + number * 50 // BINS
        size = len(some)
        yield Bin(
            low,
            low + 50 // BINS,
            size,
            sum(expected for expected, _ in some) / size,
            sum(won for _, won in some) / size,
        )
