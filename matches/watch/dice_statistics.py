"""Statistics of all dice of the site or a club: counts, expected counts, tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product, zip_longest
from typing import Final

from django.db.models import Count, Sum

from matches.models import DiceTally
from matches.state import dice_probabilities
from matches.state.dice_probabilities import Fit
from players.models import Club

FACES: Final = range(1, 7)
THROWS: Final = tuple(product(FACES, FACES))
# Higher die first.
ROLLS: Final = tuple((high, low) for high, low in THROWS if high >= low)
ROLL_WEIGHTS: Final = tuple(1 if high == low else 2 for high, low in ROLLS)
LABELS: Final = ("strict", "sealed", "weaker")


@dataclass(frozen=True, slots=True)
class Cell:
    dice: tuple[int, ...]
    count: int
    expected: float


@dataclass(frozen=True, slots=True)
class Spread:
    count: int
    doubles: Cell
    faces: tuple[Cell, ...]
    throws: tuple[Cell, ...]
    rolls: tuple[Cell, ...]
    throws_fit: Fit | None
    rolls_fit: Fit | None


@dataclass(frozen=True, slots=True)
class Run:
    """The number of runs of at least *least* doubles; runs do not cross matches."""

    least: int
    count: int
    expected: float


@dataclass(frozen=True, slots=True)
class DiceStatistics:
    matches: int
    labels: dict[str, int]
    turns: Spread
    openings: Spread
    runs: tuple[Run, ...]
    longest_run: int
    longest_run_expected: float


def compute_statistics(club: Club | None = None) -> DiceStatistics:
    """Return the statistics of all ended matches, void ones included; optionally of one club."""
    tallies = DiceTally.objects.filter(match__club=club) if club else DiceTally.objects.all()
    totals = tallies.aggregate(matches=Count("pk"), **{label: Sum(label, default=0) for label in LABELS})
    turns, openings, runs, lengths = [0] * 36, [0] * 36, [0], []
    for throws, opened, ran in tallies.values_list("throws", "openings", "runs").iterator(chunk_size=2_000):
        turns = _add_counts(turns, throws)
        openings = _add_counts(openings, opened)
        runs = _add_counts(runs, ran)
        lengths.append(sum(throws) + sum(opened))
    return DiceStatistics(
        totals["matches"],
        {label: totals[label] for label in LABELS},
        compute_spread(turns),
        compute_spread(openings),
        tuple(_list_runs(runs, lengths)),
        max((length for length, count in enumerate(runs, 1) if count), default=0),
        dice_probabilities.compute_expected_longest(lengths),
    )


def _add_counts(one: Sequence[int], other: Sequence[int]) -> list[int]:
    return [a + b for a, b in zip_longest(one, other, fillvalue=0)]


def compute_spread(throws: Sequence[int]) -> Spread:
    total = sum(throws)
    counted = dict(zip(THROWS, throws, strict=True))
    rolls = [counted[high, low] + (counted[low, high] if high != low else 0) for high, low in ROLLS]
    faces = [sum(count * throw.count(face) for throw, count in counted.items()) for face in FACES]
    even = [1] * len(throws)
    return Spread(
        total,
        Cell((), sum(counted[face, face] for face in FACES), total * dice_probabilities.DOUBLES),
        _build_cells([(face,) for face in FACES], faces, [1] * len(FACES)),
        _build_cells(THROWS, throws, even),
        _build_cells(ROLLS, rolls, ROLL_WEIGHTS),
        dice_probabilities.compute_fit(throws, even),
        dice_probabilities.compute_fit(rolls, ROLL_WEIGHTS),
    )


def _build_cells(
    dice: Iterable[tuple[int, ...]], counts: Sequence[int], weights: Sequence[int]
) -> tuple[Cell, ...]:
    wanted = dice_probabilities.compute_expected(sum(counts), weights)
    return tuple(Cell(*each) for each in zip(dice, counts, wanted, strict=True))


def _list_runs(runs: Sequence[int], lengths: Sequence[int]) -> Iterable[Run]:
    for least in range(1, len(runs) + 1):
        yield Run(least, sum(runs[least - 1 :]), dice_probabilities.compute_expected_runs(lengths, least))
