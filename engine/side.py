"""The two sides of a match, and a container with one value for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Generic, TypeVar

T = TypeVar("T")
U = TypeVar("U")


class Side(IntEnum):
    """A side in one match: White is the left column of a score sheet, Black the right one.

    >>> Side.WHITE.other
    <Side.BLACK: 1>
    """

    WHITE = 0
    BLACK = 1

    @property
    def other(self) -> Side:
        return Side.BLACK if self is Side.WHITE else Side.WHITE

    @property
    def word(self) -> str:
        """The side's name in JSON and in sentences: ``white`` or ``black``."""
        return "white" if self is Side.WHITE else "black"


WHITE, BLACK = Side.WHITE, Side.BLACK
# By their words, as in JSON.
SIDES = {side.word: side for side in Side}
SIDES_OR_NONE: dict[str | None, Side | None] = {None: None, "white": WHITE, "black": BLACK}


@dataclass(frozen=True, slots=True)
class BySide(Generic[T]):
    """One value for each side.

    >>> score = BySide(3, 5)
    >>> score[Side.BLACK], score.put(Side.WHITE, 4)
    (5, BySide(white=4, black=5))
    """

    white: T
    black: T

    def __getitem__(self, side: Side) -> T:
        return self.white if side is Side.WHITE else self.black

    def __iter__(self) -> Iterator[T]:
        yield self.white
        yield self.black

    def put(self, side: Side, value: T) -> BySide[T]:
        return BySide(value, self.black) if side is Side.WHITE else BySide(self.white, value)

    def map(self, turn: Callable[[T], U]) -> BySide[U]:
        return BySide(turn(self.white), turn(self.black))


def order_by_side(side: Side, own: T, theirs: T) -> BySide[T]:
    """Return *own* as the value of *side*, and *theirs* as the other one."""
    return BySide(own, theirs) if side is Side.WHITE else BySide(theirs, own)
