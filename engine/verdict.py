"""The adjudicator: the verdict on a record, with everything that is wrong with it.

`adjudicate` takes a score sheet as parsed by a reader, or a `Record`, and returns a `Verdict`. `judge` takes
the bytes of a file, for which it tries the fast path first (`engine.express`). The walk through a score sheet
is in `engine.referee`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, Final

from engine import express, formats
from engine.actions import ReportedScore, RuledScore
from engine.errors import EngineError, IllegalAction, Impossible, Unreadable
from engine.finding_codes import CODES, Severity
from engine.findings import Finding
from engine.game import KINDS, Termination
from engine.match import LOVE, GameResult, Match, apply
from engine.record import Record
from engine.referee import claimed_rules
from engine.referee.game_state import list_facts
from engine.referee.sheet_walk import Walker, walk_sheet
from engine.rules import Rules
from engine.sheet import Sheet
from engine.side import BySide, Side
from engine.statistics import Statistics, compute_statistics

ACCEPTED: Final = "accepted"
NOTED: Final = "noted"
REJECTED: Final = "rejected"
UNREADABLE: Final = "unreadable"
NOBODY: Final = BySide("", "")
SIDES: Final = tuple(Side)


@dataclass(frozen=True)
class Verdict:
    """The result of the adjudicator. The facts and the figures are computed lazily."""

    format: str
    players: BySide[str]
    # As claimed by the record; `rules` are those it was judged by, None if it could not be read.
    length: int | None
    rules: Rules | None
    games: tuple[GameResult, ...] = ()
    score: BySide[int] = LOVE
    winner: Side | None = None
    # The score that the first fact sets: where a record begins in mid-match.
    start: BySide[int] = LOVE
    findings: tuple[Finding, ...] = ()
    # Returns the facts, and the figures if they come with them.
    remember: Callable[[], tuple[Record, Statistics | None]] | None = field(
        default=None, compare=False, repr=False
    )

    @classmethod
    def unreadable(cls, error: EngineError) -> Verdict:
        """Build the verdict on a file that cannot be read, with the reason."""
        line, column = error.context.get("line"), error.context.get("column")
        finding = Finding(
            code=error.code,
            severity=Severity.FAULT,
            message=str(error),
            line=line if isinstance(line, int) and line else None,
            column=column if isinstance(column, int) and column else None,
        )
        return cls(format="", players=NOBODY, length=None, rules=None, findings=(finding,))

    @property
    def word(self) -> str:
        """``accepted``, ``noted`` (accepted with notes), ``rejected`` or ``unreadable``."""
        if self.rules is None:
            return UNREADABLE
        if not self.findings:
            return ACCEPTED
        faulty = any(finding.severity is Severity.FAULT for finding in self.findings)
        return REJECTED if faulty else NOTED

    @property
    def is_accepted(self) -> bool:
        """True if the record is valid, with notes or without."""
        return self.word in (ACCEPTED, NOTED)

    @cached_property
    def _remembered(self) -> tuple[Record, Statistics | None]:
        if self.remember is None:
            raise Unreadable("no-record", "There is nothing in this file to make a record of.")
        return self.remember()

    @property
    def record(self) -> Record:
        """The facts, with a ruling for each illegal play; raises Unreadable if there are none."""
        return self._remembered[0]

    @cached_property
    def statistics(self) -> Statistics:
        return self._remembered[1] or compute_statistics(self.record)

    def to_json(self, file: str = "") -> dict[str, Any]:
        """Return the output of ``adjudicate --jsonl`` for *file*."""
        return {
            "file": file,
            "verdict": self.word,
            "format": self.format,
            "length": self.length,
            "players": list(self.players),
            "score": list(self.score),
            **({} if self.start == LOVE else {"start": list(self.start)}),
            "winner": self.winner,
            "games": [_serialize_game(game) for game in self.games],
            "findings": [finding.to_json() for finding in self.findings],
        }


def _serialize_game(game: GameResult) -> dict[str, Any]:
    return {
        "winner": game.winner,
        "points": game.points,
        "kind": KINDS[game.kind - 1],
        "how": game.how.value,
        "cube": game.cube,
        "crawford": game.crawford,
        "plies": game.plies,
    }


def judge(data: bytes, rules: Rules | None = None) -> tuple[Verdict, ...]:
    """Return the verdict on each match of a file, or a single one if it cannot be read."""
    clean = express.read_clean_sheet(data)
    if clean is not None and rules in (None, _get_standard_rules(clean.length)):
        return (_build_clean_verdict(data, clean),)
    return _judge_by_referee(data, rules)


@cache
def _get_standard_rules(length: int) -> Rules:
    return Rules(length=length)


def _judge_by_referee(data: bytes, rules: Rules | None) -> tuple[Verdict, ...]:
    try:
        sources = formats.read(data)
    except Unreadable as error:
        return (Verdict.unreadable(error),)
    return tuple(adjudicate(source, rules) for source in sources)


def _build_clean_verdict(data: bytes, clean: express.CleanSheet) -> Verdict:
    """Build the verdict on a sheet without fault; its facts are computed lazily."""
    rules = _get_standard_rules(clean.length)
    score, games = LOVE, list[GameResult]()
    for game in clean.games:
        winner, how = SIDES[game.winner], Termination(game.how)
        games.append(
            GameResult(winner, game.points, game.kind, how, game.cube, game.crawford, score, game.plies)
        )
        score = score.put(winner, score[winner] + game.points)
    return Verdict(
        format="mat",
        players=BySide(*clean.players),
        length=clean.length,
        rules=rules,
        games=tuple(games),
        score=score,
        winner=SIDES[clean.winner],
        remember=lambda: express.compute_facts(data, clean, rules),
    )


def adjudicate(source: Sheet | Record, rules: Rules | None = None) -> Verdict:
    """Judge *source* by *rules* or else by the rules it claims."""
    if isinstance(source, Record):
        return _judge_record(source, rules)
    return judge_sheet(source, rules)


def judge_sheet(
    sheet: Sheet, rules: Rules | None = None, walk: Callable[..., Walker] = walk_sheet
) -> Verdict:
    agreed = rules or claimed_rules.build_claimed_rules(sheet)
    walked = walk(sheet, agreed, given=rules is not None)
    findings = tuple(walked.findings.findings)
    if walked.jacoby_shown and rules is None:
        agreed = replace(agreed, jacoby=True)
        walked = walk(sheet, agreed, given=False)
        findings = (*walked.findings.findings, _build_jacoby_finding())
    journal = walked.journal
    return Verdict(
        format=sheet.format,
        players=sheet.names,
        length=sheet.length,
        rules=agreed,
        games=tuple(walked.games),
        score=walked.match.score,
        winner=walked.match.winner,
        start=_find_start(journal),
        findings=findings,
        remember=lambda: (Record(sheet.names, agreed, tuple(list_facts(journal)), sheet.tags), None),
    )


def _find_start(facts: Sequence[object]) -> BySide[int]:
    return facts[0].score if facts and isinstance(facts[0], ReportedScore | RuledScore) else LOVE


def _build_jacoby_finding() -> Finding:
    kind = CODES["jacoby-inferred"]
    return Finding("jacoby-inferred", kind.severity, kind.sentence[0].upper() + kind.sentence[1:], kind.quirk)


def _judge_record(record: Record, rules: Rules | None) -> Verdict:
    """Replay a record; the first illegal fact ends it."""
    agreed = rules or record.rules
    match = Match.start(agreed)
    findings: tuple[Finding, ...] = ()
    for number, action in enumerate(record.actions):
        try:
            match = apply(match, action)
        except (IllegalAction, Impossible) as error:
            findings = (_build_illegal_finding(match, error),)
            record = replace(record, actions=record.actions[:number])
            break
    return Verdict(
        format="record",
        players=record.players,
        length=agreed.length,
        rules=agreed,
        games=match.results,
        score=match.score,
        winner=match.winner,
        start=_find_start(record.actions),
        findings=findings,
        remember=lambda: (record, None),
    )


def _build_illegal_finding(match: Match, error: IllegalAction | Impossible) -> Finding:
    game = match.game
    rule = f" {error.rule}." if error.rule else ""
    return Finding(
        code=error.code,
        severity=Severity.FAULT,
        message=f"Game {match.number}, roll {game.plies}: {error}{rule}",
        rule=error.rule,
        game=match.number,
        ply=game.plies,
        position=game.board,
        on_roll=game.turn,
        dice=game.dice,
    )
