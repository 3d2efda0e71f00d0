"""The statistics of dice as plain values, and what they look like for the schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from runtime.http.strict_fields import StrictFields

if TYPE_CHECKING:
    from matches.state.chance import Fit
    from matches.watch.dice_statistics import Cell, DiceStatistics, Spread
    from players.models import Club

Shape = StrictFields
PLACES = 3


class CountShape(Shape):
    """How often something came, and how often it should have."""

    count = serializers.IntegerField()
    expected = serializers.FloatField()


class CellShape(CountShape):
    """The same of one face, throw or roll."""

    dice = serializers.ListField(child=serializers.IntegerField(min_value=1, max_value=6))


class FitShape(Shape):
    """A chi-square test; `p` is how often fair dice would stray as far or further."""

    chi_square = serializers.FloatField()
    df = serializers.IntegerField(help_text="Degrees of freedom.")
    p = serializers.FloatField()


class SpreadShape(Shape):
    """What came of so many throws."""

    count = serializers.IntegerField()
    doubles = CountShape()
    faces = CellShape(many=True)
    throws = CellShape(many=True, help_text="The 36 throws, the dice in the order thrown.")
    rolls = CellShape(many=True, help_text="The 21 rolls, the higher die first.")
    throws_fit = FitShape(allow_null=True, help_text="Over the 36 throws; null where there are too few yet.")
    rolls_fit = FitShape(allow_null=True, help_text="Over the 21 rolls; null where there are too few yet.")


class RunShape(CountShape):
    """Runs of doubles in a row, in one match each."""

    at_least = serializers.IntegerField(help_text="So many doubles in a row, or more.")


class LabelsShape(Shape):
    """How the rolls were made: see `docs/dice.md`."""

    strict = serializers.IntegerField()
    sealed = serializers.IntegerField()
    weaker = serializers.IntegerField()


@extend_schema_serializer(many=False)
class DiceShape(Shape):
    """All dice of the matches that are over."""

    club = serializers.CharField(allow_null=True)
    matches = serializers.IntegerField()
    rolls = serializers.IntegerField()
    labels = LabelsShape()
    turns = SpreadShape(help_text="The rolls of one player.")
    openings = SpreadShape(help_text="Opening rolls, one die each, white's first; ties included.")
    runs = RunShape(many=True)
    longest_run = serializers.IntegerField(help_text="The most doubles in a row.")
    longest_run_expected = serializers.FloatField()


def told(found: DiceStatistics, club: Club | None) -> dict[str, Any]:
    """Return the statistics as plain values."""
    return {
        "club": club.slug if club else None,
        "matches": found.matches,
        "rolls": found.turns.count + found.openings.count,
        "labels": found.labels,
        "turns": _spread(found.turns),
        "openings": _spread(found.openings),
        "runs": [
            {"at_least": run.least, "count": run.count, "expected": round(run.expected, PLACES)}
            for run in found.runs
        ],
        "longest_run": found.longest_run,
        "longest_run_expected": round(found.longest_run_expected, PLACES),
    }


def _spread(found: Spread) -> dict[str, Any]:
    return {
        "count": found.count,
        "doubles": _count(found.doubles),
        "faces": [_cell(cell) for cell in found.faces],
        "throws": [_cell(cell) for cell in found.throws],
        "rolls": [_cell(cell) for cell in found.rolls],
        "throws_fit": _fit(found.throws_fit),
        "rolls_fit": _fit(found.rolls_fit),
    }


def _count(cell: Cell) -> dict[str, Any]:
    return {"count": cell.count, "expected": round(cell.expected, PLACES)}


def _cell(cell: Cell) -> dict[str, Any]:
    return {"dice": list(cell.dice), **_count(cell)}


def _fit(found: Fit | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {"chi_square": round(found.chi_square, PLACES), "df": found.df, "p": round(found.p, 6)}
