"""When a card of the deck comes again: boxes after S. Leitner, each of which waits longer than the one before.

An answer is graded by what it gives away, with the two words that errors have everywhere here.
"""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum
from typing import Final

from opinion.judging.formulas import BLUNDER, ERROR

# A card in the first comes again in the same sitting; from then on each waits about twice as long.
WAITS: Final = (
    timedelta(minutes=10),
    *(timedelta(days=days) for days in (1, 3, 7, 16, 35, 90)),
)
LAST: Final = len(WAITS) - 1


class Grade(StrEnum):
    """How good an answer was."""

    GOOD = "good"
    ERROR = "error"
    BLUNDER = "blunder"


def grade(loss: float) -> Grade:
    """Return the word for an answer that gives away so much.

    >>> grade(0.0199).value, grade(0.02).value, grade(0.08).value
    ('good', 'error', 'blunder')
    """
    if loss >= BLUNDER:
        return Grade.BLUNDER
    return Grade.ERROR if loss >= ERROR else Grade.GOOD


def next_box(box: int, given: Grade) -> int:
    """Return the box after an answer: one on, one back, or back to the first.

    >>> [next_box(3, given) for given in Grade], next_box(LAST, Grade.GOOD) == LAST, next_box(0, Grade.ERROR)
    ([4, 2, 0], True, 0)
    """
    match given:
        case Grade.GOOD:
            return min(box + 1, LAST)
        case Grade.ERROR:
            return max(box - 1, 0)
        case Grade.BLUNDER:
            return 0
