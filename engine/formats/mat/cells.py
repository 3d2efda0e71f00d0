"""A parser of one cell of a row: a roll and its play, a cube action, a resignation or a result."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from engine.errors import Unreadable
from engine.formats.notation import parse_play
from engine.sheet import Claim, CubeClaim, CubeWord, Hop, ResignClaim, Turn, TurnKind, WinClaim
from engine.side import BLACK, WHITE, Side
from engine.strokes import compile_words

MOST: Final = 32_768
LONGEST: Final = 64
LONG: Final = 256

DICE: Final = {f"{first}{second}:": (first, second) for first in range(10) for second in range(10)}
NOT_ROLLED: Final = "00:"
DICE.pop(NOT_ROLLED)

DANCES: Final = frozenset({"cannot move", "can't move", "cannot move.", "no move"})
LEVELS: Final = {"backgammon": 3, "gammon": 2, "normal": 1, "single": 1}
CUBE_WORDS: Final = {
    "double": CubeWord.DOUBLE,
    "beaver": CubeWord.BEAVER,
    "raccoon": CubeWord.RACCOON,
    "take": CubeWord.TAKE,
    "drop": CubeWord.DROP,
}

VALUE: Final = re.compile(r"=+>\s*(\d{1,7})")
POINTS: Final = re.compile(r"\w+\s+(\d{1,7})")


class HopCache(dict[str, Hop]):
    """Cache of parsed hop words; all plays consist of a few hundred of them."""

    def __missing__(self, word: str) -> Hop:
        (hop,) = parse_play(word)
        if len(self) < MOST:
            self[word] = hop
        return hop


class CellCache(dict[str, "Claim | None"]):
    """Cache of the plain cells of one side; claims are immutable, so that rows can share them.

    A key is the part of a row between its number and the end of the column: *head*, cell, *tail*. The value
    is None if it is no plain cell: then the splitter must handle the row.
    """

    def __init__(self, side: Side, head: str = "", tail: str = "") -> None:
        super().__init__()
        self.side, self.head, self.tail = side, head, tail

    def __missing__(self, text: str) -> Claim | None:
        if len(text) > LONGEST or not (text.startswith(self.head) and text.endswith(self.tail)):
            return None
        claim = parse_plain_cell(self.side, text.removeprefix(self.head))
        if len(self) >= MOST:
            self.clear()
        self[text] = claim
        return claim


def parse_plain_cell(side: Side, text: str) -> Claim | None:
    """Return the one claim of a plain cell; None for an empty or any other cell.

    >>> parse_plain_cell(WHITE, "31: 8/5 6/5 ").hops
    (Hop(points=(8, 5), starred=(), times=1), Hop(points=(6, 5), starred=(), times=1))
    """
    words = text.split()
    if not words or text.startswith("  "):  # indented this far, it may belong to the other column
        return None
    dice = DICE.get(words[0])
    if dice is None:
        return _parse_plain_cube(side, words)
    del words[0]
    stroke = compile_words(side, dice, words)
    if stroke:
        return Turn.unread(side, dice, text, stroke)
    try:
        hops = tuple(map(HOPS.__getitem__, words))
    except (Unreadable, ValueError):
        return None
    return Turn(side, dice, TurnKind.PLAY if hops else TurnKind.NOTHING, hops, text=" ".join(text.split()))


def _parse_plain_cube(side: Side, words: list[str]) -> Claim | None:
    match words:
        case ["Takes"]:
            return CubeClaim(side, CubeWord.TAKE, text="Takes")
        case ["Drops"]:
            return CubeClaim(side, CubeWord.DROP, text="Drops")
        case ["Doubles", "=>", value] if value.isdecimal():
            return CubeClaim(side, CubeWord.DOUBLE, int(value), text=" ".join(words))
        case _:
            return None


HOPS: Final = HopCache()
LEFT_CELLS: Final = CellCache(WHITE, head=") ", tail=" ")
RIGHT_CELLS: Final = CellCache(BLACK)


@lru_cache(4096)
def parse_cell(side: Side, kind: str, text: str) -> tuple[Claim, ...]:
    """Return the claims of a cell that the splitter found; *kind* is the kind of its first token.

    Raises Unreadable for a malformed play.
    """
    if len(text) > LONG:
        raise Unreadable("corrupt-row", f"This is too long for a cell: {text[:40]}...")
    return READERS[kind](side, " ".join(text.split()))


def _parse_roll(side: Side, text: str) -> tuple[Claim, ...]:
    dice = DICE.get(text[:3])
    rest = text[3:].lstrip()
    word = rest.lower()
    if word.startswith(("concede", "resign")):
        given = _parse_resignation(side, rest)
        return given if dice is None else (Turn(side, dice, text=text[:3]), *given)
    if not word.strip("?"):
        if word and dice is None:
            return (ResignClaim(side, text=text),)
        return (Turn(side, dice, TurnKind.UNKNOWN if word else TurnKind.NOTHING, text=text),)
    if word in DANCES:
        return (Turn(side, dice, TurnKind.DANCE, text=text),)
    return (Turn(side, dice, TurnKind.PLAY, parse_play(rest), text=text),)


def _parse_cube(side: Side, text: str) -> tuple[Claim, ...]:
    word = next(word for name, word in CUBE_WORDS.items() if name in text.lower())
    value = VALUE.search(text)
    return (CubeClaim(side, word, int(value[1]) if value else None, text=text),)


def _parse_win(side: Side, text: str) -> tuple[Claim, ...]:
    points = POINTS.match(text)
    return (WinClaim(side, int(points[1]) if points else None, match="match" in text.lower(), text=text),)


def _parse_resignation(side: Side, text: str) -> tuple[Claim, ...]:
    word = text.lower()
    level = next((level for name, level in LEVELS.items() if name in word), None)
    # "Resigned Game" is in the winner's column on one site; only "Wins" names the winner.
    who = None if word.startswith("resigned") else side
    return (ResignClaim(who, level, match="match" in word, text=text),)


READERS: Final[dict[str, Callable[[Side, str], tuple[Claim, ...]]]] = {
    "dice": _parse_roll,
    "cube": _parse_cube,
    "win": _parse_win,
    "loss": lambda _side, _text: (),  # the other half of "Wins"
    "resign": _parse_resignation,
    "unknown": lambda side, text: (ResignClaim(side, text=text),),
}
