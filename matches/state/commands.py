"""Commands of the players. They result in facts (`engine.actions`, `matches.state.facts`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from engine.board import Step


@dataclass(frozen=True, slots=True)
class Promise:
    """Commit to dice by a chain or typed words; both None means no share."""

    commitment: bytes | None = None
    words: str | None = None


@dataclass(frozen=True, slots=True)
class Open:
    """Reveal the head of the committed chain."""

    head: bytes


@dataclass(frozen=True, slots=True)
class Forgo:
    """Report one's chain as lost: further rolls are made without it."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll; between games, be ready for the opening roll."""


@dataclass(frozen=True, slots=True)
class Share:
    """Give one's share for the opponent's roll."""


@dataclass(frozen=True, slots=True)
class Move:
    """Play the whole roll; no steps if no move is possible."""

    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class WrittenMove:
    """Play the whole roll, in notation: ``8/5(2) 6/3*``."""

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
    """Accept the offered resignation."""


@dataclass(frozen=True, slots=True)
class DeclineResignation:
    """Decline the offered resignation."""


@dataclass(frozen=True, slots=True)
class Concede:
    """Resign the whole match."""


@dataclass(frozen=True, slots=True)
class ClaimFlag:
    """Claim that the opponent's time is over; the server checks."""


@dataclass(frozen=True, slots=True)
class ClaimAbsence:
    """Claim that the opponent is absent in a match without a clock; the server checks."""


@dataclass(frozen=True, slots=True)
class PlayOut:
    """Agree to let the server play out this race, or withdraw that."""

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
