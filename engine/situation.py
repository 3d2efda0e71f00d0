"""A moment of a game with its score: the value that all position identifiers encode."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Final, NamedTuple

from engine.board import STANDARD, Board
from engine.cube import CENTRED, Cube
from engine.dice import Dice
from engine.errors import Impossible
from engine.game import Game, Phase, Termination
from engine.match import Match
from engine.rules import LONGEST_READ
from engine.side import BySide, Side


class Offer(StrEnum):
    """A cube action that is waiting for an answer."""

    DOUBLE = "double"
    BEAVER = "beaver"
    RACCOON = "raccoon"


class Stage(IntEnum):
    """The state of the game, in the numbers of GNU Backgammon."""

    NONE = 0
    PLAYING = 1
    OVER = 2
    RESIGNED = 3
    DROPPED = 4


class Resignation(NamedTuple):
    """An offered resignation at 1, 2 or 3 times the cube."""

    side: Side
    level: int


LOVE: Final = BySide(0, 0)
NAMELESS: Final = BySide("", "")


@dataclass(frozen=True, slots=True)
class Situation:
    """Board, turn, dice, cube and score.

    While a double is being answered, ``turn`` is the doubler and ``cube`` is the cube before the double.

    >>> Situation(offer=Offer.DOUBLE).actor
    <Side.BLACK: 1>
    """

    board: Board = STANDARD
    turn: Side = Side.WHITE
    dice: Dice | None = None
    cube: Cube = CENTRED
    length: int = 0
    score: BySide[int] = LOVE
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    offer: Offer | None = None
    resignation: Resignation | None = None
    stage: Stage = Stage.PLAYING
    # The maximum number of times the cube may be turned, which some identifiers have: 10 is 1024, 0 is no
    # cube.
    highest: int = 10
    players: BySide[str] = NAMELESS

    @classmethod
    def from_match(cls, match: Match, players: BySide[str] | None = None) -> Situation:
        """Return the current situation of *match*.

        >>> from engine.match import Match
        >>> from engine.rules import Rules
        >>> Situation.from_match(Match.start(Rules(length=3))).stage.name
        'NONE'
        """
        game, rules = match.game, match.rules
        resigning = game.resigning
        return cls(
            board=game.board,
            turn=Side.WHITE if game.turn is None else game.turn,
            dice=game.dice,
            cube=game.cube,
            length=rules.length,
            score=match.score,
            crawford=game.crawford,
            # In the notations, Jacoby exists only for unlimited play.
            jacoby=rules.jacoby and not rules.is_match,
            beavers=rules.beavers,
            offer=OFFERS.get(game.offer // game.cube.value),
            resignation=None if resigning is None else Resignation(resigning, game.level),
            stage=_get_stage(game),
            highest=10 if rules.has_cube else 0,
            players=players or NAMELESS,
        )

    @property
    def actor(self) -> Side:
        """The side that must act: the one that must answer, else the side on roll."""
        if self.resignation is not None:
            return self.resignation.side.other
        is_asked = self.offer in (Offer.DOUBLE, Offer.RACCOON)
        return self.turn.other if is_asked else self.turn


def build_score(length: int, white: int, black: int) -> BySide[int]:
    """Return the score of a game in a match to *length*; raises Impossible if no game can begin at it.

    >>> build_score(3, 2, 0), build_score(0, 40, 12)
    (BySide(white=2, black=0), BySide(white=40, black=12))
    """
    if not 0 <= length <= LONGEST_READ:
        raise Impossible("bad-length", f"No match is {length} points long.", length=length)
    if min(white, black) < 0 or (length and max(white, black) >= length):
        raise Impossible("bad-score", f"Nobody plays on at {white}-{black} in a match to {length}.")
    return BySide(white, black)


# By the offered value as a multiple of the cube before.
OFFERS: Final = {2: Offer.DOUBLE, 4: Offer.BEAVER, 8: Offer.RACCOON}


def _get_stage(game: Game) -> Stage:
    if game.phase is Phase.OPENING:
        return Stage.NONE
    if game.ending is None:
        return Stage.PLAYING
    return {Termination.RESIGN: Stage.RESIGNED, Termination.DROP: Stage.DROPPED}.get(
        game.ending.how, Stage.OVER
    )
