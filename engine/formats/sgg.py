"""A reader of GamesGrid's ``.sgg``: options, then rows: a turn number, and one tab or two for the column.

Each turn is written twice, as a roll and again with its play; and whole lines may be repeated. Lines without
a number are chat.
"""

from __future__ import annotations

import re
from typing import Final

from engine.formats.draft import Draft, build_cube_claim, build_turn, read_lines, shorten_line
from engine.formats.limits import LIMITS, Limits
from engine.rules import VARIANTS
from engine.sheet import CubeWord, Place, ResignClaim, Sheet, WinClaim
from engine.side import BLACK, WHITE, BySide, Side

GAME: Final = re.compile(r"Game \d{1,5}\.(\d{1,5})(\*?)-(\d{1,5})(\*?)(?:/(\d{1,5}))?")
ROW: Final = re.compile(r"(\d{1,5})\t(\t?)(.*)")
ROLL: Final = re.compile(r"([1-9])([1-9]):\s*(.*)")
AUTOMATIC: Final = re.compile(r"\d\d: ?Automatic double")
WINS: Final = re.compile(r"wins (\d{1,6}) point")
VALUE: Final = re.compile(r" to (\d{1,7})")
OPTION: Final = re.compile(r"([A-Za-z ]{1,20}): *(\S.*)")
DATE: Final = re.compile(r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day ([A-Z][a-z]{2,8}) (\d{1,2}), (\d{4})")
MONTHS: Final = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
DANCE: Final = "O-O"
CLOSED_OUT: Final = " -"
WORDS: Final = {
    "double": CubeWord.DOUBLE,
    "beaver": CubeWord.BEAVER,
    "raccoon": CubeWord.RACCOON,
    "accept": CubeWord.TAKE,
    "pass": CubeWord.DROP,
}


def sniff(data: bytes) -> bool:
    """True if the first line names the players and there is a game heading in GamesGrid's form."""
    head = data[:4096].decode("latin-1").replace("\r", "\n").lstrip()
    return " vs. " in head.partition("\n")[0] and re.search(r"(?m)^Game \d{1,5}\.\d", head) is not None


def parse(data: bytes, limits: Limits = LIMITS) -> tuple[Sheet, ...]:
    text = read_lines(data, limits)
    first = next((index for index, line in enumerate(text) if line.strip()), 0)
    white, _, black = text[first].partition(" vs. ")
    reader = _Reader(Draft(limits), BySide(white.strip(), black.strip()))
    for number, line in enumerate(text[first + 1 :], first + 2):
        reader.line(line.rstrip(), Place(number, 1))
    return (reader.sheet(),)


class _Reader:
    def __init__(self, draft: Draft, names: BySide[str]) -> None:
        self.draft = draft
        self.names = names
        self.options: dict[str, str] = {}
        self.length: int | None = None
        # A roll whose play is still to come: its turn, its side, its dice.
        self.rolled: tuple[str, Side, tuple[int, int], Place] | None = None
        # The claims of this game so far: the turn number, its side, "play" or a cube word.
        self.recorded: set[tuple[str, Side, str]] = set()

    def line(self, text: str, at: Place) -> None:
        game, row = GAME.match(text), ROW.fullmatch(text)
        if game:
            self._begin_game(game, at)
        elif not self.draft.is_open:
            self._read_option(text)
        elif AUTOMATIC.search(text):
            self.draft.add(build_cube_claim(None, CubeWord.AUTOMATIC, at=at))
        elif row:
            self._read_row(row[1], BLACK if row[2] else WHITE, row[3], at)
        elif " wins " in text:
            self._read_result(text, at)

    def sheet(self) -> Sheet:
        self._add_pending_roll()
        variant = self.options.get("Variant", "Backgammon").lower()
        return self.draft.sheet(
            "sgg",
            self.names,
            self.length,
            dialect="gamesgrid",
            tags=self._list_tags(),
            crawford=self._get_switch("Crawford"),
            jacoby=self._get_switch("Jacoby"),
            beavers=self._get_switch("Beavers"),
            cube=self._get_switch("Doubling Cube"),
            variant=variant if variant in VARIANTS else "unknown",
        )

    def _begin_game(self, game: re.Match[str], at: Place) -> None:
        self._add_pending_roll()
        white, crawford, black, crawford_too, length = game.groups()
        if self.length is None:
            self.length = int(length or 0)
        self.recorded.clear()
        self.draft.begin(BySide(int(white), int(black)), bool(crawford or crawford_too), at)

    def _read_option(self, text: str) -> None:
        option, date = OPTION.fullmatch(text), DATE.fullmatch(text)
        if date and date[1] in MONTHS:
            month = MONTHS.index(date[1]) + 1
            self.options["EventDate"] = f"{date[3]}.{month:02d}.{int(date[2]):02d}"
        elif option:
            self.options.setdefault(option[1], option[2])
        elif text:
            self.options.setdefault("Site", text)

    def _list_tags(self) -> list[tuple[str, str]]:
        tags: list[tuple[str, str]] = [
            (key, self.options[key]) for key in ("Site", "EventDate") if key in self.options
        ]
        ratings = self.options.get("ELO", "").split()
        if len(ratings) == 4:
            first, games, second, more_games = ratings
            tags += [("Player 1 Elo", f"{first}/{games}"), ("Player 2 Elo", f"{second}/{more_games}")]
        return tags

    def _get_switch(self, key: str) -> bool | None:
        return {"Yes": True, "No": False}.get(self.options.get(key, ""))

    def _read_row(self, number: str, side: Side, text: str, at: Place) -> None:
        roll = ROLL.fullmatch(text)
        word = next((word for word in WORDS if text.startswith(word)), None)
        if roll:
            self._read_roll(number, side, (int(roll[1]), int(roll[2])), roll[3], at)
        elif text.startswith(CLOSED_OUT):
            self._add_turn(number, side, None, DANCE, at)
        elif text.startswith("resign"):
            self._add_resignation(side, at)
        elif word:
            self._read_cube_action(number, side, word, text, at)
        else:
            self.draft.unread(text, at)

    def _read_roll(self, number: str, side: Side, dice: tuple[int, int], text: str, at: Place) -> None:
        if text.startswith("resign"):
            self.rolled = (number, side, dice, at)
            self._add_resignation(side, at)
        elif text:
            self._add_turn(number, side, dice, text, at)
        elif self.rolled is None or self.rolled[:2] != (number, side):
            self._add_pending_roll()
            if (number, side, "play") not in self.recorded:
                self.rolled = (number, side, dice, at)

    def _add_turn(self, number: str, side: Side, dice: tuple[int, int] | None, text: str, at: Place) -> None:
        if self.rolled is not None and self.rolled[:2] == (number, side):
            self.rolled = None
        self._add_pending_roll()
        if self._is_new(number, side, "play"):
            self.draft.play(side, dice, text, at, is_dance=text == DANCE)

    def _add_pending_roll(self) -> None:
        if self.rolled is not None:
            number, side, dice, at = self.rolled
            self.rolled = None
            self.recorded.add((number, side, "play"))
            self.draft.add(build_turn(side, dice, at=at))

    def _read_cube_action(self, number: str, side: Side, word: str, text: str, at: Place) -> None:
        self._add_pending_roll()
        answers_resignation = isinstance(self.draft.last(), ResignClaim)
        if answers_resignation or not self._is_new(number, side, word):
            return
        value = VALUE.search(text)
        self.draft.add(build_cube_claim(side, WORDS[word], int(value[1]) if value else None, at))

    def _add_resignation(self, side: Side, at: Place) -> None:
        self._add_pending_roll()
        self.draft.add(ResignClaim(side, at=at, text="resign"))

    def _is_new(self, number: str, side: Side, word: str) -> bool:
        """True if this claim is no repetition of an earlier one of the game; it is remembered."""
        key = (number, side, word)
        if key in self.recorded:
            return False
        self.recorded.add(key)
        return True

    def _read_result(self, text: str, at: Place) -> None:
        """Add the result, if the line names one of the players as the winner."""
        name, _, rest = text.partition(" wins ")
        side = next((side for side in Side if self.names[side] == name.strip()), None)
        points = WINS.match("wins " + rest)
        if side is not None and points:
            self._add_pending_roll()
            self.draft.add(WinClaim(side, int(points[1]), at=at, text=shorten_line(text)))
