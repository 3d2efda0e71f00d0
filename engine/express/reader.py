"""The reader of plain sheets: splits them into columns, game by game.

`engine.express.cells` parses a cell, and `engine.express.game` plays a game. In any doubt (an unusual
spelling, a mark that is not a hit, a score that does not add up) the result is None.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import itemgetter
from typing import Final, NamedTuple

from engine.express.cells import BLANK, COLUMNS, DICE, NOTHING, Cell, trim_caches
from engine.express.game import CleanGame, PlainGame, RefereeRequired
from engine.formats.limits import LIMITS
from engine.formats.mat.headings import read_tag

_LENGTH: Final = re.compile(r"^ ?([1-9][0-9]?) point match *$", re.MULTILINE)
_SCORES: Final = re.compile(r" ?([^\n]*?) ?: ([0-9]{1,2})  +([^\n]*?) ?: ([0-9]{1,2}) *")
# The left cell is padded to 27 characters; a longer one ends where the next cell begins.
_LONG_ROW: Final = re.compile(r"(.{28,}?)(?= [0-9]{2}:| Doubles| Takes| Drops| Wins|$)(.*)")
_NUMBER: Final = itemgetter(slice(5))
_LEFT: Final = itemgetter(slice(5, 33))
_RIGHT: Final = itemgetter(slice(33, None))
_NUMBERS: Final = [f"{number:3d}) " for number in range(1, 1000)]
_MARKS: Final = re.compile(r"[:,]|  ")
_TAG: Final = re.compile(r'; \[([\w ]+) "([^\n]*)"\] *')
# Tags that say nothing about the rules, or only the default; a file with others is left to the referee.
_IDLE_TAGS: Final = frozenset(
    [
        "Site", "Match ID", "Event", "Round", "EventDate", "EventTime", "Time", "Transcriber", "Video", "Unrated",
        "Bracket", "ClockType", "TimeControl", "Player 1", "Player 2", "Player 1 Elo", "Player 2 Elo",
    ]
)  # fmt: skip
_USUAL: Final = frozenset(
    {("Variation", "Backgammon"), ("Crawford", "On"), ("CubeLimit", "1024"), ("CubeLimit", "64")}
)

# Characters that `str.split` treats as blanks and a line reader does not.
_BLANKS: Final = [bytes([code]) for code in range(128) if chr(code).isspace() and chr(code) not in " \n"]
# Longer files are left to the ordinary reader and its limits.
LONGEST: Final = 1 << 18
WIDEST: Final = 200


class CleanSheet(NamedTuple):
    length: int
    players: tuple[str, str]
    score: tuple[int, int]
    winner: int
    games: tuple[CleanGame, ...]


def read_clean_sheet(data: bytes) -> CleanSheet | None:
    """Parse a MAT file; None if it is unusual, incomplete or faulty in any way."""
    if len(data) > LONGEST:
        return None
    data = _normalise_newlines(data)
    if any(map(data.__contains__, _BLANKS)):
        return None
    trim_caches()
    try:
        return _read_sheet(data.decode("utf-8"))
    except (RefereeRequired, KeyError, UnicodeDecodeError):
        return None


def read_written_sheet(data: bytes) -> tuple[tuple[tuple[str, str], ...], Iterator[list[tuple[Cell, str]]]]:
    """Return the tags of an accepted sheet, and each game's cells from its first roll on, with their texts."""
    head, *bodies = _split_games(_normalise_newlines(data).decode("utf-8"))
    tags = tuple(tag for line in head.split("\n") if (tag := read_tag(line)))
    return tags, (_list_written_cells(str(number), body) for number, body in enumerate(bodies, 1))


def _list_written_cells(number: str, body: str) -> list[tuple[Cell, str]]:
    _, rows, _ = _split_game(number, body)
    cells, left, right = _read_columns(rows)
    texts = [text for row in zip(left, right, strict=True) for text in row]
    first = int(_is_blank(cells[0]))
    return list(zip(cells[first:], texts[first:], strict=True))


def _normalise_newlines(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n") if b"\r" in data else data


def _split_games(text: str) -> list[str]:
    """Split a sheet into its head and its games."""
    return text.split("\n Game " if "\n Game " in text else "\nGame ")


def _read_sheet(text: str) -> CleanSheet:
    head, *bodies = _split_games(text)
    names: tuple[str, str] | None = None
    length, given = _read_head(head)
    if len(bodies) == 1 and length > 1 and length & (length - 1) == 0:
        raise RefereeRequired  # unlimited play may be written as a match to so many points
    white, black, crawford_over = 0, 0, length == 1
    games, marked = list[CleanGame](), "*" in text
    for number, body in enumerate(bodies, 1):
        if white >= length or black >= length:
            raise RefereeRequired
        heading, rows, tail = _split_game(str(number), body)
        names = _read_heading(heading, names, (white, black))
        away = (length - white, length - black)
        is_near = not crawford_over and 1 in away
        crawford_over = crawford_over or is_near
        crawford = is_near and away != (1, 1)
        game = _play_game(rows, tail, away, crawford=crawford, marked=marked)
        games.append(game)
        white, black = (white + game.points, black) if game.winner == 0 else (white, black + game.points)
    if names is None or max(white, black) < length:
        raise RefereeRequired
    if given and given != {name.casefold() for name in names}:
        raise RefereeRequired
    return CleanSheet(length, names, (white, black), int(black > white), tuple(games))


def _read_head(head: str) -> tuple[int, set[str]]:
    """Return the length of the match, and the players' names in its tags."""
    found = _LENGTH.search(head)
    if not found:
        raise RefereeRequired
    given = set[str]()
    for line in head.split("\n"):
        if not line or line == found[0]:
            continue
        tag = _TAG.fullmatch(line)
        if not tag or not line.isprintable() or (tag[1] not in _IDLE_TAGS and tag.groups() not in _USUAL):
            raise RefereeRequired
        if tag[1] in ("Player 1", "Player 2") and tag[2]:
            given.add(tag[2].casefold())
    return int(found[1]), given


def _read_heading(line: str, names: tuple[str, str] | None, score: tuple[int, int]) -> tuple[str, str]:
    found = _SCORES.fullmatch(line) if len(line) <= WIDEST else None
    if not found or (int(found[2]), int(found[4])) != score:
        raise RefereeRequired
    here = (found[1], found[3])
    if here != names and (names is not None or not _are_plain_names(here)):
        raise RefereeRequired
    return here


def _are_plain_names(names: tuple[str, str]) -> bool:
    return all(
        name.isprintable() and name and len(name) <= LIMITS.letters and not _MARKS.search(name)
        for name in names
    )


def _split_game(number: str, body: str) -> tuple[str, list[str], str]:
    """Split a game into its heading, its rows, and the line below them if there is one.

    The rows must be numbered consecutively, without other lines between them.
    """
    title, *lines = body.rstrip(" \n").split("\n")
    heading, rows = lines[0] if lines else "", lines[1:]
    tail = rows.pop() if rows and rows[-1][3:5] != ") " else ""
    if title.rstrip(" ") != number or not rows or list(map(_NUMBER, rows)) != _NUMBERS[: len(rows)]:
        raise RefereeRequired
    return heading, rows, tail


def _play_game(
    rows: list[str], tail: str, away: tuple[int, int], *, crawford: bool, marked: bool
) -> CleanGame:
    """Play the game in *rows*; *tail* is a result below them."""
    cells, _, _ = _read_columns(rows)
    if tail:
        _add_result(cells, tail)
    # Black begins if the first cell of the left column is blank.
    first = int(_is_blank(cells[0]))
    dice = DICE.get(rows[0][33:36] if first else rows[0][5:8])
    if dice is None or dice[0] == dice[1]:  # R09, R10
        raise RefereeRequired
    return PlainGame(cells[first:], away, crawford=crawford, marked=marked).played()


def _read_columns(rows: list[str]) -> tuple[list[Cell], list[str], list[str]]:
    """Return the cells of a game in order, left and right in turn, and the texts of both columns."""
    left, right = list(map(_LEFT, rows)), list(map(_RIGHT, rows))
    try:
        cells = _look_up_cells(left, right)
    except KeyError:
        _split_long_rows(rows, left, right)
        cells = _look_up_cells(left, right)
    return cells, left, right


def _look_up_cells(left: list[str], right: list[str]) -> list[Cell]:
    cells = [NOTHING] * (2 * len(left))
    cells[::2] = map(COLUMNS[0].__getitem__, left)
    cells[1::2] = map(COLUMNS[1].__getitem__, right)
    return cells


def _split_long_rows(rows: list[str], left: list[str], right: list[str]) -> None:
    """Split the cells again where a long play has pushed the right one out of its column."""
    for number, row in enumerate(rows):
        if row[32:33].strip() and (found := _LONG_ROW.fullmatch(row, 5)):
            left[number], right[number] = found.groups()


def _add_result(cells: list[Cell], line: str) -> None:
    """Put ``Wins 2 points``, on a separate line, into its column."""
    if _is_blank(cells[-1]):
        cells.pop()
    is_left = len(line) - len(line.lstrip()) < 20
    if is_left == len(cells) % 2:
        cells.append(NOTHING)
    cells.append(COLUMNS[len(cells) % 2][line])


def _is_blank(cell: Cell) -> bool:
    return cell[2].kind == BLANK
