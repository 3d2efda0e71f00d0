"""A score sheet: the unverified claims of a record.

A reader parses bytes into sheets and reports only what it cannot parse. Every claim has its line and column
for error messages. The adjudicator turns claims into facts; none is a fact yet: dice may show seven, a play
may start from an empty point.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeAlias

from engine.actions import Action, Played, Rolled
from engine.board import Board
from engine.cube import Cube
from engine.side import BySide, Side
from engine.strokes import PLAIN_HOPS, Stroke, build_facts, compile_stroke
from engine.strokes import Hop as Hop


class Place(NamedTuple):
    """A position in a file: line and column, both from 1; 0 if a format has none."""

    line: int = 0
    column: int = 0


NOWHERE = Place()
# A place packed into one number: line times this, plus column.
PACKING = 1 << 16


class TurnKind(StrEnum):
    PLAY = "play"  # the hops
    NOTHING = "nothing"  # a blank
    DANCE = "dance"  # "Cannot Move" and its like
    UNKNOWN = "unknown"  # "????": rolled, and the play could not be expressed by the writer


@dataclass(slots=True)
class Turn:
    """A roll and its play. ``dice`` are as written; None if nothing was rolled.

    A reader may share one turn between all rows with the same text, and the values derived from the text are
    computed once. It must not be mutated: it is not frozen only because setting its fields would then take
    three times as long.
    """

    side: Side
    dice: tuple[int, int] | None
    kind: TurnKind = TurnKind.NOTHING
    hops: tuple[Hop, ...] = ()
    at: Place = NOWHERE
    text: str = ""
    # The delta of the play, if its words are plain enough (`engine.strokes`).
    stroke: Stroke | None = field(init=False, compare=False, repr=False)
    _written: str = field(default="", init=False, compare=False, repr=False)
    _facts: tuple[Rolled, Played] | None = field(default=None, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        says_nothing = self.kind is TurnKind.PLAY and not self.hops
        self.stroke = None if says_nothing else compile_stroke(self.side, self.dice, self.hops)

    @classmethod
    def unread(cls, side: Side, dice: tuple[int, int], text: str, stroke: Stroke) -> Turn:
        """Create the turn of a cell with plain words; most fields are parsed on first access."""
        turn = object.__new__(cls)
        turn.side, turn.dice, turn.stroke, turn._written = side, dice, stroke, text
        return turn

    def __getattr__(self, name: str) -> Any:
        """Parse the fields that `unread` has left out."""
        if name not in UNREAD:
            raise AttributeError(name)
        words = self._written.split()
        self.hops = tuple([PLAIN_HOPS[word] for word in words[1:]])
        self.kind = TurnKind.PLAY if self.hops else TurnKind.NOTHING
        self.at, self.text, self._facts = NOWHERE, " ".join(words), None
        return getattr(self, name)

    @property
    def facts(self) -> tuple[Rolled, Played]:
        """The facts of a play with a stroke, provided it is legal."""
        if self._facts is None:
            self._facts = build_facts(self.side, self.dice, self.hops)
        return self._facts


UNREAD: Final = ("kind", "hops", "at", "text", "_facts")


class CubeWord(StrEnum):
    DOUBLE = "double"
    TAKE = "take"
    DROP = "drop"
    BEAVER = "beaver"
    RACCOON = "raccoon"
    AUTOMATIC = "automatic"


@dataclass(frozen=True, slots=True)
class CubeClaim:
    """A cube action; ``value`` is the new value if the record names it."""

    side: Side | None
    word: CubeWord
    value: int | None = None
    at: Place = NOWHERE
    text: str = ""


@dataclass(frozen=True, slots=True)
class ResignClaim:
    """A resignation. Many records do not name the side or level; ``match`` if it is for the whole match."""

    side: Side | None
    level: int | None = None
    match: bool = False
    at: Place = NOWHERE
    text: str = ""


@dataclass(frozen=True, slots=True)
class WinClaim:
    """A written result: ``Wins 2 points`` in the winner's column.

    ``resigned`` and ``level`` are None if the format does not have them.
    """

    side: Side
    points: int | None
    match: bool = False
    resigned: bool | None = None
    level: int | None = None
    at: Place = NOWHERE
    text: str = ""


@dataclass(frozen=True, slots=True)
class PositionClaim:
    """A position that is set manually: a study, an edit, or the result of an illegal play."""

    board: Board
    turn: Side | None = None
    cube: Cube | None = None
    # The writer itself calls the play before it illegal (Snowie's "Illegal play (...)").
    declared_illegal: bool = False
    at: Place = NOWHERE
    text: str = ""


@dataclass(frozen=True, slots=True)
class FactClaim:
    """A fact that the format cannot express, read from one of our comments (`engine.formats.comments`)."""

    action: Action
    at: Place = NOWHERE
    text: str = ""


Claim: TypeAlias = Turn | CubeClaim | ResignClaim | WinClaim | PositionClaim | FactClaim


@dataclass(frozen=True, slots=True)
class Remark:
    """A problem that a reader noticed and tolerated; ``code`` as in ``docs/formats.md``."""

    code: str
    message: str
    at: Place = NOWHERE
    game: int | None = None  # index into the sheet's games


@dataclass(frozen=True, slots=True)
class GameSheet:
    """One game as written. ``score`` is the heading's, None if it has none."""

    claims: tuple[Claim, ...]
    score: BySide[int] | None = None
    crawford: bool | None = None
    at: Place = NOWHERE
    # The packed place of each claim, for a reader that shares one claim between cells of the same text.
    places: tuple[int, ...] = ()
    # Facts before this game began, if the sheet has any.
    before: tuple[FactClaim, ...] = ()

    def place(self, index: int) -> Place:
        return Place(*divmod(self.places[index], PACKING)) if self.places else self.claims[index].at


@dataclass(frozen=True, slots=True)
class Sheet:
    """One match as written. ``length`` 0 is unlimited play, None is unknown."""

    format: str
    names: BySide[str]
    length: int | None
    games: tuple[GameSheet, ...]
    dialect: str = ""
    # Unknown keys are kept unchanged.
    tags: tuple[tuple[str, str], ...] = ()
    crawford: bool | None = None
    jacoby: bool | None = None
    beavers: bool | None = None
    cube: bool | None = None
    # Only our own records have these. Jacoby in a match is separate, since other programs write `jacoby` in
    # matches where it does not count.
    gammons: bool | None = None
    backgammons: bool | None = None
    match_jacoby: bool | None = None
    variant: str | None = None
    # Rules from a comment, as in our own format.
    told: dict[str, Any] = field(default_factory=dict[str, Any])
    remarks: tuple[Remark, ...] = field(default=())
