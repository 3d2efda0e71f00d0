"""The statistics of dice as the API tells them."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from runtime.http.answers import Answer, about

PLACES = 3


def about_expected() -> Any:
    """Declare how often something should have come."""
    return about(source=lambda found: round(found.expected, PLACES))


class Count(Answer):
    """How often something came, and how often it should have."""

    count: int
    expected: float = about_expected()


class Cell(Answer):
    """The same of one face, throw or roll."""

    dice: list[int] = about(
        described=serializers.ListField(child=serializers.IntegerField(min_value=1, max_value=6))
    )
    count: int
    expected: float = about_expected()


class Fit(Answer):
    """A chi-square test; `p` is how often fair dice would stray as far or further."""

    chi_square: float = about(source=lambda found: round(found.chi_square, PLACES))
    df: int = about("Degrees of freedom.")
    p: float = about(source=lambda found: round(found.p, 6))


class Spread(Answer):
    """What came of so many throws."""

    count: int
    doubles: Count
    faces: list[Cell]
    throws: list[Cell] = about("The 36 throws, the dice in the order thrown.")
    rolls: list[Cell] = about("The 21 rolls, the higher die first.")
    throws_fit: Fit | None = about("Over the 36 throws; null where there are too few yet.")
    rolls_fit: Fit | None = about("Over the 21 rolls; null where there are too few yet.")


class Run(Answer):
    """Runs of doubles in a row, in one match each."""

    at_least: int = about("So many doubles in a row, or more.", source="least")
    count: int
    expected: float = about_expected()


class Labels(Answer):
    """How the rolls were made: see `docs/dice.md`."""

    strict: int
    sealed: int
    weaker: int


@extend_schema_serializer(many=False)
class Dice(Answer):
    """All dice of the matches that are over."""

    club: str | None
    matches: int
    rolls: int = about(source=lambda found: found.turns.count + found.openings.count)
    labels: Labels = about(source=lambda found: Labels(**found.labels))
    turns: Spread = about("The rolls of one player.")
    openings: Spread = about("Opening rolls, one die each, white's first; ties included.")
    runs: list[Run]
    longest_run: int = about("The most doubles in a row.")
    longest_run_expected: float = about(source=lambda found: round(found.longest_run_expected, PLACES))
