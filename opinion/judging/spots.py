"""Questions to an oracle: positions before a roll, from the view of the side on roll, with score and cube."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeAlias

from engine.board import CHECKERS, HYPERGAMMON, Board
from engine.dice import Dice
from engine.match import Match
from engine.rules import LONGEST, Rules
from engine.side import Side
from engine.situation import Situation

# Long scores are reduced for the oracle, but no side to fewer points than this.
STILL_FAR: Final = 15

# 26 numbers: the opponent's checkers on the bar, points 1 to 24 (own checkers positive, the opponent's
# negative), own checkers on the bar.
Numbers: TypeAlias = tuple[int, ...]


class Owner(StrEnum):
    """The cube owner, from the view of the side on roll."""

    CENTRE = "centred"
    MINE = "mine"
    THEIRS = "theirs"


@dataclass(frozen=True, slots=True)
class Spot:
    """A position before a roll, validated, because an oracle does not check its input."""

    board: Numbers
    cube: int = 1
    owner: Owner = Owner.CENTRE
    # Points needed by the side on roll and by the opponent; None in money play.
    away: tuple[int, int] | None = None
    # Doubling is not allowed in this game.
    crawford: bool = False
    jacoby: bool = False

    def __post_init__(self) -> None:
        mine = sum(number for number in self.board[1:] if number > 0)
        theirs = self.board[0] - sum(number for number in self.board[1:] if number < 0)
        is_board = len(self.board) == CHECKERS + 11 and self.board[0] >= 0 and self.board[-1] >= 0
        if not is_board or not (0 < mine <= CHECKERS and 0 < theirs <= CHECKERS):
            raise ValueError(f"{self.board} is no position of a game")
        if self.cube < 1 or self.cube & (self.cube - 1):
            raise ValueError(f"no cube shows {self.cube}")
        if self.away is not None and not all(1 <= each <= LONGEST for each in self.away):
            raise ValueError(f"nobody is {self.away} points away")

    @classmethod
    def from_match(cls, match: Match, side: Side) -> Spot:
        """Return the current game before its roll, from the view of *side*."""
        game = match.game
        owner = Owner.CENTRE if game.cube.owner is None else Owner.THEIRS
        away = match.away
        return cls(
            to_numbers(game.board, side),
            game.cube.value,
            Owner.MINE if game.cube.owner is side else owner,
            None if away is None else _reduce_score(away[side], away[side.other]),
            game.crawford or game.is_cube_stopped,
            match.rules.jacoby and not match.rules.is_match,
        )

    @classmethod
    def at(cls, situation: Situation) -> Spot:
        """Return a position without a match, from the view of the side on roll."""
        side, cube = situation.turn, situation.cube
        owner = Owner.CENTRE if cube.owner is None else Owner.THEIRS
        length, score = situation.length, situation.score
        return cls(
            to_numbers(situation.board, side),
            cube.value,
            Owner.MINE if cube.owner is side else owner,
            _reduce_score(length - score[side], length - score[side.other]) if length else None,
            situation.crawford,
            situation.jacoby,
        )

    def to_json(self) -> dict[str, Any]:
        """Return JSON values as `sage.py` reads them."""
        return {
            "board": list(self.board),
            "cube": self.cube,
            "owner": self.owner.value,
            "away": self.away,
            "crawford": self.crawford,
            "jacoby": self.jacoby,
        }


class Throw(NamedTuple):
    spot: Spot
    dice: Dice


class Choice(NamedTuple):
    """Some boards that a throw's plays lead to, to be evaluated again."""

    throw: Throw
    boards: tuple[Numbers, ...]


def to_numbers(board: Board, side: Side) -> Numbers:
    """Return the board from the view of *side*; unlike `Board.numbers`, the opponent's bar is positive."""
    found = board.numbers(side)
    return (-found[0], *found[1:])


def _reduce_score(mine: int, theirs: int) -> tuple[int, int]:
    """Reduce a score to one that the oracle knows; beyond 25 points away it would return zeros.

    >>> _reduce_score(3, 7), _reduce_score(30, 26), _reduce_score(40, 3)
    ((3, 7), (25, 21), (25, 3))
    """
    shift = max(0, min(max(mine, theirs) - LONGEST, min(mine, theirs) - STILL_FAR))
    return min(mine - shift, LONGEST), min(theirs - shift, LONGEST)


def explain_unsupported(rules: Rules) -> str:
    """Return why the oracle cannot evaluate matches with these rules; "" if it can.

    >>> from engine.rules import Rules
    >>> explain_unsupported(Rules(length=7)), explain_unsupported(Rules(length=3, start=HYPERGAMMON))
    ('', 'The engine has not learned hypergammon.')
    """
    if rules.start.checkers != CHECKERS or rules.start == HYPERGAMMON:
        return "The engine has not learned hypergammon."
    if not rules.backgammons or (rules.length > 1 and not rules.has_cube):
        return "The engine knows only play in which gammons and the cube count."
    if rules.is_match and rules.jacoby:
        return "The engine does not know the Jacoby rule in a match."
    return ""
