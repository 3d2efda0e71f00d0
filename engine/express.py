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
from typing import Final, NamedTuple

from engine.cells import BLANK, DICE, DOUBLE, DROP, HIGH, SHORT, TAKE, WIN, Cell, Odd, compiled, view
from engine.packed import FLAG, FLAGS, LANE, ONE, every
from engine.results import results

_LENGTH: Final = re.compile(r"^ ?([1-9]\d?) point match *$", re.MULTILINE)
_GAME: Final = re.compile(r"\n ?Game (\d{1,3}) *(?=\n)")
_SCORES: Final = re.compile(r" ?([^\n]*?) ?: (\d{1,2})  +([^\n]*?) ?: (\d{1,2}) *")
# The left cell is padded to 27; a longer one ends where the next cell begins.
_LONG_ROW: Final = re.compile(r"(.{28,}?)(?= \d\d:| Doubles| Takes| Drops| Wins|$)(.*)")
_NUMBERS: Final = "".join(f"{number:3d}) " for number in range(1, 1000))
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

_STANDARD: Final = {24: 2, 13: 5, 8: 3, 6: 5}
START: Final = view(_STANDARD, _STANDARD)
OWN: Final = (1 << HIGH) - 1
WAITING: Final = 8 * 25
BAR: Final = 0x0F << WAITING
# Taken from a view it leaves the opponent's flags only where two or more stand.
ONES: Final = every(1) << HIGH


class _Sent(dict[int, tuple[int, int]]):
    """For flagged points of the mover's view: what a hit there adds to that view, and to the view of who is hit."""

    def __missing__(self, hits: int) -> tuple[int, int]:
        seen = sent = 0
        left = hits >> HIGH
        while left:
            point = left.bit_length() >> 3
            left ^= FLAG[point]
            seen += 1 - (1 << 8 * point)
            sent += (1 << 8 * 25) - (1 << 8 * (25 - point))
        self[hits] = seen << HIGH, sent
        return self[hits]


SENT: Final = _Sent()


class CleanGame(NamedTuple):
    """A finished game of a clean sheet. ``how`` is ``bearoff``, ``drop`` or ``resign``; ``kind`` 1, 2 or 3."""

    winner: int
    points: int
    kind: int
    how: str
    cube: int
    crawford: bool
    plies: int


class CleanSheet(NamedTuple):
    """What a sheet without fault says."""

    length: int
    players: tuple[str, str]
    score: tuple[int, int]
    winner: int
    games: tuple[CleanGame, ...]


# Stands for the cell after the last one: it is not what anybody waits for.
NOTHING: Final[Cell] = (0, 0, 0, Odd(TAKE))


class Doubt(Exception):
    """Something the referee must look at."""


def read(data: bytes) -> CleanSheet | None:
    """Return what a MAT record says, None unless it is plain, complete and without any fault."""
    if len(data) > LONGEST or len(data.translate(None, CONTROL)) < len(data):
        return None
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
    games, marks = list[CleanGame](), set[bool]()
    for number, body in zip(rest[::2], rest[1::2], strict=True):
        if max(white, black) >= length or int(number) != len(games) + 1:
            raise Doubt
        heading, rows, tail = _lines(body)
        names = _heading(heading, names, (white, black))
        away = (length - white, length - black)
        crawford = not crawford_over and min(away) == 1 < max(away)
        crawford_over = crawford_over or min(away) == 1
        game = _Game(*_cells(rows, tail), away, crawford, marks).played()
        games.append(game)
        white, black = (white + game.points, black) if game.winner == 0 else (white, black + game.points)
    if names is None or max(white, black) < length or len(marks) > 1:
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
    if "".join([row[:5] for row in rows]) != _NUMBERS[: 5 * len(rows)]:
        raise Doubt
    return heading, rows, tail


def _cells(rows: list[str], tail: str) -> tuple[int, list[Cell]]:
    """Return who begins, and the cells of a game in their order, left and right in turn, from the first roll on."""
    texts = [""] * (2 * len(rows))
    texts[::2] = [row[5:33] for row in rows]
    texts[1::2] = [row[33:] for row in rows]
    if tail:
        _put_result(texts, tail)
    side = 0
    if texts and not texts[0].strip():
        side = 1
        del texts[0]
    cells = compiled(texts) or compiled(_pushed_aside(texts, side))
    dice = DICE.get(texts[0][:3]) if texts else None
    if cells is None or dice is None or dice[0] == dice[1]:  # R09, R10
        raise Doubt
    return side, cells


def _pushed_aside(texts: list[str], side: int) -> list[str]:
    """Return the cells anew where a long play has pushed the right one out of its column."""
    texts = texts.copy()
    for place in range(side, len(texts) - 1, 2):
        if texts[place][27:28].strip() and (found := _LONG_ROW.fullmatch(texts[place] + texts[place + 1])):
            texts[place], texts[place + 1] = found.groups()
    return texts


def _kind(cell: Cell) -> int:
    odd = cell[3]
    return odd.kind if odd else 0


def _put_result(cells: list[str], line: str) -> None:
    """Put ``Wins 2 points``, on a line of its own, into its column."""
    if cells and not cells[-1].strip():
        cells.pop()
    is_left = len(line) - len(line.lstrip()) < 20
    if is_left == len(cells) % 2:
        cells.append("")
    cells.append(line)


class _Game:
    """One game under way, as what each side sees (see `engine.cells`)."""

    __slots__ = ("away", "cells", "crawford", "cube", "marks", "owner", "plies", "side", "views")

    def __init__(
        self, side: int, cells: list[Cell], away: tuple[int, int], crawford: bool, marks: set[bool]
    ) -> None:
        self.cells = iter(cells)
        self.away = away
        self.crawford = crawford
        self.views = [START, START]
        self.cube, self.owner = 1, -1
        self.plies = 0
        # Are hits marked here? Writers mark all or none; anything between is for the referee.
        self.marks = marks
        # Whose cell comes next.
        self.side = side

    def played(self) -> CleanGame:
        """Play the cells in turn; the last one must say who won."""
        while True:
            ended = self.special(self.plain())
            if ended:
                return ended

    def plain(self) -> Cell:
        """Play on while every die is used and nobody wins, or nobody can enter; return the first other cell."""
        plies, marked = self.plies, False
        mine, theirs = self.views[self.side], self.views[self.side ^ 1]
        cell = NOTHING
        for cell in self.cells:
            step, seen, mask, odd = cell
            after = mine + step
            if odd:
                if odd.kind:
                    if step or not mask or not mine & BAR or mine - ONES & mask != mask:
                        break
                elif odd.is_off and after & 15 == 15:
                    break
                elif after & mask ^ FLAGS == odd.stars and not after - ONES & odd.stars:
                    if odd.stars:
                        met, sent = SENT[odd.stars]
                        after, theirs, marked = after + met, theirs + sent, True
                else:
                    after, theirs = self.hit(after, mask, odd.stars, theirs)
            elif after & mask != FLAGS:
                after, theirs = self.hit(after, mask, 0, theirs)
            # The turn passes.
            mine, theirs = theirs + seen, after
            plies += 1
        else:
            cell = NOTHING
        if marked:
            self.marks.add(True)
        self.side ^= plies - self.plies & 1
        self.plies = plies
        self.views[self.side], self.views[self.side ^ 1] = mine, theirs
        return cell

    def hit(self, after: int, mask: int, stars: int, theirs: int) -> tuple[int, int]:
        """Send what was met to the bar (R25), if it was one checker (R14) and the marks say so."""
        hits = after & mask ^ FLAGS
        if hits & OWN or after - ONES & hits or (stars and hits != stars):
            raise Doubt
        self.marks.add(stars != 0)
        seen, sent = SENT[hits]
        return after + seen, theirs + sent

    def special(self, cell: Cell) -> CleanGame | None:
        """Deal with whatever is no plain play; return the game if it is over with it."""
        step, _, _, odd = cell
        if odd is None or not odd.kind:
            return self.moved(cell)
        if odd.kind == DOUBLE:
            return self.doubled(odd.value)
        if odd.kind == WIN:
            return self.won(odd, "resign")
        if odd.kind == BLANK:
            self.side ^= 1
            return self.closed()
        if odd.kind != SHORT:
            raise Doubt
        if odd.door and self.views[self.side] >> WAITING & 15 > 1:
            # R29: one has entered, and the next one cannot.
            if self.views[self.side] - ONES & odd.door != odd.door:
                raise Doubt
            return self.moved(cell)
        used, found = results(self.position(self.side), max(odd.dice), min(odd.dice))
        if not step:
            return self.danced(used, len(found))
        ended = self.moved(cell)
        # Fewer dice than there were: it must be one of the legal plays (R19-R22).
        if odd.value != used or self.position(self.side ^ bool(not ended)) not in found:
            raise Doubt
        return ended

    def position(self, side: int) -> int:
        """Return the position as *side* sees it, packed."""
        seen = self.views[side]
        return seen & OWN ^ FLAGS | (seen >> HIGH) - ONE << 4

    def moved(self, cell: Cell) -> CleanGame | None:
        """Make the play and pass the turn; return the game if that won it (R40)."""
        step, seen, mask, odd = cell
        stars = odd.stars if odd else 0
        side, other = self.side, self.side ^ 1
        after, theirs = self.views[side] + step, self.views[other]
        if after & mask != FLAGS or stars:
            after, theirs = self.hit(after, mask, stars, theirs)
        self.views[side], self.views[other] = after, theirs + seen
        self.plies += 1
        self.side = other
        return self.closed(side, "bearoff") if after & 15 == 15 else None

    def danced(self, used: int, plays: int) -> CleanGame | None:
        """Nothing was played: a dance (R23), or a roll after which somebody resigned."""
        if used and plays == 1:
            raise Doubt  # a single play may have been forgotten
        self.plies += 1
        self.side ^= 1
        # The record gives the game to the other side, or it does not say plainly who resigned.
        return self.closed(self.side) if used else None

    def doubled(self, value: int) -> CleanGame | None:
        """A double by who may, to the next value, that is not idle, with its answer in the next cell."""
        side = self.side
        answer = _kind(next(self.cells, NOTHING))
        if self.crawford or value != self.cube * 2 or self.owner not in (-1, side):
            raise Doubt
        if answer not in (TAKE, DROP) or self.cube >= self.away[side] or not self.plies:
            raise Doubt
        if answer == TAKE:
            self.cube, self.owner = value, side ^ 1
            return None
        return self.closed(side, "drop")

    def closed(self, winner: int | None = None, how: str = "resign") -> CleanGame:
        """Return the game, of which nothing may be left but the cell that says who won."""
        cell = next(self.cells, NOTHING)
        while _kind(cell) == BLANK:
            self.side ^= 1
            cell = next(self.cells, NOTHING)
        wins = cell[3]
        if wins is None or wins.kind != WIN or (winner is not None and winner != self.side):
            raise Doubt
        return self.won(wins, how)

    def won(self, wins: Odd, how: str) -> CleanGame:
        """Return the game as the side in whose column that stands won it, if it is worth so much."""
        side = self.side
        if any(_kind(cell) != BLANK for cell in self.cells) or (wins.match and wins.value < self.away[side]):
            raise Doubt
        kind, rest = divmod(wins.value, self.cube)
        expected = self.kind(side) if how == "bearoff" else 1 if how == "drop" else kind
        if rest or kind != expected or not 1 <= kind <= 3:
            raise Doubt
        return CleanGame(side, wins.value, kind, how, self.cube, self.crawford, self.plies)

    def kind(self, winner: int) -> int:
        """Return 1, 2 or 3: a single game, a gammon, a backgammon (R41-R43)."""
        loser = self.views[winner ^ 1] & LANE
        if loser & 15:
            return 1
        return 3 if loser >> 8 * 19 else 2
