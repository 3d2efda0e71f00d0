"""A transcription for display: the board at one line, the lines of its game, and the referee's findings."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from engine import formats
from engine.actions import Beavered, Doubled
from engine.dice import Dice
from engine.errors import EngineError, IllegalAction
from engine.finding_codes import Severity
from engine.findings import Finding
from engine.formats import transcript
from engine.formats.transcript import GameHeading, UnreadLine, parse_claim
from engine.game import Phase
from engine.match import Match, apply
from engine.referee.incremental_judging import IncrementalReferee, StateAtLine
from engine.sheet import Sheet
from engine.side import WHITE, BySide, Side
from engine.verdict import Verdict, judge_sheet
from matches.state.rule_words import cap_score
from matches.watch.score_sheet import SheetRow, arrange_rows
from players.models import User
from records.base.finding_words import translate_finding
from records.models import Transcription
from records.models.transcriptions import SHOWN
from records.submissions.replays import FILES
from records.transcripts import typed_input
from records.transcripts.typed_input import PlayChoice

# Transcriptions whose referees are cached in this process.
MOST_COURSES: Final = 32
# Findings that every unfinished transcription has.
EXPECTED: Final = frozenset({"unfinished-game", "match-unfinished"})
MOST_TOLD: Final = 20

_courses: OrderedDict[int, IncrementalReferee] = OrderedDict()
_guard = Lock()
_turns = [Lock() for _ in range(MOST_COURSES)]


class CellView(NamedTuple):
    at: int
    text: str
    is_faulty: bool
    is_here: bool


@dataclass(frozen=True, slots=True)
class TypedGame:
    number: int
    at: int
    score: str
    is_shown: bool
    faults: int


@dataclass(frozen=True, slots=True)
class FaultView:
    at: int | None
    message: str
    rule: str
    nearest: tuple[str, ...]
    is_fault: bool


@dataclass(frozen=True, slots=True)
class TranscriptionView:
    """A transcription with its cursor at a line; input goes before that line, or replaces it."""

    row: Transcription
    at: int
    # The line at the cursor, "" at the end.
    line: str
    names: BySide[str]
    score: BySide[int]
    length: int | None
    is_crawford: bool
    # The expected input, in words.
    asked: str
    games: tuple[TypedGame, ...]
    rows: tuple[SheetRow[CellView], ...]
    faults: tuple[FaultView, ...]
    # The number of faults among the findings.
    count: int
    state: dict[str, Any]
    may: tuple[str, ...]
    is_over: bool

    @property
    def white(self) -> tuple[str, int]:
        """Name and score of the left column; indexing `names` by side in a template returns the wrong one."""
        return self.names.white, self.score.white

    @property
    def black(self) -> tuple[str, int]:
        return self.names.black, self.score.black

    @property
    def is_at_end(self) -> bool:
        return self.at == len(self.row.lines)

    @property
    def first(self) -> FaultView | None:
        return next((each for each in self.faults if each.is_fault), None)


def list_own(user: User) -> QuerySet[Transcription]:
    """Return the transcriptions of an account, which are private."""
    return Transcription.objects.select_related(*SHOWN).filter(by=user)


def list_unfinished(user: User) -> QuerySet[Transcription]:
    """Return the transcriptions of an account whose current state is not submitted."""
    return list_own(user).filter(handed_in=None).defer("lines", "edits")


def export_transcriptions(player: Any) -> list[dict[str, Any]]:
    return [
        {name: getattr(row, name) for name in ("key", "begun_at", "changed_at", "head", "lines")}
        for row in Transcription.objects.filter(by__player=player)
    ]


@contextmanager
def open_course(row: Transcription) -> Iterator[IncrementalReferee]:
    """Lend the referee of a transcription, cached in this process with the games it has judged.

    Requests for the same transcription wait for each other.
    """
    with _turns[row.pk % MOST_COURSES]:
        with _guard:
            found = _courses.pop(row.pk, None) or IncrementalReferee()
            _courses[row.pk] = found
            while len(_courses) > MOST_COURSES:
                _courses.popitem(last=False)
        yield found


def build_sheet(row: Transcription) -> Sheet:
    return transcript.build_sheet(row.head, row.lines)


def judge_lines(row: Transcription) -> Verdict:
    with open_course(row) as course:
        return judge_sheet(build_sheet(row), walk=course.walk)


def write_file(row: Transcription, form: str) -> bytes:
    """Return a transcription as a file.

    :raises Http404: the format is unknown, or cannot express the match.
    """
    if form not in FILES:
        raise Http404
    try:
        return formats.write(judge_lines(row).record, form)
    except EngineError as error:
        raise Http404 from error


def compute_standing(row: Transcription, at: int) -> StateAtLine:
    with open_course(row) as course:
        return course.stand(build_sheet(row), at)


def get_names(row: Transcription) -> BySide[str]:
    """Return the players' names; White or Black for an empty one."""
    white, black = row.head["names"]
    return BySide(white or _("White"), black or _("Black"))


def find_first_fault(row: Transcription) -> int:
    """Return the index of the line with the first fault, or of the end."""
    faults = (each for each in judge_lines(row).findings if each.severity is Severity.FAULT and each.line)
    return next((int(each.line or 1) - 1 for each in faults if each.code not in EXPECTED), len(row.lines))


def build_view(
    row: Transcription, at: int | None = None, choice: PlayChoice | None = None
) -> TranscriptionView:
    end = len(row.lines)
    at = end if at is None or not 0 <= at <= end else at
    sheet = build_sheet(row)
    with open_course(row) as course:
        verdict = judge_sheet(sheet, walk=course.walk)
        now = course.stand(sheet, at)
    findings = [each for each in verdict.findings if each.code not in EXPECTED]
    faulty = {int(each.line) - 1 for each in findings if each.line and each.severity is Severity.FAULT}
    names, match = get_names(row), now.match
    game = match.game
    ranges = transcript.list_game_ranges(row.lines)
    parts = [(first, last) for first, last, heading in ranges if heading is not None]
    shown = next(
        (place for place, (first, last) in enumerate(parts) if first - 1 <= at <= last), len(parts) - 1
    )
    line = row.lines[at] if at < end else ""
    return TranscriptionView(
        row=row,
        at=at,
        line=line,
        names=names,
        score=BySide(*cap_score(match.score, row.head["length"])),
        length=row.head["length"],
        is_crawford=game.crawford and not match.is_over,
        asked=_describe_expected_input(now, names, choice),
        games=tuple(_list_games(parts, verdict, shown, faulty)),
        rows=tuple(arrange_rows(_list_cells(row.lines, *parts[shown], at, faulty))) if parts else (),
        faults=tuple(_build_fault(each) for each in findings[:MOST_TOLD]),
        count=sum(each.severity is Severity.FAULT for each in findings),
        state=_build_board_state(match, choice),
        may=tuple(_list_possible_actions(now)),
        is_over=match.is_over,
    )


def _build_fault(found: Finding) -> FaultView:
    at = None if found.line is None else found.line - 1
    return FaultView(
        at,
        translate_finding(found.code, found.message, found.rule),
        found.rule,
        found.nearest,
        found.severity is Severity.FAULT,
    )


def _list_games(
    parts: Sequence[tuple[int, int]], verdict: Verdict, shown: int, faulty: set[int]
) -> list[TypedGame]:
    games = []
    for place, (first, last) in enumerate(parts):
        start = verdict.games[place].start if place < len(verdict.games) else verdict.score
        faults = sum(first - 1 <= each < last for each in faulty)
        games.append(
            TypedGame(place + 1, last, f"{start.white}\N{EN DASH}{start.black}", place == shown, faults)
        )
    return games


def _list_cells(
    lines: Sequence[str], first: int, last: int, at: int, faulty: set[int]
) -> Iterator[tuple[Side | None, CellView]]:
    """Yield the lines of a game with the sides that acted; None for a heading, or a line that is not read."""
    for place in range(first - 1, last):
        line = lines[place]
        told = parse_claim(line)
        side = None if isinstance(told, GameHeading | UnreadLine) else getattr(told, "side", None)
        yield side, CellView(place, line if side is None else line[2:], place in faulty, place == at)


def _list_possible_actions(now: StateAtLine) -> list[str]:
    match = now.match
    game = match.game
    if match.is_over or now.is_lost:
        return []
    if game.asked is not None:
        actions = ["take", "drop"]
        if _is_legal(match, Beavered(game.asked)):
            actions.append("beaver")
        return [*actions, "resign"]
    if game.turn is None:
        return ["roll"]
    actions = ["roll", "resign"]
    return [*actions, "double"] if _is_legal(match, Doubled(game.turn)) else actions


def _is_legal(match: Match, action: Doubled | Beavered) -> bool:
    try:
        apply(match, action)
    except IllegalAction:
        return False
    return True


def _describe_expected_input(now: StateAtLine, names: BySide[str], choice: PlayChoice | None) -> str:
    match = now.match
    game = match.game
    if match.is_over:
        winner = match.winner
        return _("%(name)s has won the match.") % {"name": names[winner if winner is not None else WHITE]}
    if now.is_lost:
        return _("From here on, the position is unknown. Correct the first fault.")
    if choice is not None:
        return _("%(name)s plays %(dice)s.") % {"name": names[choice.side], "dice": _format_dice(choice.dice)}
    if game.asked is not None:
        return _("%(name)s takes or drops.") % {"name": names[game.asked]}
    if game.turn is None:
        about = {"number": match.number, "white": names.white, "black": names.black}
        return (
            _("Game %(number)s: enter the opening roll, first the die of %(white)s, then that of %(black)s.")
            % about
        )
    return _("%(name)s rolls.") % {"name": names[game.turn]}


def _format_dice(dice: Dice) -> str:
    return f"{dice.high}-{dice.low}"


def _build_board_state(match: Match, choice: PlayChoice | None) -> dict[str, Any]:
    game = match.game
    turn, phase = game.turn, game.phase
    dice = game.dice
    if choice is not None:
        turn, phase, dice = choice.side, Phase.TO_PLAY, choice.dice
    owing = game.asked if game.asked is not None else turn
    return {
        "status": "live",
        "board": game.board.text(),
        "phase": "over" if match.is_over else phase.value,
        "score": [*match.score],
        "game": match.number,
        "turn": None if turn is None else turn.word,
        "owing": [] if owing is None else [owing.word],
        "dice": None if dice is None else str(dice),
        "cube": {
            "value": game.cube.value,
            "owner": None if game.cube.owner is None else game.cube.owner.word,
            "offered": game.offer or None,
        },
        "game_is_crawford": game.crawford,
        "crawford": match.crawford.value,
        "resignation": None,
    }


def parse_entry(
    row: Transcription, at: int, text: str, *, is_instead: bool = False
) -> typed_input.ParsedInput:
    """Parse input before the line with this index, or in its place.

    :raises IllegalInput: the input is impossible.
    """
    usual = getattr(parse_claim(row.lines[at]), "side", None) if is_instead and at < len(row.lines) else None
    return typed_input.parse_input(text, compute_standing(row, at), get_names(row), usual)
