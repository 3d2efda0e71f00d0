"""The announced shape of a sheet: its side brackets, and how losers are routed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from draw.brackets import notation
from draw.brackets.notation import LETTERS, Drop, Notation


class Routing(StrEnum):
    """The ways of assigning losers to places (P24)."""

    AUTO = "auto"  # slots if the draw is full, a table has them and no title match follows; else masks
    SLOTS = "slots"  # optimised places; droppers may meet each other
    MASKS = "masks"  # the survivor plays the dropper, crossed over by an exclusive or
    NATURAL = "natural"  # straight across: for comparison only


class Shape(StrEnum):
    """Shapes of side brackets with a name; all others are written in the notation."""

    PROGRESSIVE = "progressive"  # every loser of the main draw but the finalist
    FIRST_ROUND = "first round"  # the losers of the first round only
    FIRST_MATCH = "first match"  # losers of their first played match
    DOUBLE = "double"  # every loser, and the winner plays for the title
    THIRD_PLACE = "third place"  # the losers of the semi-finals
    FULL = "full"  # every loser of the side bracket before this one, but its finalist
    TO_QUARTERS = "feed-in to quarter-finals"  # the losers before the semi-finals
    TO_SIXTEEN = "feed-in to last sixteen"  # the losers before the quarter-finals


# The last main round that drops, counted from the final = 0.
DROPS_UNTIL = {Shape.PROGRESSIVE: 1, Shape.TO_QUARTERS: 2, Shape.TO_SIXTEEN: 3, Shape.DOUBLE: 0}


@dataclass(frozen=True, slots=True)
class SideBracket:
    """A side bracket by name; its shape is a `Shape` or a notation."""

    name: str
    shape: str


@dataclass(frozen=True, slots=True)
class Sheet:
    sides: tuple[SideBracket, ...] = ()
    recharge: bool = False
    routing: Routing = Routing.AUTO


def build_notation(
    shape: str, main: Mapping[str, int], before: Mapping[str, int] | None, slots: Mapping[str, int]
) -> Notation | None:
    """Build the notation of a side bracket; None if it would have no players.

    *main* and *before* are the losers of each round in the main draw and in the side bracket before this one; *slots* are
    the times of all these rounds.
    """
    try:
        word = Shape(shape)
    except ValueError:
        return notation.parse_notation(shape)
    names = sorted(main, key=LETTERS.index)
    match word:
        case Shape.PROGRESSIVE | Shape.TO_QUARTERS | Shape.TO_SIXTEEN | Shape.DOUBLE:
            dropping = names[: len(names) - DROPS_UNTIL[word]]
            chosen = {letter: main[letter] for letter in dropping}
            return notation.build_standard(chosen, rejoins=word is Shape.DOUBLE) if chosen else None
        case Shape.FIRST_ROUND | Shape.FIRST_MATCH:
            count = main[names[0]]
            first = (Drop(names[0], first=word is Shape.FIRST_MATCH),)
            return Notation((first, *((),) * (count.bit_length() - 2))) if count > 1 else None
        case Shape.THIRD_PLACE:
            return Notation(((Drop(names[-2]),),)) if len(names) > 1 else None
        case _:  # full
            if before is None:
                return None
            dropping = sorted(before, key=LETTERS.index)[:-1]
            return notation.find_shortest({letter: before[letter] for letter in dropping}, slots)
