"""A reader of FIBS ``oldmoves``: one line for each turn, the sides called X and O.

X counts the points down and O up, both in the same numbering; some programs write O's plays in O's own
numbering, so this is detected from the plays. From game to game the letters may be exchanged, and FIBS may
write a score in the wrong order: names and the running score correct both. The first game's X is White.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from engine.board import BAR, OFF
from engine.errors import Unreadable
from engine.formats.draft import Draft, build_cube_claim, read_hops, read_lines, shorten_line
from engine.formats.limits import LIMITS, Limits
from engine.sheet import CubeWord, Place, ResignClaim, Sheet, WinClaim
from engine.side import BLACK, WHITE, BySide, Side

SCORE: Final = re.compile(r"Score is (\d{1,5})-(\d{1,5})(?: in a (\d{1,5}) point match)?")
ROW: Final = re.compile(r"([XO]): (?:\((\d) (\d)\) ?)?(.*)")
WINS: Final = re.compile(r"wins (\d{1,6}) point")
NO_SCORE: Final = BySide(-1, -1)
DANCES: Final = frozenset({"can't move", "cannot move"})


def sniff(data: bytes) -> bool:
    """True if there is a score and a player called X."""
    head = data[:4096]
    return re.search(rb"Score is \d", head) is not None and b" is X" in head


def parse(data: bytes, limits: Limits = LIMITS) -> tuple[Sheet, ...]:
    """Return a sheet for each match: different players or another length begin a new one."""
    text = read_lines(data, limits)
    reader = _Reader(text, limits)
    for number, line in enumerate(text, 1):
        reader.line(line.rstrip(), Place(number, 1))
    return reader.sheets()


class _Reader:
    def __init__(self, text: Iterable[str], limits: Limits) -> None:
        self.counts_up = {letter: _is_counting_up(text, letter) for letter in "XO"}
        self.limits = limits
        self.done: list[Sheet] = []
        self.draft = Draft(limits)
        self.names: BySide[str] | None = None
        self.length = 0
        self.x = WHITE
        self.announced: tuple[BySide[int], int] | None = None
        self.expected = NO_SCORE

    def line(self, text: str, at: Place) -> None:
        if not text:
            return
        score = SCORE.search(text)
        row = ROW.match(text)
        if score:
            self.announced = (BySide(int(score[1]), int(score[2])), int(score[3] or 0))
        elif self.announced and " is X" in text:
            self._read_players(text, at, *self.announced)
            self.announced = None
        elif row and self.draft.is_open:
            self._read_row(row, at)
        elif self.draft.is_open:
            self.draft.unread(text, at)

    def sheets(self) -> tuple[Sheet, ...]:
        self._end_match()
        if not self.done:
            raise Unreadable("no-game", "There is no game in this file.")
        return tuple(self.done)

    def _end_match(self) -> None:
        if self.names is not None:
            self.limits.check("matches", len(self.done) + 1)
            sheet = self.draft.sheet("oldmoves", self.names, self.length, dialect="fibs")
            self.done.append(sheet)
            self.draft = Draft(self.limits)
            self.names, self.expected = None, NO_SCORE

    def _read_players(self, text: str, at: Place, score: BySide[int], length: int) -> None:
        x, _, rest = text.partition(" is X")
        o = rest.lstrip(" -").rpartition(" is O")[0]
        names = BySide(x.strip(), o.strip())
        if self.names is None or length != self.length or set(names) != set(self.names):
            self._end_match()
            self.names, self.length = names, length
        self.x = WHITE if names == self.names else BLACK
        self.draft.begin(score=self._correct_score(score), at=at)

    def _correct_score(self, score: BySide[int]) -> BySide[int]:
        """Return the score with White's first; the running score decides the order, if it fits."""
        swapped = BySide(score.black, score.white)
        expected = self.expected
        self.expected = score if self.x is WHITE else swapped
        if expected in (score, swapped):
            self.expected = expected
        return self.expected

    def _read_row(self, row: re.Match[str], at: Place) -> None:
        letter, first, second, text = row.groups()
        side = self.x if letter == "X" else self.x.other
        if first:
            is_dance, turn_round = text.rstrip(".") in DANCES, self.counts_up[letter]
            dice = (int(first), int(second))
            self.draft.play(side, dice, text, at, is_dance=is_dance, turn_round=turn_round)
        elif text.startswith(("accepts", "rejects")):
            self._read_answer(side, text.startswith("accepts"), at)
        elif text.startswith("doubles"):
            self.draft.add(build_cube_claim(side, CubeWord.DOUBLE, at=at))
        elif text.startswith("wants to resign"):
            self.draft.add(ResignClaim(side, at=at, text=shorten_line(text)))
        elif text.startswith("wins"):
            self._read_result(side, text, at)
        else:
            self.draft.unread(text, at)

    def _read_answer(self, side: Side, accepts: bool, at: Place) -> None:
        """Handle an answer to a double, or to a resignation, where only a refusal matters."""
        last = self.draft.last()
        if not isinstance(last, ResignClaim):
            self.draft.add(build_cube_claim(side, CubeWord.TAKE if accepts else CubeWord.DROP, at=at))
        elif not accepts:
            self.draft.take_back()

    def _read_result(self, side: Side, text: str, at: Place) -> None:
        found = WINS.match(text)
        points = int(found[1]) if found else None
        self.draft.add(WinClaim(side, points, at=at, text=shorten_line(text)))
        self.expected = self.expected.put(side, self.expected[side] + (points or 0))


def _is_counting_up(text: Iterable[str], letter: str) -> bool:
    """True if most of the plays of this letter go to higher numbers."""
    rows = (ROW.match(line) for line in text)
    plays = (read_hops(row[4]) for row in rows if row and row[1] == letter and row[2])
    return sum(_get_direction(hop.points) for hops in plays for hop in hops or ()) > 0


def _get_direction(points: tuple[int, ...]) -> int:
    """Return 1 for a move to higher numbers, -1 for one to lower ones."""
    source, target = points[0], points[-1]
    if source == BAR:
        return 1 if target < BAR / 2 else -1
    if target == OFF:
        return 1 if source > BAR / 2 else -1
    return 1 if target > source else -1
