"""Rulings of directors. They result in facts, which contain the reason.

The API publishes their docstrings and fields, as it does for commands.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, Final

from engine.board import Board
from engine.cube import Cube
from engine.dice import Dice
from engine.side import Side
from matches.state.kinds import Kind

LAST: Final = 2_000_000_000
LONGEST_POSITION: Final = 400
FROM_ZERO: Final[dict[str, Any]] = {"min_value": 0, "max_value": LAST}
FROM_ONE: Final = {"min_value": 1, "max_value": LAST}
# For a field that may be left out, or sent as null.
LEFT_OUT: Final = {"allow_null": True, "default": None}


class Start(StrEnum):
    """Targets of a takeback other than a line number."""

    TURN = "turn"
    GAME = "game"


class Verdict(StrEnum):
    """Grounds for awarding a match."""

    FORFEIT = "forfeit"
    WALKOVER = "walkover"
    DISQUALIFICATION = "disqualification"
    DECISION = "decision"


class Ruling(Kind):
    """The base of all rulings."""

    __slots__ = ()
    kinds: ClassVar[dict[str, type[Ruling]]] = {}


@dataclass(frozen=True, slots=True)
class Pause(Ruling, word="pause"):
    """Stop both clocks; play is refused until it is resumed. Rulings can be made during the stop."""


@dataclass(frozen=True, slots=True)
class Resume(Ruling, word="resume"):
    """Resume play and the clock."""


@dataclass(frozen=True, slots=True)
class CreditTime(Ruling, word="credit-time"):
    """Give a side time."""

    side: Side
    milliseconds: int = field(metadata=FROM_ONE)


@dataclass(frozen=True, slots=True)
class TakeBack(Ruling, word="take-back"):
    """Take back what came after a line of the journal, or what this turn or game has brought.

    The line itself remains. Nothing is erased: the takeback is a further line. Times are not taken back;
    credit what was lost. Repeated rolls take new numbers. A match that is over goes on.
    """

    to_line: int | None = field(
        default=None,
        metadata={**FROM_ZERO, "help_text": "The last line that stands."},
    )
    # Only used without `to_line`.
    to_start_of: Start = field(
        default=Start.TURN,
        metadata={
            **LEFT_OUT,
            "help_text": "The last one in which something was done. A position that was set begins its turn anew.",
        },
    )


@dataclass(frozen=True, slots=True)
class SetPosition(Ruling, word="set-position"):
    """Set the position of the current game.

    `position` is a line of checkers (`white 24:2 13:5 8:3 6:5 black 24:2 13:5 8:3 6:5`), a Position ID, an
    XGID, an OGID or another identifier of a position. What it says of turn, dice and cube is taken where the
    fields beside it are absent; score and length are not taken from it.
    """

    position: Board = field(metadata={"max_length": LONGEST_POSITION})
    turn: Side = field(metadata=LEFT_OUT)
    cube: Cube = field(metadata=LEFT_OUT)
    dice: Dice | None = field(
        default=None, metadata={"allow_blank": True, "help_text": "`65`; empty: not rolled yet."}
    )


@dataclass(frozen=True, slots=True)
class SetScore(Ruling, word="set-score"):
    """Set the score. The game in hand is dropped and the next one begins; set its position if need be."""

    white: int = field(metadata=FROM_ZERO)
    black: int = field(metadata=FROM_ZERO)
    crawford_played: bool | None = field(default=None, metadata={"help_text": "Where it is in doubt (R51)."})


@dataclass(frozen=True, slots=True)
class Penalise(Ruling, word="penalise"):
    """Fine a side: its opponent gets the points. Between games this can bring the Crawford game on."""

    side: Side
    points: int = field(metadata=FROM_ONE)


@dataclass(frozen=True, slots=True)
class RuleGame(Ruling, word="rule-game"):
    """Give the game in hand to a side, for so many points."""

    winner: Side
    points: int = field(metadata=FROM_ONE)


@dataclass(frozen=True, slots=True)
class RuleMatch(Ruling, word="rule-match"):
    """Give the match to a side, also after it has ended otherwise. The score is not changed."""

    winner: Side
    verdict: Verdict = Verdict.DECISION


@dataclass(frozen=True, slots=True)
class VoidGame(Ruling, word="void-game"):
    """Have the game in hand played again from the opening roll."""


@dataclass(frozen=True, slots=True)
class VoidMatch(Ruling, word="void-match"):
    """Declare the match void.

    A player may do this too, in a match without a club, until both have sealed and shown their dice.
    """
