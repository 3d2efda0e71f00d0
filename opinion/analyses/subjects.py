"""Subjects of an analysis: finished matches and uploaded records, behind one interface."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from engine.record import Record
from engine.rules import Rules
from engine.side import BySide, Side
from matches import hooks as match_hooks
from matches.hooks import RecordedMatch
from matches.journal import journal
from matches.models import Match
from matches.state.facts import ServerFact
from matches.state.status import Status
from matches.watch import exports
from opinion.judging.decisions import Decision, list_decisions
from opinion.models import Analysis
from runtime.work import cpu

MATCH: Final = "match"
RECORD: Final = "record"


@dataclass(frozen=True, slots=True)
class Subject:
    # `match` or `record`.
    kind: str
    head_hash: str
    names: BySide[str]
    # 0 in money play.
    length: int
    winner: Side | None
    _read: Callable[[], tuple[Rules, Record, list[int] | None]]

    def read(self) -> tuple[Rules, tuple[Decision, ...], list[int]]:
        """Load rules, decisions, and the line number of each fact; facts of a record are numbered from 1."""
        rules, record, lines = self._read()
        # Takes some tenths of a second, which would block other requests of the process.
        found = cpu.run_in_background(list_decisions, record)
        return rules, found, lines or list(range(1, len(record.actions) + 1))


def build_match_subject(row: Match) -> Subject | None:
    """Return the subject for a match; None unless finished, because an engine may not comment earlier."""
    if row.status != Status.FINISHED.value:
        return None
    return Subject(
        MATCH,
        row.head_hash,
        BySide(row.white.public_name, row.black.public_name),
        row.length,
        next((side for side in Side if side.word == row.winner), None),
        lambda: (
            journal.build_start_state(row).terms.rules,
            exports.build_record(row),
            # The journal line of each fact of the engine.
            [line.seq for line in journal.list_lines(row) if not isinstance(line.fact, ServerFact)],
        ),
    )


def build_record_subject(row: RecordedMatch) -> Subject:
    def read() -> tuple[Rules, Record, None]:
        facts = match_hooks.RECORDS.get().facts(row.key)
        return facts.rules, facts, None

    return Subject(RECORD, row.sha256, row.names, row.length, row.winner, read)


def load_subject(row: Analysis) -> Subject | None:
    """Return the current subject of an analysis; None if its match was reopened or has changed."""
    if row.match is not None:
        found = build_match_subject(row.match)
    else:
        record = match_hooks.RECORDS.get().find(row.record)
        found = None if record is None else build_record_subject(record)
    return None if found is None or found.head_hash != row.head_hash else found
