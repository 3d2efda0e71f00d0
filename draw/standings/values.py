"""What a tie-break is, and what it says of a player."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from draw.standings.cards import Table


@dataclass(frozen=True, slots=True)
class Part:
    """One addend: which round it comes from, and whether it was cut."""

    round: int
    value: Fraction
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """A player's value, more being better, and what it is the sum of."""

    value: Fraction
    parts: tuple[Part, ...] = ()


# Given the table and those who are still tied. None: this cannot tell these apart.
Measure = Callable[[Table, tuple[str, ...]], Mapping[str, Figure] | None]


@dataclass(frozen=True, slots=True)
class TieBreak:
    """One line of the published list."""

    title: str
    explanation: str
    measure: Measure
    # Asked again of those it has left tied, as long as that separates anybody.
    repeats: bool = False
    # Those who are still tied after this one stay tied.
    ends: bool = False


def add_parts(parts: list[Part]) -> Figure:
    """Add up what was not cut."""
    return Figure(sum((part.value for part in parts if not part.is_cut), Fraction(0)), tuple(parts))
