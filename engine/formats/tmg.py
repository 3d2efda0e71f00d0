"""A reader of TrueMoneyGames' ``.tmg``: keys and values, then one line for each event, with a numeric kind.

A line begins with its number, positive for player 1 and negative for player 2.
"""

from __future__ import annotations

import re
from typing import Final

from engine.formats.draft import Draft, build_cube_claim, build_turn, read_lines, shorten_line
from engine.formats.limits import LIMITS, Limits
from engine.sheet import CubeWord, Place, Sheet, WinClaim
from engine.side import BLACK, WHITE, BySide, Side

GAME: Final = re.compile(r"Game \d{1,5}: (\d{1,5})-(\d{1,5})")
ROW: Final = re.compile(r"\s*(-?)\d{1,5}\s+(\d{1,2})(?:\s+(\S.*))?")
KEY: Final = re.compile(r"(\w{1,20}):[ \t]*(\S.*)?")
PLAYER: Final = re.compile(r"\d{1,12} (\S+)")
DICE: Final = re.compile(r"([1-9])([1-9]):?")
LENGTH: Final = re.compile(r"[0-9]{1,6}")
VALUE: Final = re.compile(r"\D{0,40}(\d{1,7})")
VARIANTS: Final = {"1": "backgammon", "2": "nackgammon"}
FAN: Final = "0/0"

ROLL, AUTOMATIC, PLAY, DOUBLE, TAKE, BEAVER, PASS = 1, 2, 4, 5, 7, 8, 10
CUBE_WORDS: Final = {
    DOUBLE: CubeWord.DOUBLE,
    TAKE: CubeWord.TAKE,
    BEAVER: CubeWord.BEAVER,
    PASS: CubeWord.DROP,
}
WINS: Final = {14: 1, 15: 2, 16: 3}
OUT_OF_TIME: Final = (17, 22)
SETTLEMENT: Final = 19


def sniff(data: bytes) -> bool:
    """True if there is a match number, followed by the players."""
    head = data[:4096]
    return head.lstrip(b"\xef\xbb\xbf \r\n").startswith(b"MatchID:") and b"Player1:" in head


def parse(data: bytes, limits: Limits = LIMITS) -> tuple[Sheet, ...]:
    text = read_lines(data, limits)
    reader = _Reader(Draft(limits))
    for number, line in enumerate(text, 1):
        reader.line(line.rstrip(), Place(number, 1))
    return (reader.sheet(),)


class _Reader:
    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.keys: dict[str, str] = {}
        # A roll whose play is still to come.
        self.rolled: tuple[Side, tuple[int, int], Place] | None = None

    def line(self, text: str, at: Place) -> None:
        if not text.strip():
            return
        game, row, key = GAME.match(text), ROW.fullmatch(text), KEY.fullmatch(text)
        if game:
            self._add_pending_roll()
            self.draft.begin(BySide(int(game[1]), int(game[2])), at=at)
        elif row and self.draft.is_open:
            self._read_event(BLACK if row[1] else WHITE, int(row[2]), row[3] or "", at)
        elif key:  # players may change settings during the match; the first value counts
            self.keys.setdefault(key[1], key[2] or "")
        else:
            self.draft.unread(text, at)

    def sheet(self) -> Sheet:
        self._add_pending_roll()
        length = self.keys.get("Length", "0")
        return self.draft.sheet(
            "tmg",
            BySide(self._get_name("Player1"), self._get_name("Player2")),
            int(length) if LENGTH.fullmatch(length) else None,
            dialect="tmg",
            tags=(("Site", "TrueMoneyGames"), *self._list_tags()),
            crawford=self._get_switch("Crawford"),
            jacoby=self._get_switch("Jacoby"),
            beavers=self._get_switch("Beavers"),
            cube=self._get_switch("Cube"),
            variant=VARIANTS.get(self.keys.get("Variant", "1"), "unknown"),
        )

    def _get_name(self, key: str) -> str:
        found = PLAYER.match(self.keys.get(key, ""))
        return found[1] if found else ""

    def _list_tags(self) -> list[tuple[str, str]]:
        began = self.keys.get("Startdate", "").partition(" ")[0].replace("-", ".")
        tags = {"Match ID": self.keys.get("MatchID", ""), "EventDate": began}
        return [(key, value) for key, value in tags.items() if value]

    def _get_switch(self, key: str) -> bool | None:
        return {"0": False, "1": True}.get(self.keys.get(key, ""))

    def _read_event(self, side: Side, code: int, text: str, at: Place) -> None:
        if code == ROLL:
            self._read_roll(side, text, at)
        elif code == PLAY:
            self._read_play(side, text, at)
        elif code == AUTOMATIC:
            self.draft.add(build_cube_claim(None, CubeWord.AUTOMATIC, _find_value(text), at))
        elif code in CUBE_WORDS:
            self._add_pending_roll()
            word = CUBE_WORDS[code]
            value = _find_value(text) if word in (CubeWord.DOUBLE, CubeWord.BEAVER) else None
            self.draft.add(build_cube_claim(side, word, value, at))
        elif code in WINS:
            self._add_pending_roll()
            self.draft.add(
                WinClaim(side, _find_value(text), level=WINS[code], at=at, text=shorten_line(text))
            )
        elif code in OUT_OF_TIME:
            self.draft.remark("out-of-time", "A player ran out of time.", at)
        elif code == SETTLEMENT:
            self.draft.remark("settlement", "The players settled the game.", at)
        else:
            self.draft.unread(text, at)

    def _read_roll(self, side: Side, text: str, at: Place) -> None:
        self._add_pending_roll()
        dice = DICE.match(text)
        if dice:
            self.rolled = (side, (int(dice[1]), int(dice[2])), at)
        elif not text.startswith("?"):  # nothing was rolled, since the time was over
            self.draft.unread(text, at)

    def _read_play(self, side: Side, text: str, at: Place) -> None:
        dice = None
        if self.rolled is not None and self.rolled[0] is side:
            dice, self.rolled = self.rolled[1], None
        self._add_pending_roll()
        self.draft.play(side, dice, text, at, is_dance=text == FAN)

    def _add_pending_roll(self) -> None:
        if self.rolled is not None:
            side, dice, at = self.rolled
            self.rolled = None
            self.draft.add(build_turn(side, dice, at=at))


def _find_value(text: str) -> int | None:
    found = VALUE.match(text)
    return int(found[1]) if found else None
