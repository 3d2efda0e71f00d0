"""Commands of the players. They result in facts (`engine.actions`, `matches.state.facts`).

The API publishes the docstrings and fields of the commands. The metadata of a field are the options of its
REST framework field (`matches.play.bodies`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Final, TypeAlias

from engine.board import Step
from matches.state.dicing import LONGEST_WORDS
from matches.state.kinds import Kind

LONGEST_PLAY: Final = 100
LONGEST_REASON: Final = 200
MOST_STEPS: Final = 4
# 1 a single game, 2 a gammon, 3 a backgammon; 0 stands for the whole match.
Level: TypeAlias = Annotated[int, "level"]


class Command(Kind):
    """The base of all commands."""

    __slots__ = ()
    kinds: ClassVar[dict[str, type[Command]]] = {}


@dataclass(frozen=True, slots=True)
class Promise(Command, word="promise"):
    """Seal your dice before the first game, and whenever the server begins new chains.

    Send the commitment to a hash chain, or some words that you typed, or neither (your rolls are then made
    by the others, and are labelled *weaker*). `docs/dice.md` has the recipe.
    """

    commitment: bytes | None = None
    words: str | None = field(default=None, metadata={"max_length": LONGEST_WORDS, "trim_whitespace": False})


@dataclass(frozen=True, slots=True)
class Open(Command, word="open"):
    """Show the head of the chain you promised, when all three have promised (`snapshot.roll.stage`)."""

    head: bytes


@dataclass(frozen=True, slots=True)
class Forgo(Command, word="forgo"):
    """Report that you have lost your chain. The rolls to come are made without it."""

    reason: str = field(default="", metadata={"max_length": LONGEST_REASON, "allow_blank": True})


@dataclass(frozen=True, slots=True)
class Roll(Command, word="roll"):
    """Roll the dice; between games: be ready for the opening roll. Your share of the roll must be there."""


@dataclass(frozen=True, slots=True)
class Share(Command, word="share"):
    """Give shares and nothing else: the opponent has rolled, and yours is missing (`snapshot.roll.asked`)."""


@dataclass(frozen=True, slots=True)
class Move(Command, word="move"):
    """Make a whole play: as players write it (`play`), or step by step (`steps`), one of the two.

    Points are counted as you see them, from 24 down to 1; 25 is your bar and 0 is off. `play` is read
    leniently: `13/7*/3`, `6/5(2)`, `bar/22`, parts in any order, hits marked or not; empty where nothing
    can be played. `steps` are read strictly: one for each die, in the order played; `[]` for none.
    """

    play: str | None = field(
        default=None, kw_only=True, metadata={"max_length": LONGEST_PLAY, "allow_blank": True}
    )
    steps: tuple[Step, ...] = field(
        default=(), metadata={"default": None, "allow_null": True, "max_length": MOST_STEPS}
    )


@dataclass(frozen=True, slots=True)
class Double(Command, word="double"):
    """Offer the cube, before your roll."""


@dataclass(frozen=True, slots=True)
class Beaver(Command, word="beaver"):
    """Take and turn the cube again at once; money play only, where agreed."""


@dataclass(frozen=True, slots=True)
class Take(Command, word="take"):
    """Take the cube."""


@dataclass(frozen=True, slots=True)
class Drop(Command, word="drop"):
    """Drop the cube and lose the game."""


@dataclass(frozen=True, slots=True)
class OfferResignation(Command, word="resign"):
    """Offer to lose a single game (1), a gammon (2) or a backgammon (3); or give up the whole match.

    The opponent accepts or declines a game; a match that is given up is lost at once.
    """

    level: Level = 1


@dataclass(frozen=True, slots=True)
class Concede(Command):
    """Resign the whole match: in JSON, a `resign` of the level `match`."""


@dataclass(frozen=True, slots=True)
class AcceptResignation(Command, word="accept"):
    """Accept the resignation that the opponent offers."""


@dataclass(frozen=True, slots=True)
class DeclineResignation(Command, word="decline"):
    """Decline the resignation that the opponent offers, and play on."""


@dataclass(frozen=True, slots=True)
class ClaimFlag(Command, word="claim-flag"):
    """Claim that the opponent's time is over. The server's clock decides; it also flags without a claim."""


@dataclass(frozen=True, slots=True)
class ClaimAbsence(Command, word="claim-absence"):
    """Claim that the opponent stays away from a board without a clock, or withholds a share of the dice.

    After `terms.leave` you get what `terms.claim` says; an offer to resign then counts as declined.
    """


@dataclass(frozen=True, slots=True)
class PlayOut(Command, word="play-out"):
    """Agree to have this race played out; once both players agree, the server rolls and plays for them.

    Shares of the rolls are still needed. `stop` takes your agreement back at any moment; while both agree the
    cube is not turned.
    """

    stop: bool = False
