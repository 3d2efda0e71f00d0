"""A score sheet: what a record claims, before anybody has checked it.

A reader turns bytes into sheets and judges nothing but whether it could read them. Every claim knows
its line and column, so that whoever finds it wrong can say where. The adjudicator turns claims into
facts; nothing here is one yet: dice may show seven, a play may start from an empty point.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from engine.actions import Action
    from engine.board import Board
    from engine.cube import Cube
    from engine.side import BySide, Side


class Place(NamedTuple):
    """Where in a file something stands: line and column, both from 1; 0 where a format has none."""

    line: int = 0
    column: int = 0


NOWHERE = Place()
# A place packed into one number: line times this, plus column.
PACKING = 1 << 16


class Hop(NamedTuple):
    """One written word of a play: ``24/18*/13(2)`` is points (24, 18, 13), starred (18,), times 2."""

    points: tuple[int, ...]
    starred: tuple[int, ...] = ()
    times: int = 1


class Said(StrEnum):
    """What stands after the dice."""

    PLAY = "play"  # the hops
    NOTHING = "nothing"  # a blank
    DANCE = "dance"  # "Cannot Move" and its like
    UNKNOWN = "unknown"  # "????": rolled, then something the writer could not put into words


@dataclass(frozen=True, slots=True)
class Turn:
    """A roll and what was played with it. ``dice`` are as written; None where nothing was rolled."""

    side: Side
    dice: tuple[int, int] | None
    said: Said = Said.NOTHING
    hops: tuple[Hop, ...] = ()
    at: Place = NOWHERE
    text: str = ""


class CubeWord(StrEnum):
    """What may be said about the cube."""

    DOUBLE = "double"
    TAKE = "take"
    DROP = "drop"
    BEAVER = "beaver"
    RACCOON = "raccoon"
    AUTOMATIC = "automatic"


@dataclass(frozen=True, slots=True)
class CubeClaim:
    """A word about the cube; ``value`` is the new value where the record names it."""

    side: Side | None
    word: CubeWord
    value: int | None = None
    at: Place = NOWHERE
    text: str = ""


@dataclass(frozen=True, slots=True)
class Resigning:
    """Somebody gives up. Many records do not say who, or how much; ``match`` if it is the whole match.

    ``offer`` is False where the record says that the resignation stands (most formats), True where an
    offer is recorded whose answer follows as a `ResignAnswer`.
    """

    side: Side | None
    level: int | None = None
    match: bool = False
    at: Place = NOWHERE
    text: str = ""


@dataclass(frozen=True, slots=True)
class Winning:
    """``Wins 2 points``: the column names the winner. ``resigned`` and ``level`` where a format says so."""

    side: Side
    points: int | None
    match: bool = False
    resigned: bool | None = None
    level: int | None = None
    at: Place = NOWHERE
    text: str = ""


@dataclass(frozen=True, slots=True)
class Placing:
    """The position is set by hand: a study, an edit, or what an illegal play led to."""

    board: Board
    turn: Side | None = None
    cube: Cube | None = None
    # The writer itself calls the play before it illegal (Snowie's "Illegal play (...)").
    declared_illegal: bool = False
    at: Place = NOWHERE
    text: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact for which the format has no word, told in a comment of ours (`engine.formats.comments`)."""

    action: Action
    at: Place = NOWHERE
    text: str = ""


Claim: TypeAlias = Turn | CubeClaim | Resigning | Winning | Placing | Fact


@dataclass(frozen=True, slots=True)
class Remark:
    """Something a reader noticed and could live with; ``code`` as in ``docs/formats.md``."""

    code: str
    message: str
    at: Place = NOWHERE
    game: int | None = None  # index into the sheet's games


@dataclass(frozen=True, slots=True)
class GameSheet:
    """One game as written. ``number`` and ``score`` are the heading's, None where it has none."""

    claims: tuple[Claim, ...]
    number: int | None = None
    score: BySide[int] | None = None
    crawford: bool | None = None
    at: Place = NOWHERE
    # Where each claim stands, packed, for a reader that shares one claim between all cells that say it.
    places: tuple[int, ...] = ()
    # What happened before this game began, where that is told.
    before: tuple[Fact, ...] = ()

    def place(self, index: int) -> Place:
        """Where the claim of that *index* stands."""
        return Place(*divmod(self.places[index], PACKING)) if self.places else self.claims[index].at


@dataclass(frozen=True, slots=True)
class Sheet:
    """One match as written. ``length`` 0 is unlimited play, None is not said."""

    format: str
    names: BySide[str]
    length: int | None
    games: tuple[GameSheet, ...]
    dialect: str = ""
    encoding: str = "utf-8"
    # Unknown keys are kept as they came.
    tags: tuple[tuple[str, str], ...] = ()
    crawford: bool | None = None
    jacoby: bool | None = None
    beavers: bool | None = None
    cube: bool | None = None
    # These only our own records say; Jacoby of a match stands apart, since others say it where it does not count.
    gammons: bool | None = None
    backgammons: bool | None = None
    match_jacoby: bool | None = None
    variant: str | None = None
    # What a comment tells of the rules, as in our own format.
    told: dict[str, Any] = field(default_factory=dict[str, Any])
    remarks: tuple[Remark, ...] = field(default=())
