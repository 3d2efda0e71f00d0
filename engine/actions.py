"""The facts of a match journal and their JSON form.

A fact has happened: a roll, a play, a ruling. `engine.match.apply` decides whether it is legal; this module
only defines the types and their serialization. The JSON form carries a version; journals of every version
stay in ``tests/engine/journals``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, TypeAlias, cast, get_args

from engine.board import Board, Step
from engine.cube import Cube
from engine.dice import Dice
from engine.errors import EngineError, Unreadable
from engine.side import SIDES, BySide, Side

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Opened:
    """An opening roll of one die by each side; equal dice are a tie and are rolled again (R09, R10)."""

    white: int
    black: int

    @property
    def is_tie(self) -> bool:
        return self.white == self.black


@dataclass(frozen=True, slots=True)
class Rolled:
    side: Side
    dice: Dice


@dataclass(frozen=True, slots=True)
class Played:
    """A play of *side*; no steps if no play was possible (R23)."""

    side: Side
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Doubled:
    """A double: *side* offered the cube at twice its value."""

    side: Side


@dataclass(frozen=True, slots=True)
class Beavered:
    """A beaver: *side* accepted and redoubled at once, keeping the cube. After a beaver this is a raccoon."""

    side: Side


@dataclass(frozen=True, slots=True)
class Took:
    """A take: *side* accepted the cube (R47)."""

    side: Side


@dataclass(frozen=True, slots=True)
class Dropped:
    """A drop: *side* refused the cube and lost the game (R46)."""

    side: Side


@dataclass(frozen=True, slots=True)
class ResignOffered:
    """An offer of *side* to lose a single game (1), a gammon (2) or a backgammon (3)."""

    side: Side
    level: int = 1


@dataclass(frozen=True, slots=True)
class ResignAccepted:
    side: Side


@dataclass(frozen=True, slots=True)
class ResignDeclined:
    side: Side


@dataclass(frozen=True, slots=True)
class Conceded:
    """A concession: *side* gave up the whole match."""

    side: Side


@dataclass(frozen=True, slots=True)
class Flagged:
    """A fallen flag: *side* lost the match or, if *points* are given, that many points to the opponent."""

    side: Side
    points: int | None = None


@dataclass(frozen=True, slots=True)
class Penalised:
    """A penalty of *side*: the points go to the opponent and can lead to the Crawford game.

    A negative number takes that many penalty points back.
    """

    side: Side
    points: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ReportedGame:
    """A game of which only the result is known; *kind* is 1, 2 or 3, *cube* the value of the cube."""

    winner: Side
    points: int
    kind: int | None = None
    cube: int | None = None


@dataclass(frozen=True, slots=True)
class ReportedScore:
    """A match, or the rest of one, of which only the score is known."""

    score: BySide[int]


@dataclass(frozen=True, slots=True)
class RuledPosition:
    """A position set by the director: *turn* is on roll, with *dice* if they have been rolled already."""

    board: Board
    turn: Side
    cube: Cube
    dice: Dice | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RuledScore:
    """A score set by the director; *crawford_played* if the score alone leaves that open."""

    score: BySide[int]
    crawford_played: bool | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RuledGame:
    winner: Side
    points: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RuledMatch:
    """A match awarded to *winner* by the director: a forfeit, a walkover, a disqualification."""

    winner: Side
    reason: str = ""


@dataclass(frozen=True, slots=True)
class VoidedGame:
    """A ruling that the current game does not count and is played again."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class VoidedMatch:
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A takeback of everything after the first *to* facts; the journal keeps what is taken back."""

    to: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TimeCredited:
    side: Side
    milliseconds: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Paused:
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Resumed:
    reason: str = ""


Action: TypeAlias = (
    Opened
    | Rolled
    | Played
    | Doubled
    | Beavered
    | Took
    | Dropped
    | ResignOffered
    | ResignAccepted
    | ResignDeclined
    | Conceded
    | Flagged
    | Penalised
    | ReportedGame
    | ReportedScore
    | RuledPosition
    | RuledScore
    | RuledGame
    | RuledMatch
    | VoidedGame
    | VoidedMatch
    | TakenBack
    | TimeCredited
    | Paused
    | Resumed
)


def _hyphenate(name: str) -> str:
    return "".join("-" + letter.lower() if letter.isupper() else letter for letter in name).lstrip("-")


KINDS: Final[dict[str, type[Action]]] = {_hyphenate(kind.__name__): kind for kind in get_args(Action)}
NAMES: Final[dict[type[Action], str]] = {kind: name for name, kind in KINDS.items()}
CUBE_WORDS: Final[dict[type[Action], str]] = {
    Doubled: "double", Beavered: "beaver", Took: "take", Dropped: "drop",
}  # fmt: skip


def to_json(action: Action) -> dict[str, Any]:
    """Serialize *action* as JSON types.

    >>> to_json(Rolled(Side.WHITE, Dice(6, 5)))
    {'v': 1, 'fact': 'rolled', 'side': 'white', 'dice': '65'}
    """
    plain: dict[str, Any] = {"v": VERSION, "fact": NAMES[type(action)]}
    for each in fields(action):
        value = getattr(action, each.name)
        if value != each.default:
            plain[each.name] = _serialize_value(value)
    return plain


def _serialize_value(value: object) -> object:
    match value:
        case Side():
            return value.word
        case Dice():
            return str(value)
        case Board():
            return value.text()
        case Cube():
            return {"value": value.value, "owner": value.owner.word if value.owner is not None else None}
        case BySide():
            return list(cast("BySide[int]", value))
        case tuple():
            return [[step.source, step.target] for step in cast("tuple[Step, ...]", value)]
        case _:
            return value


def from_json(data: object) -> Action:
    """Parse the output of `to_json`; raises Unreadable if it is malformed or of another version.

    >>> from_json({"v": 1, "fact": "played", "side": "black", "steps": [[24, 18], [13, 8]]})
    Played(side=<Side.BLACK: 1>, steps=(Step(source=24, target=18), Step(source=13, target=8)))
    """
    if not isinstance(data, Mapping):
        raise Unreadable("bad-action", "An action is an object with a fact in it.")
    given = dict(cast("Mapping[str, object]", data))
    if given.pop("v", None) != VERSION:
        raise Unreadable("bad-action", f"Only version {VERSION} of the journal can be read here.")
    name = given.pop("fact", None)
    kind = KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise Unreadable("bad-action", f"{name!r} is no fact.", fact=name)
    known = {each.name: str(each.type) for each in fields(kind)}
    try:
        values = {key: _read_value(known[key], value) for key, value in given.items()}
        return kind(**values)
    except (KeyError, TypeError, ValueError) as error:
        raise Unreadable("bad-action", f"The fact {name} does not read so: {error}.", fact=name) from error
    except EngineError as error:
        raise Unreadable("bad-action", f"The fact {name} does not read so: {error}", fact=name) from error


def _read_value(kind: str, value: object) -> Any:
    if value is None and kind.endswith("| None"):
        return None
    return READERS[kind.removesuffix(" | None")](value)


def _read_text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def read_number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is no whole number")
    return value


def read_bool(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{value!r} is neither true nor false")
    return value


def _read_steps(value: object) -> tuple[Step, ...]:
    return tuple(Step(*(read_number(point) for point in _read_list(pair, 2))) for pair in _read_list(value))


def _read_score(value: object) -> BySide[int]:
    white, black = _read_list(value, 2)
    return BySide(read_number(white), read_number(black))


def _read_list(value: object, length: int | None = None) -> list[object]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is no list")
    items = cast("list[object]", value)
    if length is not None and len(items) != length:
        raise ValueError(f"{items!r} should have {length} members")
    return items


def _read_cube(value: object) -> Cube:
    if not isinstance(value, dict):
        raise TypeError(f"{value!r} is no cube")
    given = cast("dict[str, object]", value)
    owner = given["owner"]
    return Cube(read_number(given["value"]), None if owner is None else SIDES[_read_text(owner)])


READERS: Final[dict[str, Callable[[object], object]]] = {
    "Side": lambda value: SIDES[_read_text(value)],
    "Dice": lambda value: Dice.parse(_read_text(value)),
    "Board": lambda value: Board.parse(_read_text(value)),
    "Cube": _read_cube,
    "BySide[int]": _read_score,
    "tuple[Step, ...]": _read_steps,
    "int": read_number,
    "bool": read_bool,
    "str": _read_text,
}
