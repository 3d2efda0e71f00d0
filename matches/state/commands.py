"""Commands of the players. They result in facts (`engine.actions`, `matches.state.facts`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from engine.step import Step


@dataclass(frozen=True, slots=True)
class Promise:
    """Seal one's dice: a commitment to a chain, or some typed words, or neither."""

    commitment: bytes | None = None
    words: str | None = None


@dataclass(frozen=True, slots=True)
class Open:
    """Show the head of the chain that was promised."""

    head: bytes


@dataclass(frozen=True, slots=True)
class Forgo:
    """Say that one's chain is lost: the rolls to come are made without it."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Roll:
    """Ask for the dice; between games, be ready for the opening roll."""


@dataclass(frozen=True, slots=True)
class Share:
    """Give the share that the opponent's roll waits for."""


@dataclass(frozen=True, slots=True)
class Move:
    """Make a whole play; no steps where none is possible."""

    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class WrittenMove:
    """Make a whole play, as players write it: ``8/5(2) 6/3*``."""

    text: str


@dataclass(frozen=True, slots=True)
class Double:
    """Offer the cube."""


@dataclass(frozen=True, slots=True)
class Beaver:
    """Take and turn the cube again at once."""


@dataclass(frozen=True, slots=True)
class Take:
    """Accept the cube."""


@dataclass(frozen=True, slots=True)
class Drop:
    """Refuse the cube and lose the game."""


@dataclass(frozen=True, slots=True)
class OfferResignation:
    """Offer to lose a single game (1), a gammon (2) or a backgammon (3)."""

    level: int = 1


@dataclass(frozen=True, slots=True)
class AcceptResignation:
    """Accept what the opponent offers."""


@dataclass(frozen=True, slots=True)
class DeclineResignation:
    """Play on."""


@dataclass(frozen=True, slots=True)
class Concede:
    """Give up the whole match."""


@dataclass(frozen=True, slots=True)
class ClaimFlag:
    """Say that the opponent's time is over; the server looks."""


@dataclass(frozen=True, slots=True)
class ClaimAbsence:
    """Say that the opponent stays away from a board without a clock; the server looks."""


@dataclass(frozen=True, slots=True)
class PlayOut:
    """Agree that this race is played to its end without being asked, or stop that."""

    stops: bool = False


Command: TypeAlias = (
    Promise
    | Open
    | Forgo
    | Roll
    | Share
    | Move
    | WrittenMove
    | Double
    | Beaver
    | Take
    | Drop
    | OfferResignation
    | AcceptResignation
    | DeclineResignation
    | Concede
    | ClaimFlag
    | ClaimAbsence
    | PlayOut
)
