"""Rulings of directors. They result in facts, which contain the reason."""

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
    """Targets of a takeback other than a line number."""

    TURN = "turn"
    GAME = "game"


class Verdict(StrEnum):
    """Grounds for awarding a match."""

    FORFEIT = "forfeit"
    WALKOVER = "walkover"
    DISQUALIFICATION = "disqualification"
    DECISION = "decision"


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop play and both clocks."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Continue play."""


@dataclass(frozen=True, slots=True)
class CreditTime:
    """Add time to the clock of *side*."""

    side: Side
    milliseconds: int


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back everything after journal line *to*, or after the start of this turn or game."""

    to: int | Start


@dataclass(frozen=True, slots=True)
class SetPosition:
    """Set a position: *turn* is on roll, or has rolled *dice*."""

    board: Board
    turn: Side
    cube: Cube
    dice: Dice | None = None


@dataclass(frozen=True, slots=True)
class SetScore:
    """Set the score; the next game begins. *crawford_played* is only needed if the score leaves it open."""

    score: BySide[int]
    crawford_played: bool | None = None


@dataclass(frozen=True, slots=True)
class Penalise:
    """Award penalty points to the opponent of *side*."""

    side: Side
    points: int


@dataclass(frozen=True, slots=True)
class RuleGame:
    """Award the current game to *winner*."""

    winner: Side
    points: int


@dataclass(frozen=True, slots=True)
class RuleMatch:
    """Award the match to *winner*."""

    winner: Side
    verdict: Verdict = Verdict.DECISION


@dataclass(frozen=True, slots=True)
class VoidGame:
    """Void the current game; it is replayed."""


@dataclass(frozen=True, slots=True)
class VoidMatch:
    """Void the match."""


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
