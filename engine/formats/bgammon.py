"""A reader of bgammon.org's replays: an event on each line, both players' plays in player 1's numbering."""

from __future__ import annotations

import re
from typing import Final

from engine.formats.draft import Draft, build_cube_claim, build_turn, read_lines
from engine.formats.limits import LIMITS, Limits
from engine.sheet import CubeWord, Place, ResignClaim, Sheet, TurnKind, WinClaim
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
    text, encoding = read_lines(data, limits)
    reader = _Reader(Draft(limits))
    for number, line in enumerate(text, 1):
        reader.line(line.rstrip(), Place(number, 1))
    return (reader.sheet(encoding),)


class _Reader:
    """One pass over the lines of a file."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.names: BySide[str] | None = None
        self.length = 0
        self.variant = ""
        # The result of the current game, from its heading.
        self.ending: WinClaim | None = None

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

    def sheet(self, encoding: str) -> Sheet:
        self._end_game()
        names = self.names or BySide("", "")
        return self.draft.sheet(
            "bgammon", names, self.length, dialect="bgammon", encoding=encoding, variant=self.variant
        )

    def _begin_game(self, heading: re.Match[str], at: Place) -> None:
        self._end_game()
        names = BySide(heading["white"], heading["black"])
        if self.names is None:
            self.names, self.length = names, int(heading["length"])
            self.variant = VARIANTS.get(int(heading["variant"]), "unknown")
        elif names != self.names:
            self.draft.remark("name-mismatch", "The players change their names in the file.", at)
        self.draft.begin(score=BySide(int(heading["score1"]), int(heading["score2"])), at=at)
        winner, points = SIDES.get(int(heading["winner"])), int(heading["points"])
        if winner is not None:
            text = f"Wins {points} point{'' if points == 1 else 's'}"
            self.ending = WinClaim(winner, points, at=at, text=text)

    def _end_game(self) -> None:
        if self.ending is not None:
            self.draft.add(self.ending)
            self.ending = None
        self.draft.end()

    def _read_event(self, side: Side, said: str, at: Place) -> None:
        roll, double = ROLL.fullmatch(said), DOUBLE.fullmatch(said)
        if roll:
            self._add_turn(side, (int(roll[1]), int(roll[2])), roll[3], at)
        elif double:
            answer = CubeWord.TAKE if double[2] == "1" else CubeWord.DROP
            self.draft.add(
                build_cube_claim(side, CubeWord.DOUBLE, int(double[1]), at),
                build_cube_claim(side.other, answer, at=at),
            )
        elif said == "t":
            self.draft.add(ResignClaim(side, at=at, text="Resigns"))
        else:
            self.draft.unread(said, at)

    def _add_turn(self, side: Side, dice: tuple[int, int], said: str, at: Place) -> None:
        if said:
            self.draft.play(side, dice, said, at, turn_round=side is BLACK)
        else:
            self.draft.add(build_turn(side, dice, said=TurnKind.DANCE, at=at))
