"""A verdict for display: findings, games, and the record's lines with their findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from engine.dice import Dice
from engine.errors import EngineError
from engine.formats import position_id
from engine.formats.decoding import decode
from engine.side import Side
from engine.situation import Situation
from matches.play.boards import draw_mini_board
from matches.state import rule_words
from records.base.errors import REFUSED, NoNames
from records.base.finding_words import translate_finding
from records.models import Outcome, RecordFile, RecordMatch, Submission, VerdictWord
from records.models.submissions import STANDS
from records.submissions import naming

REFUSED_STATE: Final = "refused"
# Limits of the page: further findings are only counted, and a longer file is not shown.
MOST_FINDINGS: Final = 100
MOST_LINES: Final = 3_000
LONGEST_LINE: Final = 200
BAD: Final = (VerdictWord.REJECTED, VerdictWord.UNREADABLE)
SIDES: Final = {side.word: side for side in Side}


@dataclass(frozen=True, slots=True)
class FindingView:
    number: int
    message: str
    is_fault: bool
    rule: str
    line: int | None
    game: int | None
    ply: int | None
    dice: str
    played: str
    nearest: tuple[str, ...]
    board: SafeString


@dataclass(frozen=True, slots=True)
class GameView:
    number: int
    winner: str
    points: int
    how: str
    cube: int
    is_crawford: bool
    findings: tuple[FindingView, ...]


@dataclass(frozen=True, slots=True)
class MatchVerdict:
    number: int
    word: str
    label: str
    # Accepted, with games, so that there is a replay.
    is_replayed: bool
    players: tuple[str, str]
    score: tuple[int, int]
    winner: str
    length: int | None
    count: int
    findings: tuple[FindingView, ...]
    games: tuple[GameView, ...]

    @property
    def left_out(self) -> int:
        """The number of findings that are not shown."""
        return self.count - len(self.findings)


@dataclass(frozen=True, slots=True)
class LineView:
    number: int
    text: str
    findings: tuple[FindingView, ...]


@dataclass(frozen=True, slots=True)
class SubmissionView:
    key: str
    name: str
    club: str
    state: str
    label: str
    word: str
    sentence: str
    count: int
    size: int
    sha256: str
    # Its effect on the match, and whether the players must be identified first.
    outcome: str = ""
    is_asked: bool = False
    matches: tuple[MatchVerdict, ...] = ()
    lines: tuple[LineView, ...] = ()

    @property
    def is_bad(self) -> bool:
        """True if the verdict is rejected or unreadable."""
        return self.word in BAD

    @property
    def is_for_somebody(self) -> bool:
        """True if the submitter must act: correct it, answer a question, or submit another file."""
        return self.is_bad or self.is_asked or self.state == REFUSED_STATE

    @property
    def first(self) -> FindingView | None:
        """The finding to jump to: the first fault, else the first note."""
        found = [each for match in self.matches for each in match.findings]
        return next((each for each in found if each.is_fault), found[0] if found else None)


def build_line(row: Submission) -> SubmissionView:
    """Build a submission for a list, without its matches and lines."""
    file = row.file
    if file is None:
        sentence = str(REFUSED.get(row.refusal, row.refusal))
        return SubmissionView(row.key, row.name, row.club.slug, REFUSED_STATE, "", "", sentence, 0, 0, "")
    label = str(VerdictWord(file.word).label) if file.word else ""
    count = sum(match.findings for match in file.matches.all())
    state = "judged" if file.judged_at else "waiting"
    return SubmissionView(
        row.key, row.name, row.club.slug, state, label, file.word, "", count, file.size, file.sha256,
        outcome=_describe_outcome(row, file.word), is_asked=row.outcome == Outcome.WHO and not _is_nameless(file),
    )  # fmt: skip


def count_verdicts(views: Sequence[SubmissionView]) -> list[tuple[str, int]]:
    """Count the files by the label of their verdict, the best first and the refused ones last."""
    found = [(str(word.label), sum(view.word == word for view in views)) for word in VerdictWord]
    found.append((_("Not accepted"), sum(view.state == REFUSED_STATE for view in views)))
    return [(label, count) for label, count in found if count]


def _describe_outcome(row: Submission, word: str) -> str:
    """Describe the effect of a record on its match in a sentence; "" if there is none."""
    if word == VerdictWord.UNREADABLE and row.outcome == Outcome.REJECTED:
        return _("It changes nothing. Hand in the file of the match exactly as your program wrote it.")
    if row.outcome == Outcome.WHO and row.file is not None and _is_nameless(row.file):
        return str(NoNames.sentence)
    return str(Outcome(row.outcome).label) if row.outcome else ""


def _is_nameless(file: RecordFile) -> bool:
    """True if no match of a file names its players."""
    return not any(naming.has_names(match) for match in file.matches.all())


def build_view(row: Submission) -> SubmissionView:
    """Build a submission with its matches, findings and lines."""
    view = build_line(row)
    if row.file is None:
        return view
    number = 0
    matches = []
    for match in row.file.matches.all():
        matches.append(_build_match(match, number))
        number += len(matches[-1].findings)
    found = [each for match in matches for each in match.findings]
    return replace(view, matches=tuple(matches), lines=tuple(_list_lines(bytes(row.file.content), found)))


def _build_match(row: RecordMatch, before: int) -> MatchVerdict:
    verdict = row.verdict
    findings = tuple(
        _build_finding(each, number)
        for number, each in enumerate(verdict["findings"][:MOST_FINDINGS], before + 1)
    )
    players = (row.white or "?", row.black or "?")
    return MatchVerdict(
        number=row.number,
        word=row.word,
        label=str(VerdictWord(row.word).label),
        is_replayed=row.word in STANDS and bool(verdict["games"]),
        players=players,
        score=rule_words.cap_score((row.white_score, row.black_score), row.length),
        winner="" if row.winner is None else players[row.winner],
        length=row.length,
        count=row.findings,
        findings=findings,
        games=tuple(_list_games(verdict["games"], players, findings)),
    )


def _build_finding(finding: dict[str, Any], number: int) -> FindingView:
    dice = finding.get("dice") or []
    return FindingView(
        number=number,
        message=translate_finding(finding["code"], finding["message"], finding["rule"]),
        is_fault=finding["severity"] == "fault",
        **{name: finding[name] for name in ("rule", "line", "game", "ply")},
        dice="-".join(map(str, dice)),
        played=finding.get("played", ""),
        nearest=tuple(finding.get("nearest", ())),
        board=_draw_position(finding),
    )


def _draw_position(finding: dict[str, Any]) -> SafeString:
    """Draw the position before a finding; empty without one."""
    if "position" not in finding:
        return SafeString()
    side = SIDES.get(finding.get("on_roll") or "", Side.WHITE)
    dice = finding.get("dice") or ()
    try:
        board = position_id.decode(finding["position"], side)
        roll = Dice.from_numbers(*dice) if len(dice) == 2 else None
    except EngineError:
        return SafeString()
    return draw_mini_board(Situation(board=board, turn=side, dice=roll))


def _list_games(
    games: Sequence[dict[str, Any]], players: tuple[str, str], findings: Sequence[FindingView]
) -> Iterator[GameView]:
    for number, each in enumerate(games, 1):
        yield GameView(
            number=number,
            winner="" if each["winner"] is None else players[each["winner"]],
            **{name: each[name] for name in ("points", "how", "cube")},
            is_crawford=each["crawford"],
            findings=tuple(finding for finding in findings if finding.game == number),
        )


def _list_lines(content: bytes, findings: Sequence[FindingView]) -> Iterator[LineView]:
    """Yield the lines of a text file, each with its findings; none of a file that is too long."""
    try:
        text = decode(content)
    except EngineError:
        return
    lines = text.split("\n")
    if len(lines) > MOST_LINES or any(len(line) > LONGEST_LINE for line in lines):
        return
    by_line: dict[int, list[FindingView]] = {}
    for finding in findings:
        if finding.line:
            by_line.setdefault(finding.line, []).append(finding)
    for number, line in enumerate(lines, 1):
        yield LineView(number, line, tuple(by_line.get(number, ())))
