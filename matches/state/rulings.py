"""What a director decides about a match: rulings. What becomes of them are facts, with the reason in them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from engine.board import Board
    from engine.cube import Cube
    from engine.dice import Dice
    from engine.side import BySide, Side


class Start(StrEnum):
    """Where a takeback may lead to without a line being named."""

    TURN = "turn"
    GAME = "game"


class Verdict(StrEnum):
    """Why a match is given to one side."""

    FORFEIT = "forfeit"
    WALKOVER = "walkover"
    DISQUALIFICATION = "disqualification"
    DECISION = "decision"


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop both clocks; nobody plays."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Let play go on."""


@dataclass(frozen=True, slots=True)
class CreditTime:
    """Give *side* time."""

    side: Side
    milliseconds: int


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back what came after line *to* of the journal, or after the start of this turn or game."""

    to: int | Start


@dataclass(frozen=True, slots=True)
class SetPosition:
    """Set the game up: *turn* is on roll, or has rolled *dice*."""

    board: Board
    turn: Side
    cube: Cube
    dice: Dice | None = None


@dataclass(frozen=True, slots=True)
class SetScore:
    """Set the score; the next game begins. Say whether the Crawford game has been played if it is in doubt."""

    score: BySide[int]
    crawford_played: bool | None = None


@dataclass(frozen=True, slots=True)
class Penalise:
    """Give points to the opponent of *side*."""

    side: Side
    points: int


@dataclass(frozen=True, slots=True)
class RuleGame:
    """Give the game in hand to *winner*."""

    winner: Side
    points: int


@dataclass(frozen=True, slots=True)
class RuleMatch:
    """Give the match to *winner*."""

    winner: Side
    verdict: Verdict = Verdict.DECISION


@dataclass(frozen=True, slots=True)
class VoidGame:
    """Have the game in hand played again."""


@dataclass(frozen=True, slots=True)
class VoidMatch:
    """Let the match not count."""


Ruling: TypeAlias = (
    Pause
    | Resume
    | CreditTime
    | TakeBack
    | SetPosition
    | SetScore
    | Penalise
    | RuleGame
    | RuleMatch
    | VoidGame
    | VoidMatch
)
