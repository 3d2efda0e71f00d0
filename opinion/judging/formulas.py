"""Formulas for errors, counted decisions and luck, and intervals of the deck; docs/opinion.md has the sources.

The intervals are S. Leitner's boxes, each with a longer interval than the one before. Answers are graded by
their loss, with the usual error thresholds.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from enum import StrEnum
from typing import Final

from engine.dice import ROLLS, Dice
from opinion.judging.decisions import CubeAction, Decision, Kind
from opinion.judging.oracle import CubeWorth

# Smaller errors count as none (the threshold of R. Hall and XG).
SAME: Final = 0.0005
# eXtreme Gammon's thresholds, inclusive.
ERROR: Final = 0.020
BLUNDER: Final = 0.080
# "No double" only counts if it was close: XG's window, as documented by blunderDB.
CLOSE: Final = 0.200
THROWS: Final = sum(roll.weight for roll in ROLLS)
SINGLES: Final = tuple(number for number, roll in enumerate(ROLLS) if not roll.is_double)
# The first box repeats in the same session; each later one about doubles the interval.
WAITS: Final = (timedelta(minutes=10), *(timedelta(days=days) for days in (1, 3, 7, 16, 35, 90)))
LAST: Final = len(WAITS) - 1


def compute_loss(done: str, worth: CubeWorth) -> float:
    """Return the equity loss of a cube action.

    Answers to a double are compared between the take's equity and the 1 point that a drop costs.
    """
    match done:
        case CubeAction.NO_DOUBLE:
            return worth.best - worth.no_double
        case CubeAction.DOUBLE:
            return worth.best - worth.double
        case CubeAction.TAKE:
            return max(0.0, worth.take - 1.0)
        case _:
            return max(0.0, 1.0 - worth.take)


def is_counted(decision: Decision, error: float, worth: CubeWorth | None) -> bool:
    """True if the decision is in the denominator of the PR.

    These are each play with a choice, each double, take and pass, and "no double" if it was close or wrong.
    """
    if worth is None:
        return decision.is_play_with_a_choice
    if decision.kind is Kind.TAKE or decision.done == CubeAction.DOUBLE or error > 0:
        return True
    return worth.no_double > 0 and worth.no_double - worth.double < CLOSE


def compute_luck(rolls: Sequence[float], dice: Dice) -> float:
    """Return the luck of a roll: its equity minus the mean of all 36.

    *rolls* are the equities of the 21 rolls, played best.

    >>> from engine.dice import Dice
    >>> compute_luck([0.5 if roll == Dice(6, 6) else 0.0 for roll in ROLLS], Dice(6, 6)) == 0.5 - 0.5 / 36
    True
    """
    mean = sum(roll.weight * worth for roll, worth in zip(ROLLS, rolls, strict=True)) / THROWS
    return rolls[ROLLS.index(dice)] - mean


def compute_opening_luck(mine: Sequence[float], theirs: Sequence[float], dice: Dice) -> float:
    """Return the luck of the winner of the opening roll; half of the rolls let the opponent begin."""
    mean = sum(mine[number] - theirs[number] for number in SINGLES) / (2 * len(SINGLES))
    return mine[ROLLS.index(dice)] - mean


def classify_error(decision: Decision, worth: CubeWorth | None, error: float) -> str:
    """Return the kind of an error: the phase of the game for plays, or the wrong cube action; "": none."""
    if error <= 0:
        return ""
    if worth is None:
        return decision.part.value
    match decision.done:
        case CubeAction.NO_DOUBLE:
            return "missed double"
        case CubeAction.DOUBLE:
            return "wrong double"
        case CubeAction.TAKE:
            return "wrong take"
        case _:
            return "wrong pass"


def find_best_action(decision: Decision, worth: CubeWorth) -> str:
    if decision.kind is Kind.TAKE:
        return (CubeAction.TAKE if worth.take <= 1.0 else CubeAction.DROP).value
    return (CubeAction.DOUBLE if worth.double > worth.no_double else CubeAction.NO_DOUBLE).value


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
