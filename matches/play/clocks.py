"""The clock of a match: what the network and we ourselves took, and flags that fall."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from engine.actions import Flagged, ResignAccepted, ResignDeclined, TimeCredited
from engine.game import Phase
from engine.resigning import is_highest
from matches.journal import journal
from matches.models import Absence
from matches.state import lag
from matches.state.facts import Excused, Held
from runtime import nodes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from engine.side import Side
    from matches.journal.lifecycle import Draft
    from matches.state.match_state import MatchState

LONGEST_SILENCE_MS = round(nodes.LONGEST_SILENCE.total_seconds() * 1000)
Silences: TypeAlias = "Sequence[tuple[datetime, datetime]]"


def excuse(
    draft: Draft, silences: Silences | None = None, *, mover: Side | None = None, may_be_away: bool = True
) -> None:
    """Take what nobody could use out of the running turn: we were out of reach, or its side had lost us.

    *silences* are ours, and *may_be_away* is false, where that is known already. *mover* has come to act,
    and so is back.
    """
    clock = draft.state.clock
    if clock is None or clock.since is None:
        return
    # So short a turn has seen no outage; where a flag is about to fall, we look all the same.
    if draft.at - clock.since <= LONGEST_SILENCE_MS and not draft.state.is_flagged(draft.at):
        return
    start = max(clock.since, draft.state.excused)
    if silences is None:
        silences = nodes.outages_between(journal.moment(start), journal.moment(draft.at))
    excused = lost(silences, start, draft.at)
    if may_be_away:
        _hold(draft, silences, mover)
    if excused:
        draft.write(Excused(excused), by="server")


def _hold(draft: Draft, silences: Silences, mover: Side | None) -> None:
    """Let the clock have stood while the side on turn was away, as far as its allowance goes."""
    state, clock = draft.state, draft.state.clock
    if clock is None or clock.since is None or clock.turn is None or _is_free(state):
        return
    left = state.terms.absence - state.held[clock.turn]
    if left <= 0:
        return
    away = Absence.objects.filter(match=draft.row, side=clock.turn.word).first()
    if away is None:
        return
    start = max(journal.milliseconds(away.since), clock.since, state.excused)
    # What an outage of ours took is excused already.
    held = min(left, draft.at - start - lost(silences, start, draft.at))
    if held > 0:
        draft.write(Held(clock.turn, held), by="server")
    if clock.turn is mover:
        away.delete()


def has_news(draft: Draft, *, mover: Side | None = None) -> bool:
    """Was anything drafted but that the clock of one who is still away stood? That is written when it ends."""
    facts = (step.line.fact for step in draft.steps)
    return any(not isinstance(fact, Held) or fact.side is mover for fact in facts)


def lost(silences: Silences, start: int, end: int) -> int:
    """Return how much of the time from *start* to *end* lies in our silences, none of which meet."""
    spans = ((journal.milliseconds(began), journal.milliseconds(ended)) for began, ended in silences)
    return sum(max(0, min(end, ended) - max(start, began)) for began, ended in spans)


def may_fall(draft: Draft) -> bool:
    """Is the time of the side whose clock runs over, unless something has to be taken out of it?"""
    clock = draft.state.clock
    if clock is None or clock.turn is None:
        return False
    return draft.state.is_flagged(draft.at, _grace(draft, clock.turn))


def forgiven(draft: Draft, side: Side, *, thought: int | None, trusted: int | None) -> int:
    """Return what the network took of the turn that *side* ends now, as far as we believe it."""
    clock = draft.state.clock
    if clock is None or clock.since is None or clock.turn is not side or thought is None:
        return 0
    claimed = draft.at - clock.since - thought
    return lag.allowed(draft.state.quota[side], claimed=claimed, trusted=trusted)


def flag(draft: Draft, *, lag: int = 0, mover: Side | None = None) -> bool:
    """Let the flag fall if the time is over, or the offer that was to be answered lapse; say whether anything did.

    Whoever's clock runs is judged by the moment their own command came in; everybody else waits a little
    longer for it.
    """
    clock = draft.state.clock
    if clock is None or clock.turn is None:
        return False
    runner = clock.turn
    given = lag if mover is runner else _grace(draft, runner)
    if not draft.state.is_flagged(draft.at, given):
        return False
    if draft.state.match.game.phase is Phase.RESIGNING:
        lapse(draft, runner)
        return True
    rule = draft.state.terms.flag
    draft.write(Flagged(runner, rule.points), by="server")
    if rule.points is not None and not draft.state.match.is_over:
        draft.write(TimeCredited(runner, rule.credit, "flag"), by="server")
    return True


def lapse(draft: Draft, asked: Side) -> None:
    """Answer a resignation for *asked*, who has not: no offer loses the one who must answer anything."""
    state = draft.state
    # What may not be refused needs no answer.
    stands = state.clock is not None and is_highest(state.match.game)
    draft.write(ResignAccepted(asked) if stands else ResignDeclined(asked), by="server")


def has_lapsed(fact: object, by: str) -> bool:
    """Is this line our answer to a resignation?"""
    return by == "server" and isinstance(fact, ResignAccepted | ResignDeclined)


def _is_free(state: MatchState) -> bool:
    return state.terms.free_answers and state.match.game.phase is Phase.RESIGNING


def _grace(draft: Draft, runner: Side) -> int:
    return lag.grace(draft.state.quota[runner])
