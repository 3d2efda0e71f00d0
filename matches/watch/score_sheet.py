"""The score sheet of a replay: numbered rows with columns for White and Black, translated.

The script of a live board follows the same rules (`static/js/board/sheet.js`, `move_texts.js`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.actions import (
    Beavered,
    Conceded,
    Doubled,
    Dropped,
    Flagged,
    Penalised,
    Played,
    ReportedGame,
    ReportedScore,
    ResignAccepted,
    ResignDeclined,
    ResignOffered,
    TakenBack,
    Took,
)
from engine.board import BAR, Board, Step
from engine.game import Termination
from engine.match import GameResult, Outcome
from engine.plays import format_steps
from engine.side import BySide, Side
from matches.journal.replays import Replay, ReplayEntry
from matches.state import clock_words, reasons, rule_words

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Cell = TypeVar("Cell")

# Endings of a match outside a game.
ENDS: Final = {
    Termination.FLAG: _("Time ran out."),
    Termination.CONCESSION: _("The match was resigned."),
    Termination.RULING: _("The match was decided by a ruling."),
}
SAID: Final[dict[type, StrOrPromise]] = {
    Beavered: _("beavers"),
    Took: _("takes"),
    Dropped: _("drops"),
    ResignAccepted: _("accepts"),
    ResignDeclined: _("declines"),
    Conceded: _("resigns the match"),
    Flagged: _("out of time"),
    ReportedGame: _("only the result was written down"),
    ReportedScore: _("only the score was written down"),
    TakenBack: _("taken back"),
}
LEVELS: Final = {1: _("a single game"), 2: _("a gammon"), 3: _("a backgammon")}
BORNE_OFF: Final = {
    1: _("{name} won a single game: {points}."),
    2: _("{name} won a gammon: {points}."),
    3: _("{name} won a backgammon: {points}."),
}
WON: Final = {
    Termination.DROP: _("{name} won as the double was dropped: {points}."),
    Termination.RESIGN: _("{name} won by resignation: {points}."),
    Termination.FLAG: _("{name} won on time: {points}."),
    Termination.CONCESSION: _("The match was resigned: {points}."),
    Termination.RULING: _("The director ruled for {name}: {points}."),
}


@dataclass(frozen=True, slots=True)
class SheetCell:
    """An act: key of its entry, dice, description."""

    key: str
    dice: str
    words: str
    name: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class SheetRow(Generic[Cell]):
    """A row with the acts of White and Black (None: nothing), or with one unnumbered cell across both."""

    number: int | None
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True, slots=True)
class SheetGame:
    number: int
    # Key of its first entry.
    key: str
    score: str
    is_crawford: bool
    rows: tuple[SheetRow[SheetCell], ...]


def build_score_sheet(replay: Replay, names: BySide[str], *, current: str = "") -> tuple[SheetGame, ...]:
    """Return the score sheet; *current* is the key of the selected entry."""
    return tuple(
        SheetGame(
            game.number,
            game.entries[0].key,
            f"{game.score.white}{clock_words.DASH}{game.score.black}",
            game.is_crawford,
            tuple(arrange_rows((each.side, _build_cell(each, names, current)) for each in game.entries)),
        )
        for game in replay.games
    )


def arrange_rows(cells: Iterable[tuple[Side | None, Cell]]) -> Iterator[SheetRow[Cell]]:
    """Yield the rows of cells in their order; acts out of turn start a new one."""
    number = 0
    white: Cell | None = None
    for side, cell in cells:
        if side is Side.BLACK:
            number += white is None
            yield SheetRow(number, (white, cell))
            white = None
            continue
        if white is not None:
            yield SheetRow(number, (white, None))
            white = None
        if side is None:
            yield SheetRow(None, (cell,))
        else:
            number, white = number + 1, cell
    if white is not None:
        yield SheetRow(number, (white, None))


def _build_cell(entry: ReplayEntry, names: BySide[str], current: str) -> SheetCell:
    dice = entry.situation.dice
    return SheetCell(
        entry.key,
        str(dice) if isinstance(entry.action, Played) and dice else "",
        describe_act(entry, names),
        "" if entry.side is None else names[entry.side],
        entry.key == current,
    )


def describe_act(entry: ReplayEntry, names: BySide[str]) -> str:
    match entry.action:
        case None:
            parts = [] if entry.result is None else [_describe_game_result(entry.result, names)]
            if entry.outcome is not None:
                parts.append(_describe_match_result(entry, entry.outcome, names))
            return " ".join(parts)
        case Played(side=side, steps=steps):
            return format_play(entry.situation.board, side, steps) or gettext("no move")
        case Doubled():
            return gettext("doubles to {value}").format(value=entry.situation.cube.value * 2)
        case ResignOffered(level=level):
            return gettext("offers {what}").format(what=LEVELS[level])
        case Penalised(points=points):
            return gettext("penalty: %(points)s") % {"points": _format_points(points)}
        case action if type(action) in SAID:
            return str(SAID[type(action)])
        case action:
            why = reasons.find_sentence(getattr(action, "reason", ""), names)
            return why or gettext("ruling of the director")


def format_play(board: Board, side: Side, steps: Iterable[Step]) -> str:
    """Return a play in notation, from the position before it."""
    hits = []
    for step in steps:
        if step.target and board.count(side.other, BAR - step.target) == 1:
            hits.append(step.target)
        board = board.moved(side, (step,))
    return format_steps(steps, hits)


def _describe_game_result(result: GameResult, names: BySide[str]) -> str:
    if result.winner is None or result.how is Termination.VOID:
        return gettext("The game does not count.")
    values = {"name": names[result.winner], "points": _format_points(result.points)}
    if result.how is Termination.REPORT:
        return gettext("%(name)s won: %(points)s.") % values
    sentence = BORNE_OFF[result.kind] if result.how is Termination.BEAROFF else WON[result.how]
    return str(sentence).format(**values)


def _describe_match_result(entry: ReplayEntry, outcome: Outcome, names: BySide[str]) -> str:
    situation = entry.situation
    told = rule_words.describe_outcome(outcome.winner, situation.score, situation.length, names)
    why = ENDS.get(outcome.how) if entry.result is None else None
    return told if why is None else f"{why} {told}"


def _format_points(points: int) -> str:
    return (gettext("{n} point") if points == 1 else gettext("{n} points")).format(n=points)
