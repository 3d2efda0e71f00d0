"""The board: the position of both sides' checkers, and nothing else.

Each side numbers the points in its own direction: from 24 down to 1, with the bar as 25 and 0 for checkers
borne off (R04, R05). White's point p is Black's 25 - p. A board is immutable, comparable and hashable, and
has a text form::

    >>> STANDARD.text()
    'white 24:2 13:5 8:3 6:5 black 24:2 13:5 8:3 6:5'
    >>> Board.parse(STANDARD.text()) == STANDARD
    True
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import mul
from typing import Final, NamedTuple

from engine import packed
from engine.errors import Impossible, Unreadable
from engine.side import BLACK, WHITE, Side, order_by_side

OFF, BAR = 0, 25


class Step(NamedTuple):
    """A move of one checker to a lower point, in the mover's numbering: 25 is the bar, 0 is off (R05, R17).

    >>> str(Step(25, 22)), str(Step(4, 0))
    ('bar/22', '4/off')
    """

    source: int
    target: int

    def __str__(self) -> str:
        return f"{format_point(self.source)}/{format_point(self.target)}"


def format_point(point: int) -> str:
    """Return ``bar``, ``off`` or the number."""
    return "bar" if point == BAR else "off" if point == OFF else str(point)


CHECKERS: Final = 15
HOME: Final = 6


@dataclass(frozen=True, slots=True, repr=False)
class Board:
    """Both sides' checkers.

    Create a board with `from_counts`, `from_numbers` or `parse`, which validate their arguments.

    >>> board = Board.from_counts({6: 2, 4: 1}, {25: 1, 1: 14})
    >>> board.count(Side.WHITE, 6), board.off(Side.WHITE), board.bar(Side.BLACK), board.pips(Side.BLACK)
    (2, 12, 1, 39)
    """

    # White's view; see engine.packed.
    position: int

    @classmethod
    def from_counts(
        cls, white: Mapping[int, int], black: Mapping[int, int], checkers: int = CHECKERS
    ) -> Board:
        """Build a board from the counts on each side's points; missing checkers are off."""
        sides = [_complete_counts(given, checkers) for given in (white, black)]
        shared = next((p for p in range(1, 25) if sides[0][p] and sides[1][BAR - p]), None)
        if shared is not None:  # R07
            raise Impossible("bad-position", f"Both sides stand on white's {shared} point.", point=shared)
        if sides[0][OFF] == checkers == sides[1][OFF]:
            raise Impossible("bad-position", "Both sides have borne off everything.")
        return cls(packed.pack_counts(*sides))

    @classmethod
    def from_numbers(cls, numbers: Sequence[int], side: Side, checkers: int = CHECKERS) -> Board:
        """Build a board from 26 numbers as *side* sees it: its own positive, the opponent's negative.

        Index 25 is its own bar, index 0 the opponent's (negative); missing checkers are off.
        """
        if len(numbers) != packed.SIZE or numbers[OFF] > 0 or numbers[BAR] < 0:
            raise Impossible("bad-position", "A board is 26 numbers with the bars at the ends.")
        mine = {point: number for point, number in enumerate(numbers) if number > 0}
        theirs = {BAR - point: -number for point, number in enumerate(numbers) if number < 0}
        white, black = order_by_side(side, mine, theirs)
        return cls.from_counts(white, black, checkers)

    @classmethod
    def from_letters(cls, letters: str, side: Side, checkers: int = CHECKERS) -> Board:
        """Parse the output of `result_text`."""
        numbers = [0 if one == "-" else ord(one) - 64 if one < "a" else 96 - ord(one) for one in letters]
        return cls.from_numbers(numbers, side, checkers)

    @classmethod
    def seen(cls, position: int, side: Side) -> Board:
        return cls(position if side is WHITE else packed.mirror_position(position))

    @classmethod
    def parse(cls, text: str) -> Board:
        """Parse the output of `text`.

        >>> Board.parse("white bar:1 6:2 black 24:2 off:1").checkers
        3
        """
        words = text.split()
        try:
            middle = words.index("black")
            if words[0] != "white":
                raise ValueError(words[0])
            white, black = _read_points(words[1:middle]), _read_points(words[middle + 1 :])
        except (ValueError, IndexError) as error:
            raise Unreadable("bad-position", f"{text!r} is no board.", text=text) from error
        checkers = sum(white.values())
        if checkers != sum(black.values()):
            raise Impossible("bad-position", "The two sides do not have the same number of checkers.")
        return cls.from_counts(white, black, checkers)

    def text(self) -> str:
        """Return the board on one line, each side's checkers from the bar down to those off."""
        return f"white {_format_counts(self.points(WHITE))} black {_format_counts(self.points(BLACK))}"

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"Board.parse({self.text()!r})"

    def seen_by(self, side: Side) -> int:
        """Return the packed position from *side*'s point of view (see `engine.packed`)."""
        return self.position if side is WHITE else packed.mirror_position(self.position)

    def points(self, side: Side) -> tuple[int, ...]:
        """Return *side*'s 26 counts, from the checkers off to those on the bar."""
        return packed.list_counts(self.seen_by(side))

    def count(self, side: Side, point: int) -> int:
        return self.points(side)[point]

    def off(self, side: Side) -> int:
        return self.count(side, OFF)

    def bar(self, side: Side) -> int:
        return self.count(side, BAR)

    def pips(self, side: Side) -> int:
        return sum(map(mul, range(packed.SIZE), self.points(side)))

    def rearmost(self, side: Side) -> int:
        """Return the highest point *side* occupies; 0 when all its checkers are off."""
        return max((point for point, number in enumerate(self.points(side)) if number), default=OFF)

    @property
    def checkers(self) -> int:
        """The number of checkers of each side: 15, or 3 in hypergammon."""
        return sum(self.points(WHITE))

    @property
    def has_contact(self) -> bool:
        """True if either side can still hit or block the other."""
        return self.rearmost(WHITE) + self.rearmost(BLACK) > BAR

    def is_home(self, side: Side) -> bool:
        """True if all of *side*'s checkers are in its home board or off, so that it may bear off (R32)."""
        return self.rearmost(side) <= HOME

    @property
    def winner(self) -> Side | None:
        """The side that has borne off every checker (R40); None if neither has."""
        return next((side for side in Side if self.rearmost(side) == OFF), None)

    def gammon_level(self, winner: Side) -> int:
        """Return 1, 2 or 3 for a single game, a gammon or a backgammon won by *winner* (R41-R43).

        >>> Board.from_counts({}, {24: 1, 6: 14}).gammon_level(Side.WHITE)
        3
        """
        loser = winner.other
        if self.off(loser):
            return 1
        return 3 if self.rearmost(loser) > BAR - 1 - HOME else 2

    def moved(self, side: Side, steps: Iterable[Step]) -> Board:
        """Return the board after *side* makes *steps*; a blot on a target is hit (R25).

        Raises Impossible for steps that cannot be carried out. `engine.plays` decides whether the dice allow
        them.

        >>> STANDARD.moved(Side.WHITE, [Step(8, 5), Step(6, 5)]).count(Side.WHITE, 5)
        2
        """
        mine, theirs = list(self.points(side)), list(self.points(side.other))
        for source, target in steps:
            if not OFF <= target < source <= BAR:  # R17
                raise Impossible("backwards", f"No checker moves from {source} to {target}.", rule="R17")
            if not mine[source]:
                raise Impossible(
                    "empty-source", f"There is no checker on {format_point(source)}.", point=source
                )
            if target and theirs[BAR - target] > 1:  # R14
                raise Impossible("blocked", f"The {target} point is held.", rule="R14", point=target)
            if target and theirs[BAR - target]:
                theirs[BAR - target] -= 1
                theirs[BAR] += 1
            mine[source] -= 1
            mine[target] += 1
        return Board.seen(packed.pack_counts(mine, theirs), side)

    def mirrored(self) -> Board:
        """Return the board with the sides exchanged (R03)."""
        return Board(packed.mirror_position(self.position))

    def numbers(self, side: Side) -> list[int]:
        mine, theirs = self.points(side), self.points(side.other)
        middle = [mine[point] - theirs[BAR - point] for point in range(1, BAR)]
        return [-theirs[BAR], *middle, mine[BAR]]

    def result_text(self, side: Side) -> str:
        """Return `numbers` as letters: ``A`` to ``O`` for 1 to 15, ``a`` to ``o`` for -1 to -15, ``-`` for 0.

        >>> STANDARD.result_text(Side.WHITE)
        '-b----E-C---eE---c-e----B-'
        """
        return packed.format_letters(self.seen_by(side))


def _complete_counts(given: Mapping[int, int], checkers: int) -> list[int]:
    side = [0] * packed.SIZE
    for point, number in given.items():
        if not OFF <= point <= BAR or number < 0:
            raise Impossible("bad-position", f"{number} checkers on point {point} is no place for them.")
        side[point] = number
    side[OFF] = given.get(OFF, checkers - sum(side))
    if not 0 < checkers <= CHECKERS or side[OFF] < 0 or sum(side) != checkers:  # R01
        raise Impossible("bad-position", f"A side has {checkers} checkers, no more and no fewer.")
    return side


def _format_counts(counts: Sequence[int]) -> str:
    held = (point for point in reversed(range(packed.SIZE)) if counts[point])
    return " ".join(f"{format_point(point)}:{counts[point]}" for point in held)


def _read_points(words: Iterable[str]) -> dict[int, int]:
    read: dict[int, int] = {}
    for word in words:
        point, _, number = word.partition(":")
        key = {"bar": BAR, "off": OFF}.get(point) if point in ("bar", "off") else int(point)
        if key is None or key in read:
            raise ValueError(word)
        read[key] = int(number)
    return read


STANDARD: Final = Board.from_counts({24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5})
NACKGAMMON: Final = Board.from_counts({24: 2, 23: 2, 13: 4, 8: 3, 6: 4}, {24: 2, 23: 2, 13: 4, 8: 3, 6: 4})
HYPERGAMMON: Final = Board.from_counts({24: 1, 23: 1, 22: 1}, {24: 1, 23: 1, 22: 1}, checkers=3)
