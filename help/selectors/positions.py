"""The positions that help shows, and the claims about each (`help/texts/positions.toml`).

The reader plays White and all points are in White's numbers, the opponent's checkers too: ``you = "13:1"`` and
``they = "7:2"`` are a checker on the 13-point and two that block the 7-point. All other checkers are borne
off.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from engine.board import BAR, STANDARD, Board
from engine.cube import Cube
from engine.dice import Dice
from engine.side import BLACK, WHITE, BySide
from engine.situation import Offer, Situation
from help.selectors.files import TEXTS

if TYPE_CHECKING:
    from collections.abc import Mapping

OWNERS: Final = {"you": WHITE, "they": BLACK, "": None}


@dataclass(frozen=True, slots=True)
class Position:
    """A position with claims about it; the tests check the claims with the engine."""

    name: str
    situation: Situation
    # Plays in notation; for illegal ones, the rule that forbids them.
    legal: tuple[str, ...] = ()
    illegal: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    # The number of legal plays; 0 if there are none.
    plays: int | None = None
    # The pip counts, yours first.
    pips: tuple[int, int] | None = None
    # The number on the cube.
    face: str = ""
    # "yes", or the rule that forbids a double.
    double: str = ""
    # What you have won: 1, 2 or 3 times the cube.
    won: int = 0
    # The engine's best play.
    best: str = ""
    # The engine's cube decision, as in `opinion.judging.positions.Advice`.
    advice: str = ""
    # The number of the 36 rolls that bear off everything.
    rolls: int = 0


@lru_cache(maxsize=1)
def load_positions() -> Mapping[str, Position]:
    told = tomllib.loads((TEXTS / "positions.toml").read_text(encoding="utf-8"))
    return {name: read_position(name, values) for name, values in told.items()}


def read_position(name: str, values: dict[str, Any]) -> Position:
    rest = dict(values)
    situation = _read_situation(rest)
    pips = rest.pop("pips", None)
    return Position(
        name=name,
        situation=situation,
        legal=tuple(rest.pop("legal", ())),
        pips=None if pips is None else (pips[0], pips[1]),
        **rest,
    )


def _read_situation(values: dict[str, Any]) -> Situation:
    """Remove the fields of the situation from *values* and read them."""
    board = (
        STANDARD if values.pop("start", False) else _read_board(values.pop("you", ""), values.pop("they", ""))
    )
    dice = values.pop("dice", "")
    cube = values.pop("cube", 0)
    score = values.pop("score", (0, 0))
    return Situation(
        board=board,
        dice=Dice.parse(dice.replace("-", "")) if dice else None,
        cube=Cube(cube or 1, OWNERS[values.pop("owner", "")]),
        length=values.pop("length", 0),
        score=BySide(*score),
        crawford=values.pop("crawford", False),
        offer=Offer.DOUBLE if values.pop("offer", False) else None,
        # Without a cube value, the diagram shows no cube.
        highest=10 if cube else 0,
    )


def _read_board(yours: str, theirs: str) -> Board:
    turned = {BAR if point == BAR else BAR - point: number for point, number in _read_counts(theirs).items()}
    return Board.from_counts(_read_counts(yours), turned)


def _read_counts(text: str) -> dict[int, int]:
    """Read numbers of checkers by point, as in ``bar:1 6:2``."""
    words = (word.split(":") for word in text.split())
    return {BAR if point == "bar" else int(point): int(number) for point, number in words}
