"""Acts of an event on the board of a match: penalty points for late players, their withdrawal, and its end."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction

from engine.actions import Penalised, RuledScore, TakenBack, VoidedMatch
from engine.game import Termination
from engine.side import Side
from matches.journal import journal
from matches.journal.journal import Draft
from matches.journal.lifecycle import record
from matches.models import Match
from matches.play import automatic_facts, clocks
from matches.state import reasons

# A match whose last game ended in one of these ways is over only by its score.
BY_SCORE: Final = frozenset({Termination.BEAROFF, Termination.DROP, Termination.RESIGN, Termination.RULING})


def apply_penalty(*, match_id: int, side: Side, points: int, now: datetime) -> Match:
    """Penalise *side* by *points*, or take penalty points back if negative.

    A match that ended only by these points is reopened. A finished match takes no further ones: callers check
    its end first.
    """
    with transaction.atomic():
        row = journal.lock(match_id)
        draft = Draft.load(row, now=now, with_past=points < 0)
        clocks.exclude_interruptions(draft)
        clocks.flag(draft)
        if draft.state.match.is_over:
            if points < 0:
                _take_points_back(draft, side, -points)
        elif points:
            _write_penalty(draft, side, points)
        if draft.steps:
            automatic_facts.write_automatic_facts(draft)
            record(draft)
        return row


def _write_penalty(draft: Draft, side: Side, points: int) -> None:
    word = reasons.LATE if points > 0 else reasons.NOT_LATE
    draft.write(Penalised(side, points, reasons.build_reason(word, side)), by="server")


def _take_points_back(draft: Draft, side: Side, points: int) -> None:
    """Take points back in a finished match, unless a director has ruled on its end since."""
    why, steps = (
        reasons.build_reason(reasons.NOT_LATE, side),
        [*journal.iterate_steps(draft.row), *draft.steps],
    )
    match, end = (
        steps[-1].after.match,
        next(step for step in reversed(steps) if not step.before.match.is_over),
    )
    if match.outcome is None or match.outcome != end.after.match.outcome:
        return
    if isinstance(fact := end.line.fact, Penalised):
        # Nothing has been played since: restore the state before, and write the remaining points again.
        draft.write(TakenBack(end.before.match.facts, why), by="server")
        still = {side: -points}
        still[fact.side] = still.get(fact.side, 0) + fact.points
        for one, due in still.items():
            if due:
                _write_penalty(draft, one, due)
    elif match.outcome.how in BY_SCORE and len(match.results) > len(end.before.match.results):
        score = match.score.put(side.other, max(0, match.score[side.other] - points))
        draft.write(RuledScore(score, reason=why), by="server")


def void_match(*, match_id: int, now: datetime) -> bool:
    """Declare a match void that its event has decided, or has played again; False if it is over."""
    with transaction.atomic():
        draft = Draft.load(journal.lock(match_id), now=now)
        if draft.state.match.is_over:
            return False
        draft.write(VoidedMatch(reasons.DECIDED), by="server")
        record(draft)
        return True
