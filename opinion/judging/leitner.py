"""Intervals of the deck: S. Leitner's boxes, each with a longer interval than the one before.

Answers are graded by their loss, with the usual error thresholds.
"""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum
from typing import Final

from opinion.judging.formulas import BLUNDER, ERROR

# The first box repeats in the same session; each later one about doubles the interval.
WAITS: Final = (timedelta(minutes=10), *(timedelta(days=days) for days in (1, 3, 7, 16, 35, 90)))
LAST: Final = len(WAITS) - 1


class Grade(StrEnum):
    GOOD = "good"
    ERROR = "error"
    BLUNDER = "blunder"


def grade_loss(loss: float) -> Grade:
    """Return the grade of an answer with this loss.

    >>> grade_loss(0.0199).value, grade_loss(0.02).value, grade_loss(0.08).value
    ('good', 'error', 'blunder')
    """
    if loss >= BLUNDER:
        return Grade.BLUNDER
    return Grade.ERROR if loss >= ERROR else Grade.GOOD


def compute_next_box(box: int, given: Grade) -> int:
    """Return the next box: one up, one down, or the first.

    >>> [compute_next_box(3, given) for given in Grade]
    [4, 2, 0]
    >>> compute_next_box(LAST, Grade.GOOD) == LAST, compute_next_box(0, Grade.ERROR)
    (True, 0)
    """
    match given:
        case Grade.GOOD:
            return min(box + 1, LAST)
        case Grade.ERROR:
            return max(box - 1, 0)
        case Grade.BLUNDER:
            return 0
