"""The splitting of a row into the cells of its two columns.

The right column has no fixed start: it differs between programs, depends on the width of the row's number,
and moves right for a long left cell, with as little as one blank between. So cells are detected by their
first token, and the column only decides ambiguous cases.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice, zip_longest
from typing import Final, NamedTuple

from engine.side import BLACK, WHITE, Side

NUMBER: Final = re.compile(r"\s*(?:(\d{1,4})|\*)\)")
# All cells begin with one of these. The lookahead for one character makes the search four times as fast.
TOKEN: Final = re.compile(
    r"(?=[\d?a-z])(?:(?P<dice>(?<!\d)\d\d:)|(?P<unknown>\?{2,})"
    r"|\b(?:(?P<cube>(?:(?:re)?doubles?|beavers?|raccoons?|takes?|drops?)\b)"
    r"|(?P<win>wins?\b)|(?P<loss>loss(?:es)?\b)|(?P<resign>(?:concede|resign)\w*)"
    r"|(?P<illegal>illegal\s+play\b(?:\s*\((?:[^;]{0,100};){40}\s*\)?)?)))",
    re.IGNORECASE | re.ASCII,
)
# Tokens that belong to the roll before them if only blanks are between.
SEQUELS: Final = frozenset({"resign", "unknown", "illegal"})
# A number repeated at the start of the right column.
AGAIN: Final = re.compile(r"(?:(?<=\s)|^)(?:(\d{1,4})|\*)\)\s*$")
# How far left of its column a right cell may begin.
SLACK: Final = 4
SHORT: Final = 160


class Cell(NamedTuple):
    """A piece of a row: its side, its start (from 0), the kind of its first token, and its text."""

    side: Side
    start: int
    kind: str
    text: str


class Row(NamedTuple):
    """The cells of a row; ``torn`` if two rows seem to share a line (Q-33), ``rest`` is other text."""

    cells: tuple[Cell, ...]
    torn: bool = False
    rest: str = ""


class _Piece(NamedTuple):
    start: int
    end: int
    kind: str


def split_row(line: str, right: int) -> Row:
    """Split *line*, whose right column usually begins at *right*.

    >>> [(cell.side.word, cell.text) for cell in split_row(" 8) 55: 25/20 20/15 15/10 10/5* 66:", 33).cells]
    [('white', '55: 25/20 20/15 15/10 10/5*'), ('black', '66:')]
    """
    return _remembered(line, right) if len(line) <= SHORT else _split_uncached(line, right)


def _split_uncached(line: str, right: int) -> Row:
    number = NUMBER.match(line)
    begin = number.end() if number else 0
    pieces = _find_pieces(line, begin, right)
    torn = False
    texts: list[str] = []
    for piece, after in zip_longest(pieces, pieces[1:]):
        text, again = _strip_number(line[piece.start : after.start if after else len(line)])
        torn = torn or _is_other_number(again, number)
        texts.append(text)
    rest, again = _strip_number(line[begin : pieces[0].start if pieces else len(line)])
    # A separate result below the rows is indented by 6 or by 34, independently of the width of the rows.
    edge = right - SLACK if number or len(pieces) > 1 else right // 2
    sides = _assign_sides([piece.start for piece in pieces], edge, len(line))
    cells = (
        Cell(side, piece.start, piece.kind, text)
        for side, piece, text in zip(sides, pieces, texts, strict=True)
    )
    return Row(tuple(cells), torn or _is_other_number(again, number), rest.strip())


# Cached, since results and other lines without a roll are few and recur often.
_remembered: Final = lru_cache(2048)(_split_uncached)


def _find_pieces(line: str, begin: int, right: int) -> list[_Piece]:
    """Find the starts of cells: all tokens except those that continue a roll."""
    pieces: list[_Piece] = []
    for token in TOKEN.finditer(line, begin):
        kind, start = token.lastgroup or "", token.start()
        before = pieces[-1] if pieces else None
        if (
            before is not None
            and before.kind == "dice"
            and kind in SEQUELS
            and not line[before.end : start].strip()
            and not before.start < right - SLACK <= start
        ):
            pieces[-1] = _Piece(before.start, token.end(), "illegal" if kind == "illegal" else "dice")
        else:
            pieces.append(_Piece(start, token.end(), kind))
    return pieces


def _strip_number(text: str) -> tuple[str, re.Match[str] | None]:
    text = text.rstrip()
    again = AGAIN.search(text) if text.endswith(")") else None
    return (text[: again.start()].rstrip(), again) if again else (text, None)


def _is_other_number(again: re.Match[str] | None, number: re.Match[str] | None) -> bool:
    return again is not None and number is not None and again[1] != number[1]


def _assign_sides(starts: list[int], edge: int, width: int) -> list[Side]:
    """Assign each cell to a column, the right one beginning at *edge* or after it."""
    sides = [BLACK if start >= edge else WHITE for start in starts]
    if len(starts) == 2:
        sides[1] = BLACK
    elif len(starts) > 2 and starts[-1] > width // 2:
        sides[-1] = BLACK
    return sides


def find_right_column(lines: Iterable[str]) -> int | None:
    """Return the usual start of the second roll or cube word of these rows; None if no row has one."""
    starts: Counter[int] = Counter()
    for line in lines:
        number = NUMBER.match(line)
        found = TOKEN.finditer(line, number.end()) if number else iter(())
        tokens = [token for token in islice(found, 3) if token.lastgroup in ("dice", "cube")]
        if len(tokens) > 1:
            # A cube word is indented by one more than a roll.
            starts[tokens[1].start() - (tokens[1].lastgroup == "cube")] += 1
    return starts.most_common(1)[0][0] if starts else None
