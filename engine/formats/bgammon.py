"""A reader of bgammon.org's replays: an event on each line, both players' plays in player 1's numbering."""

from __future__ import annotations

import re
from typing import Final

from engine.formats.draft import Draft, build_cube_claim, read_lines
from engine.formats.limits import LIMITS, Limits
from engine.sheet import CubeWord, Place, ResignClaim, Sheet, WinClaim
from engine.side import BLACK, WHITE, BySide, Side

MAGIC: Final = b"bgammon-replay "
VARIANTS: Final = {0: "backgammon", 1: "acey-deucey", 2: "tabula"}
HEADING: Final = re.compile(
    r"i (?P<time>\d{1,12}) (?P<white>\S+) (?P<black>\S+) (?P<length>\d{1,4}) (?P<score1>\d{1,4})"
    r" (?P<score2>\d{1,4}) (?P<winner>\d) (?P<points>\d{1,5}) (?P<variant>\d)"
)
ROLL: Final = re.compile(r"r (\d)-(\d) ?(.*)")
DOUBLE: Final = re.compile(r"d (\d{1,7}) ([01])")
SIDES: Final = {1: WHITE, 2: BLACK}


def sniff(data: bytes) -> bool:
    return data.startswith(MAGIC)


def parse(data: bytes, limits: Limits = LIMITS) -> tuple[Sheet, ...]:
    text = read_lines(data, limits)
    reader = _Reader(Draft(limits))
    for number, line in enumerate(text, 1):
        reader.line(line.rstrip(), Place(number, 1))
    return (reader.sheet(),)


class _Reader:
    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.names: BySide[str] | None = None
        self.length = 0
        self.variant = ""
        # The score before the current game, and from then on the value of its cube and the side that gave it up.
        self.score = BySide(0, 0)
        self.cube = 1
        self.loser: Side | None = None
        # The result of the current game, from its heading, and 1, 2 or 3 for its kind.
        self.ending: WinClaim | None = None
        self.kind = 1

    def line(self, text: str, at: Place) -> None:
        if not text or text.startswith(MAGIC.decode()):
            return
        heading = HEADING.fullmatch(text)
        side = {"1 ": WHITE, "2 ": BLACK}.get(text[:2])
        if heading:
            self._begin_game(heading, at)
        elif side is None:
            self.draft.unread(text, at)
        else:
            self._read_event(side, text[2:], at)

    def sheet(self) -> Sheet:
        self._end_game()
        names = self.names or BySide("", "")
        return self.draft.sheet("bgammon", names, self.length, dialect="bgammon", variant=self.variant)

    def _begin_game(self, heading: re.Match[str], at: Place) -> None:
        self._end_game()
        names = BySide(heading["white"], heading["black"])
        if self.names is None:
            self.names, self.length = names, int(heading["length"])
            self.variant = VARIANTS.get(int(heading["variant"]), "unknown")
        elif names != self.names:
            self.draft.remark("name-mismatch", "The players change their names in the file.", at)
        self.draft.begin(score=BySide(int(heading["score1"]), int(heading["score2"])), at=at)
        self.cube, self.loser = 1, None
        winner = SIDES.get(int(heading["winner"]))
        if winner is not None:
            # The heading's points are those of a gammon or backgammon, without the cube: the board shows them.
            self.ending, self.kind = WinClaim(winner, None, at=at, text="Wins"), int(heading["points"])

    def _end_game(self) -> None:
        if self.draft.is_open:
            self._correct_score()
        if self.ending is not None:
            self.draft.add(self.ending)
            self.ending = None
        self.draft.end()

    def _correct_score(self) -> None:
        """Set the score before the game; for one that was given up, newer versions write the score after it."""
        before: BySide[int] = self.draft.heading["score"]
        if self.loser is not None:
            winner, points = self.loser.other, self.cube
            if before == _add_points(self.score, winner, points):
                before = self.draft.heading["score"] = self.score
            self.score = _add_points(before, winner, points)
        elif self.ending is not None:
            self.score = _add_points(before, self.ending.side, self.kind * self.cube)
        else:
            self.score = before

    def _read_event(self, side: Side, text: str, at: Place) -> None:
        roll, double = ROLL.fullmatch(text), DOUBLE.fullmatch(text)
        if roll:
            dice, play = (int(roll[1]), int(roll[2])), roll[3]
            self.draft.play(side, dice, play, at, is_dance=not play, turn_round=side is BLACK)
        elif double:
            value, is_taken = int(double[1]), double[2] == "1"
            self.draft.add(
                build_cube_claim(side, CubeWord.DOUBLE, value, at),
                build_cube_claim(side.other, CubeWord.TAKE if is_taken else CubeWord.DROP, at=at),
            )
            if is_taken:
                self.cube = value
            else:
                self.loser = side.other
        elif text == "t":
            self.draft.add(ResignClaim(side, at=at, text="Resigns"))
            self.loser = side
        else:
            self.draft.unread(text, at)


def _add_points(score: BySide[int], winner: Side, points: int) -> BySide[int]:
    return score.put(winner, score[winner] + points)
