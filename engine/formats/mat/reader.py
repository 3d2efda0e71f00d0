"""A reader of ``.mat``: from lines to sheets of claims.

Rows in gnubg's layout are split at fixed columns and looked up; every other row goes to the splitter, after
the start of the right column in this game has been determined. Nothing here checks whether a play is legal or
a score possible.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Any, Final

from engine.errors import Unreadable
from engine.formats import comments
from engine.formats.limits import Limits
from engine.formats.mat import cells, headings, position_marks, rows
from engine.formats.mat.dialects import FileFeatures
from engine.formats.mat.drafts import DraftGame, DraftMatch
from engine.formats.mat.rows import Cell
from engine.sheet import PACKING, Claim, CubeClaim, CubeWord, FactClaim, Place, Sheet, Turn, TurnKind
from engine.side import BySide

# The end of a row's number, the start of its left cell, and the default start of the right one.
NUMBERED: Final = 3
LEFT: Final = 5
RIGHT: Final = 33
NUMBERS: Final = frozenset([*(f"{number:3d}) " for number in range(1000)), "  *) "])
# The number of lines from which the right column of a game is determined.
MEASURED: Final = 64
COMMENT: Final = ";#"


class MatReader:
    def __init__(self, text: str, limits: Limits) -> None:
        if "\t" in text:
            text = text.expandtabs(8)
            limits.check("bytes", len(text))
        self.look = FileFeatures(text)
        self.limits = limits
        self.lines = text.split("\n")
        self.right = RIGHT
        self.match = DraftMatch()
        self.game: DraftGame | None = None
        self.done: list[Sheet] = []
        # Tags below a game: they belong to the next match, if there is one.
        self.late: list[tuple[str, str]] = []
        self.late_rules: dict[str, Any] = {}
        self.claims = 0

    def sheets(self) -> tuple[Sheet, ...]:
        rest = iter(self.lines)
        index, line = 0, next(rest, None)
        while line is not None:
            if line and not (self.game and self._read_half_row(self.game, index, line)):
                self._read_line(index, line)
            index, line = (
                self._read_rows(self.game, index + 1, rest) if self.game else (index + 1, next(rest, None))
            )
        self._end_match()
        return tuple(self.done)

    def _read_rows(self, game: DraftGame, index: int, rest: Iterator[str]) -> tuple[int, str | None]:
        """Read rows with both cells at fixed columns; return the index and text of the first other line."""
        claims, right = game.claims, self.right
        left_cells, right_cells = cells.LEFT_CELLS, cells.RIGHT_CELLS
        before = len(claims)
        for line in rest:
            mine, theirs = left_cells[line[NUMBERED:right]], right_cells[line[right:]]
            if mine is None or theirs is None or line[0] in COMMENT:
                other = line
                break
            claims.append(mine)
            claims.append(theirs)
        else:
            other = None
        count = (len(claims) - before) // 2
        if count:
            first, last = (index + 1) * PACKING, (index + 1 + count) * PACKING
            places = [0] * (2 * count)
            places[::2] = range(first + LEFT + 1, last, PACKING)
            places[1::2] = range(first + right + 1, last, PACKING)
            game.places += places
        return index + count, other

    def _read_half_row(self, game: DraftGame, index: int, line: str) -> bool:
        """Read a row with one cell at a fixed column, often a game's first or last; False for other lines."""
        right = self.right
        if line[:LEFT] not in NUMBERS:
            return False
        start = right if line[LEFT:right].isspace() else LEFT
        if start == right:
            claim = cells.RIGHT_CELLS[line[right:]]
        elif line[right:].strip():
            claim = None
        else:
            claim = cells.LEFT_CELLS[line[NUMBERED:right].ljust(right - NUMBERED)]
        if claim is None:
            return False
        game.add(claim, index, start)
        return True

    def _read_line(self, index: int, line: str) -> None:
        """Read a line that is not a plain row."""
        text = line.strip()
        if not text:
            return
        if len(line) > self.limits.columns:
            self.limits.check("columns", len(line), line=index + 1)
        game = self.game
        if game and not (game.heading or game.claims) and self._read_score_line(game, line, index):
            pass
        elif text[0] in COMMENT:  # tested after the score line: a name may begin with one of these, too
            self._read_comment(index, text)
        elif headings.GAME.match(text):
            self._end_game()
            self.game = DraftGame(Place(index + 1, line.index(text) + 1), index + 1)
        elif length := headings.LENGTH.match(text):
            self._read_length(int(length[1]))
        elif game:
            self._read_row(game, index, line)

    def _read_comment(self, index: int, text: str) -> None:
        game = self.game
        tag = headings.read_tag(text)
        if tag:
            (self.late if game else self.match.tags).append(tag)
        elif game and text == position_marks.AUTOMATIC:
            game.add(CubeClaim(None, CubeWord.AUTOMATIC, text=text), index, 0)
        else:
            try:
                self._read_own_comment(index, text)
            except Unreadable as error:
                self._add_remark(error.code, str(error), index)

    def _read_own_comment(self, index: int, text: str) -> None:
        """Handle a comment that may set a position or contain a fact."""
        game, value = self.game, comments.read_comment(text)
        placing = (
            position_marks.parse_set_position(text, self.match.checkers) if game and value is None else None
        )
        if game and placing:
            game.add(placing, index, 0)
            game.is_set = True
        elif isinstance(value, dict):
            if game:
                self.late_rules = value
            else:
                self.match.told = value
        elif value is not None:
            claim = FactClaim(value, Place(index + 1, 1), comments.strip_fact(text))
            if game:
                game.add(claim, index, 0)
            else:
                self.match.early.append(claim)

    def _read_length(self, length: int) -> None:
        if self.game or self.match.games:  # another match begins
            late, self.late = self.late, []
            self._end_match()
            self.limits.check("matches", len(self.done) + 1)
            self.match = DraftMatch(tags=late, told=self.late_rules)
            self.late_rules = {}
        if self.match.length is None:
            self.match.length = length

    def _read_score_line(self, game: DraftGame, line: str, index: int) -> bool:
        """Read a score line; return False if *line* is none."""
        heading = headings.read_score(line)
        if heading is None:
            return False
        game.heading, game.headed = heading, index
        match, names = self.match, heading.names
        if not (names.white and names.black):
            self._add_remark("empty-name", "A player has no name.", index)
        if match.heading is None:
            match.heading = heading
            self._compare_names(names, index)
        elif match.names != names:
            self._add_remark("name-mismatch", "The players of this game are named differently.", index)
        return True

    def _compare_names(self, names: BySide[str], index: int) -> None:
        tags = dict(self.match.tags)
        given = {tags.get(f"Player {number}", "").casefold() for number in (1, 2)} - {""}
        if given and given != {name.casefold() for name in names} - {""}:
            self._add_remark("name-mismatch", "The heading names the players differently.", index)

    def _read_row(self, game: DraftGame, index: int, line: str) -> None:
        if not game.measured:
            game.measured = True
            self._find_right_column(game)
        row = rows.split_row(line, self.right)
        if row.torn:
            self._add_remark("corrupt-row", "Two rows stand on one line.", index)
        elif row.rest:
            self._add_remark("unread-line", f"This is not understood: {row.rest[:40]!r}.", index)
        for cell in row.cells:
            for claim in self._read_cell(game, cell, index):
                game.add(claim, index, cell.start)
        self.limits.check("plies", len(game.claims), line=index + 1)

    def _find_right_column(self, game: DraftGame) -> None:
        if any(place % PACKING == self.right + 1 for place in game.places[-2:]):
            return  # rows of this game are at that column
        lines = self.lines[game.first : game.first + MEASURED]
        own = list(takewhile(lambda line: not headings.ends_game(line.strip()), lines))
        found = rows.find_right_column(own)
        if found is None and game.heading and self.right == RIGHT:
            found = self.lines[game.headed].rfind(game.heading.names.black or ":")
        if found is not None and found > LEFT:
            self.right = found

    def _read_cell(self, game: DraftGame, cell: Cell, index: int) -> tuple[Claim, ...]:
        try:
            if cell.kind == "illegal":
                return position_marks.parse_illegal_play(
                    cell.side, cell.text, self.match.length, game.heading, self.match.checkers
                )
            return cells.parse_cell(cell.side, cell.kind, cell.text)
        except Unreadable as error:
            self._add_remark(
                "bad-position" if cell.kind == "illegal" else "corrupt-row", str(error), index, cell.start
            )
            if cell.kind not in ("dice", "illegal"):
                return ()
            return (
                Turn(
                    cell.side, cells.DICE.get(cell.text[:3]), TurnKind.UNKNOWN, text=cell.text[: cells.LONG]
                ),
            )

    def _add_remark(self, code: str, message: str, index: int, start: int = 0) -> None:
        game = len(self.match.games) if self.game else None
        self.match.remark(code, message, Place(index + 1, start + 1), game)

    def _end_game(self) -> None:
        game, self.game = self.game, None
        if game is None:
            return
        self.claims += len(game.claims)
        self.limits.check("plies", len(game.claims), line=game.at.line)
        self.limits.check("claims", self.claims, line=game.at.line)
        if self.match.length == 0:
            game.name_beavers()
        self.match.games.append(game.sheet(() if self.match.games else tuple(self.match.early)))
        self.limits.check("games", len(self.match.games), line=game.at.line)

    def _end_match(self) -> None:
        self._end_game()
        if self.match.games:
            self.match.tags += self.late
            self.done.append(self.match.sheet(self.look, self.right))
        elif not self.done:
            raise Unreadable("no-games", "There is no game in this file.")
