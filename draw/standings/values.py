"""The type of a tie-break, and its figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from draw.standings.cards import Table


@dataclass(frozen=True, slots=True)
class Part:
    """One addend: its round, and whether it was cut."""

    round: int
    value: Fraction
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """A player's value (more is better), and its addends."""

    value: Fraction
    parts: tuple[Part, ...] = ()


# Measures players who are still tied. None: the tie-break is undefined for them.
Measure = Callable[[Table, tuple[str, ...]], Mapping[str, Figure] | None]


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A tie-break, as the list of an event publishes it."""

    title: str
    explanation: str
    measure: Measure
    # Applied again to players still tied, as long as that separates some.
    repeats: bool = False
    # Players still tied after this one stay tied.
    ends: bool = False


def add_parts(parts: list[Part]) -> Figure:
    """Add up the parts that were not cut."""
    return Figure(sum((part.value for part in parts if not part.is_cut), Fraction(0)), tuple(parts))
