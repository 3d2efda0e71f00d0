"""Penalty points that come from outside the board: an event says that somebody was late, or takes it back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import transaction

from engine.actions import Penalised, RuledScore, TakenBack
from engine.game import How
from matches.journal import journal
from matches.journal.lifecycle import Draft, record
from matches.play import clocks, following
from matches.state import reasons

if TYPE_CHECKING:
    from datetime import datetime

    from engine.side import Side
    from matches.models import Match

# A match whose last game ended like this is over by its score, and only by that.
BY_SCORE: Final = frozenset({How.BEAROFF, How.DROP, How.RESIGN, How.RULING})


def fine(*, match_id: int, side: Side, points: int, now: datetime) -> Match:
    """Give a side so many penalty points more, or fewer; the journal says so like every other fact.

    A match that only these points had ended goes on. One that is over takes no more of them: who asks
    looks at its end first.
    """
    with transaction.atomic():
        row = journal.lock(match_id)
        draft = Draft.of(row, now=now, with_past=points < 0)
        clocks.excuse(draft)
        clocks.flag(draft)
        if draft.state.match.is_over:
            if points < 0:
                _reopen(draft, side, -points)
        elif points:
            _write(draft, side, points)
        if draft.steps:
            following.follow(draft)
            record(draft)
        return row


def _write(draft: Draft, side: Side, points: int) -> None:
    word = reasons.LATE if points > 0 else reasons.NOT_LATE
    draft.write(Penalised(side, points, reasons.of(word, side)), by="server")


def _reopen(draft: Draft, side: Side, points: int) -> None:
    """Take points back from a match that is over; where a director has ruled on its end since, that stands."""
    why, steps = reasons.of(reasons.NOT_LATE, side), [*journal.steps(draft.row), *draft.steps]
    match, end = (
        steps[-1].after.match,
        next(step for step in reversed(steps) if not step.before.match.is_over),
    )
    if match.outcome is None or match.outcome != end.after.match.outcome:
        return
    if isinstance(fact := end.line.fact, Penalised):
        # Nothing has been played since: the board is again what it was, less what is still due.
        draft.write(TakenBack(end.before.match.facts, why), by="server")
        still = {side: -points}
        still[fact.side] = still.get(fact.side, 0) + fact.points
        for one, due in still.items():
            if due:
                _write(draft, one, due)
    elif match.outcome.how in BY_SCORE and len(match.results) > len(end.before.match.results):
        score = match.score.put(side.other, max(0, match.score[side.other] - points))
        draft.write(RuledScore(score, reason=why), by="server")
