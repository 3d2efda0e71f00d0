"""Commands of the players. They result in facts (`engine.actions`, `matches.state.facts`).

The API publishes the docstrings and fields of the commands. The metadata of a field are the options of its
REST framework field (`matches.play.bodies`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Final, TypeAlias

from engine.board import Step
from matches.state.dicing import LONGEST_WORDS

LONGEST_PLAY: Final = 100
LONGEST_REASON: Final = 200
MOST_STEPS: Final = 4
# 1 a single game, 2 a gammon, 3 a backgammon; 0 stands for the whole match.
Level: TypeAlias = Annotated[int, "level"]


class Command:
    """The base of all commands; *word* is the type in JSON."""

    __slots__ = ()
    word: ClassVar[str]


@dataclass(frozen=True, slots=True)
class Promise(Command):
    """Seal your dice before the first game, and whenever the server begins new chains.

    Send the commitment to a hash chain, or some words that you typed, or neither (your rolls are then made
    by the others, and are labelled *weaker*). `docs/dice.md` has the recipe.
    """

    word = "promise"
    commitment: bytes | None = None
    words: str | None = field(default=None, metadata={"max_length": LONGEST_WORDS, "trim_whitespace": False})


@dataclass(frozen=True, slots=True)
class Open(Command):
    """Show the head of the chain you promised, when all three have promised (`snapshot.roll.stage`)."""

    word = "open"
    head: bytes


@dataclass(frozen=True, slots=True)
class Forgo(Command):
    """Report that you have lost your chain. The rolls to come are made without it."""

    word = "forgo"
    reason: str = field(default="", metadata={"max_length": LONGEST_REASON, "allow_blank": True})


@dataclass(frozen=True, slots=True)
class Roll(Command):
    """Roll the dice; between games: be ready for the opening roll. Your share of the roll must be there."""

    word = "roll"


@dataclass(frozen=True, slots=True)
class Share(Command):
    """Give shares and nothing else: the opponent has rolled, and yours is missing (`snapshot.roll.asked`)."""

    word = "share"


@dataclass(frozen=True, slots=True)
class Move(Command):
    """Make a whole play: as players write it (`play`), or step by step (`steps`), one of the two.

    Points are counted as you see them, from 24 down to 1; 25 is your bar and 0 is off. `play` is read
    leniently: `13/7*/3`, `6/5(2)`, `bar/22`, parts in any order, hits marked or not; empty where nothing
    can be played. `steps` are read strictly: one for each die, in the order played; `[]` for none.
    """

    word = "move"
    play: str | None = field(
        default=None, kw_only=True, metadata={"max_length": LONGEST_PLAY, "allow_blank": True}
    )
    steps: tuple[Step, ...] = field(
        default=(), metadata={"default": None, "allow_null": True, "max_length": MOST_STEPS}
    )


@dataclass(frozen=True, slots=True)
class Double(Command):
    """Offer the cube, before your roll."""

    word = "double"


@dataclass(frozen=True, slots=True)
class Beaver(Command):
    """Take and turn the cube again at once; money play only, where agreed."""

    word = "beaver"


@dataclass(frozen=True, slots=True)
class Take(Command):
    """Take the cube."""

    word = "take"


@dataclass(frozen=True, slots=True)
class Drop(Command):
    """Drop the cube and lose the game."""

    word = "drop"


@dataclass(frozen=True, slots=True)
class OfferResignation(Command):
    """Offer to lose a single game (1), a gammon (2) or a backgammon (3); or give up the whole match.

    The opponent accepts or declines a game; a match that is given up is lost at once.
    """

    word = "resign"
    level: Level = 1


@dataclass(frozen=True, slots=True)
class Concede(Command):
    """Resign the whole match: in JSON, a `resign` of the level `match`."""


@dataclass(frozen=True, slots=True)
class AcceptResignation(Command):
    """Accept the resignation that the opponent offers."""

    word = "accept"


@dataclass(frozen=True, slots=True)
class DeclineResignation(Command):
    """Decline the resignation that the opponent offers, and play on."""

    word = "decline"


@dataclass(frozen=True, slots=True)
class ClaimFlag(Command):
    """Claim that the opponent's time is over. The server's clock decides; it also flags without a claim."""

    word = "claim-flag"


@dataclass(frozen=True, slots=True)
class ClaimAbsence(Command):
    """Claim that the opponent stays away from a board without a clock, or withholds a share of the dice.

    After `terms.leave` you get what `terms.claim` says; an offer to resign then counts as declined.
    """

    word = "claim-absence"


@dataclass(frozen=True, slots=True)
class PlayOut(Command):
    """Agree to have this race played out; once both players agree, the server rolls and plays for them.

    Shares of the rolls are still needed. `stop` takes your agreement back at any moment; while both agree the
    cube is not turned.
    """

    word = "play-out"
    stop: bool = False


COMMANDS: Final[dict[str, type[Command]]] = {
    kind.word: kind
    for kind in (
        Promise,
        Open,
        Forgo,
        Roll,
        Share,
        Move,
        Double,
        Beaver,
        Take,
        Drop,
        OfferResignation,
        AcceptResignation,
        DeclineResignation,
        ClaimFlag,
        ClaimAbsence,
        PlayOut,
    )
}
