"""A score sheet: what a record claims, before anybody has checked it.

A reader turns bytes into sheets and judges nothing but whether it could read them. Every claim knows
its line and column, so that whoever finds it wrong can say where. The adjudicator turns claims into
facts; nothing here is one yet: dice may show seven, a play may start from an empty point.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from engine.strokes import PLAIN_HOPS, facts_of, stroke_of
from engine.strokes import Hop as Hop

if TYPE_CHECKING:
    from engine.actions import Action, Played, Rolled
    from engine.board import Board
    from engine.cube import Cube
    from engine.side import BySide, Side
    from engine.strokes import Stroke


class Place(NamedTuple):
    """Where in a file something stands: line and column, both from 1; 0 where a format has none."""

    line: int = 0
    column: int = 0


NOWHERE = Place()
# A place packed into one number: line times this, plus column.
PACKING = 1 << 16


class Said(StrEnum):
    """What stands after the dice."""

    PLAY = "play"  # the hops
    NOTHING = "nothing"  # a blank
    DANCE = "dance"  # "Cannot Move" and its like
    UNKNOWN = "unknown"  # "????": rolled, then something the writer could not put into words


@dataclass(slots=True)
class Turn:
    """A roll and what was played with it. ``dice`` are as written; None where nothing was rolled.

    A reader may share one turn between all rows that say it, and what follows from its words alone is computed once. It must not
    be changed: it is not frozen only because setting its fields would then take three times as long.
    """

    side: Side
    dice: tuple[int, int] | None
    said: Said = Said.NOTHING
    hops: tuple[Hop, ...] = ()
    at: Place = NOWHERE
    text: str = ""
    # What the play adds to the board, where its words are plain enough (`engine.strokes`).
    stroke: Stroke | None = field(init=False, compare=False, repr=False)
    _written: str = field(default="", init=False, compare=False, repr=False)
    _facts: tuple[Rolled, Played] | None = field(default=None, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        says_nothing = self.said is Said.PLAY and not self.hops
        self.stroke = None if says_nothing else stroke_of(self.side, self.dice, self.hops)

    @classmethod
    def unread(cls, side: Side, dice: tuple[int, int], text: str, stroke: Stroke) -> Turn:
        """Return the turn of a cell whose words are plain; most fields are read on first access."""
        turn = object.__new__(cls)
        turn.side, turn.dice, turn.stroke, turn._written = side, dice, stroke, text
        return turn

    def __getattr__(self, name: str) -> Any:
        """Read the fields that `unread` has left out."""
        if name not in UNREAD:
            raise AttributeError(name)
        words = self._written.split()
        self.hops = tuple([PLAIN_HOPS[word] for word in words[1:]])
        self.said = Said.PLAY if self.hops else Said.NOTHING
        self.at, self.text, self._facts = NOWHERE, " ".join(words), None
        return getattr(self, name)

    @property
    def facts(self) -> tuple[Rolled, Played]:
        """What a play that has a stroke comes to where it is legal."""
        if self._facts is None:
            self._facts = facts_of(self.side, self.dice, self.hops)
        return self._facts


UNREAD: Final = ("said", "hops", "at", "text", "_facts")


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
