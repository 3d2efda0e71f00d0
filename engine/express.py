"""The express lane: a score sheet without fault is adjudicated in one pass.

Nearly every record a club is handed is in the plain layout and without fault. For those this room does
all that the referee does, a few additions a play, and nothing else. At the slightest doubt (an unusual
spelling, a mark that is not a hit, a score that does not add up) it answers None, and the referee reads
the whole sheet and says what is the matter. So it never finds a fault, and never excuses one.

A play that uses every die is legal if each step is: nothing else could use more. With the sides' checkers
as lanes (`engine.packed`) the steps of a play need one addition and one AND for the sources, one of each
for the targets. Plays that use fewer dice are compared with the list of legal ones.
"""

from __future__ import annotations

import re
from operator import itemgetter
from typing import Final, NamedTuple

from engine.cells import DICE, trim
from engine.express_game import CleanGame, Doubt, Game

_LENGTH: Final = re.compile(r"^ ?([1-9]\d?) point match *$", re.MULTILINE)
_GAME: Final = re.compile(r"\n ?Game (\d{1,3}) *(?=\n)")
_SCORES: Final = re.compile(r" ?([^\n]*?) ?: (\d{1,2})  +([^\n]*?) ?: (\d{1,2}) *")
# The left cell is padded to 27; a longer one ends where the next cell begins.
_LONG_ROW: Final = re.compile(r"(.{28,}?)(?= \d\d:| Doubles| Takes| Drops| Wins|$)(.*)")
_COLUMNS: Final = itemgetter(slice(5), slice(5, 33), slice(33, None))
_NUMBERS: Final = [f"{number:3d}) " for number in range(1, 1000)]
_MARKS: Final = re.compile(r"[:,]|  ")
_TAG: Final = re.compile(r'; \[([\w ]+) "([^\n]*)"\] *')
# Tags that say nothing about the rules, or the usual thing; any other is for the referee.
_IDLE_TAGS: Final = frozenset(
    [
        "Site",
        "Match ID",
        "Event",
        "Round",
        "EventDate",
        "EventTime",
        "Time",
        "Transcriber",
        "Video",
        "Unrated",
        "Bracket",
        "ClockType",
        "TimeControl",
        "Player 1",
        "Player 2",
        "Player 1 Elo",
        "Player 2 Elo",
    ]
)
_USUAL: Final = frozenset(
    {("Variation", "Backgammon"), ("Crawford", "On"), ("CubeLimit", "1024"), ("CubeLimit", "64")}
)

# Anything longer is for the reader's own limits.
LONGEST: Final = 1 << 18
WIDEST: Final = 200
# Any control but the end of a line: tabs, lone carriage returns, the null byte.
CONTROL: Final = bytes({*range(32), 127} - {10})

class CleanSheet(NamedTuple):
    """What a sheet without fault says."""

    length: int
    players: tuple[str, str]
    score: tuple[int, int]
    winner: int
    games: tuple[CleanGame, ...]


def read(data: bytes) -> CleanSheet | None:
    """Return what a MAT record says, None unless it is plain, complete and without any fault."""
    if len(data) > LONGEST or len(data.translate(None, CONTROL)) < len(data):
        return None
    trim()
    try:
        return _sheet(data.decode("utf-8"))
    except (Doubt, UnicodeDecodeError):
        return None


def _sheet(text: str) -> CleanSheet:
    head, *rest = _GAME.split(text)
    names: tuple[str, str] | None = None
    length, given = _head(head)
    if len(rest) == 2 and length > 1 and length & (length - 1) == 0:
        raise Doubt  # unlimited play may call itself a match of so many points
    white, black, crawford_over = 0, 0, length == 1
    games, marked = list[CleanGame](), "*" in text
    for number, body in zip(rest[::2], rest[1::2], strict=True):
        if max(white, black) >= length or int(number) != len(games) + 1:
            raise Doubt
        heading, rows, tail = _lines(body)
        names = _heading(heading, names, (white, black))
        away = (length - white, length - black)
        crawford = not crawford_over and min(away) == 1 < max(away)
        crawford_over = crawford_over or min(away) == 1
        game = _game(rows, tail, away, crawford=crawford, marked=marked)
        games.append(game)
        white, black = (white + game.points, black) if game.winner == 0 else (white, black + game.points)
    if names is None or max(white, black) < length:
        raise Doubt
    if given and given != {name.casefold() for name in names}:
        raise Doubt
    return CleanSheet(length, names, (white, black), int(black > white), tuple(games))


def _head(head: str) -> tuple[int, set[str]]:
    """Return the length of the match, and the names its tags give the players."""
    found = _LENGTH.search(head)
    if not found:
        raise Doubt
    given = set[str]()
    for line in head.split("\n"):
        if not line or line == found[0]:
            continue
        tag = _TAG.fullmatch(line)
        if not tag or (tag[1] not in _IDLE_TAGS and tag.groups() not in _USUAL):
            raise Doubt
        if tag[1] in ("Player 1", "Player 2") and tag[2]:
            given.add(tag[2].casefold())
    return int(found[1]), given


def _heading(line: str, names: tuple[str, str] | None, score: tuple[int, int]) -> tuple[str, str]:
    found = _SCORES.fullmatch(line) if len(line) <= WIDEST else None
    if not found or (int(found[2]), int(found[4])) != score:
        raise Doubt
    here = (found[1], found[3])
    if here != names and (names is not None or not _are_plain(here)):
        raise Doubt
    return here


def _are_plain(names: tuple[str, str]) -> bool:
    return all(name.isprintable() and name and not _MARKS.search(name) for name in names)


def _lines(body: str) -> tuple[str, list[str], str]:
    """Return the heading of a game, its rows, and the line below them if there is one.

    The rows must be numbered as they should be, and nothing may stand between them.
    """
    lines = body.rstrip().split("\n")
    heading, rows = lines[1] if len(lines) > 1 else "", lines[2:]
    tail = rows.pop() if rows and rows[-1][3:5] != ") " else ""
    return heading, rows, tail


def _game(
    rows: list[str], tail: str, away: tuple[int, int], *, crawford: bool, marked: bool
) -> CleanGame:
    texts = _cells(rows, tail)
    # Black begins where the first cell of the left column is blank.
    side = 0
    if texts and not texts[0].strip():
        side = 1
        del texts[0]
    dice = DICE.get(texts[0][:3]) if texts else None
    if dice is None or dice[0] == dice[1]:  # R09, R10
        raise Doubt
    try:
        game = Game(side, texts, away, crawford=crawford, marked=marked)
    except KeyError:
        try:
            game = Game(side, _pushed_aside(texts, side), away, crawford=crawford, marked=marked)
        except KeyError:
            raise Doubt from None
    return game.played()


def _cells(rows: list[str], tail: str) -> list[str]:
    """Return the cells of a game in their order, left and right in turn."""
    numbers, left, right = zip(*map(_COLUMNS, rows), strict=True) if rows else ((), (), ())
    if list(numbers) != _NUMBERS[: len(rows)]:
        raise Doubt
    texts = [""] * (2 * len(rows))
    texts[::2], texts[1::2] = left, right
    if tail:
        _put_result(texts, tail)
    return texts


def _pushed_aside(texts: list[str], side: int) -> list[str]:
    """Return the cells anew where a long play has pushed the right one out of its column."""
    texts = texts.copy()
    for place in range(side, len(texts) - 1, 2):
        if texts[place][27:28].strip() and (found := _LONG_ROW.fullmatch(texts[place] + texts[place + 1])):
            texts[place], texts[place + 1] = found.groups()
    return texts


def _put_result(cells: list[str], line: str) -> None:
    """Put ``Wins 2 points``, on a line of its own, into its column."""
    if cells and not cells[-1].strip():
        cells.pop()
    is_left = len(line) - len(line.lstrip()) < 20
    if is_left == len(cells) % 2:
        cells.append("")
    cells.append(line)


