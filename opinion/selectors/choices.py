"""What may be answered about a position by itself, and what an answer gives away. None of it is stored."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final

from opinion.judging.decisions import Done
from opinion.judging.formulas import given_away
from opinion.judging.positions import Question
from opinion.selectors.analyses import DIGITS

if TYPE_CHECKING:
    from opinion.selectors.positions import AnswerView, PositionView

CUBE: Final = {
    Question.DOUBLE: (Done.NO_DOUBLE.value, Done.DOUBLE.value),
    Question.TAKE: (Done.TAKE.value, Done.DROP.value),
}


def of(found: PositionView) -> tuple[str, ...]:
    """Return what may be chosen where the answer is known; plays in an order that says nothing."""
    if found.answer is None:
        return ()
    if found.answer.cube is not None:
        return CUBE.get(found.question, ())
    plays = [each.play for each in found.answer.plays]
    return tuple(sorted(plays, key=lambda play: sha256(f"{found.xgid} {play}".encode()).digest()))


def loss(answer: AnswerView, choice: str) -> float | None:
    """Return what a choice gives away, of the cube's value; None for a play that was looked at less deeply than the best."""
    if answer.cube is not None:
        return round(given_away(Done(choice), answer.cube), DIGITS)
    return next(each.behind for each in answer.plays if each.play == choice)
