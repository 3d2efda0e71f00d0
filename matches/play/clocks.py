"""The clock of a match: lag, outages, absences, flags; and without a clock, claims and the limit in days."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TypeAlias

from django.utils.translation import gettext as _

from engine.actions import Flagged, ResignAccepted, ResignDeclined, TimeCredited, VoidedMatch
from engine.game import Phase
from engine.side import Side
from matches.journal import journal
from matches.journal.journal import Draft
from matches.models import Absence, Match
from matches.state import lag, reasons
from matches.state.errors import Refused
from matches.state.facts import Excused, Fact, Held
from matches.state.match_state import BOTH, MatchState
from matches.state.terms import AWHILE, Claim
from runtime import nodes

LONGEST_SILENCE_MS = round(nodes.LONGEST_SILENCE.total_seconds() * 1000)
Silences: TypeAlias = "Sequence[tuple[datetime, datetime]]"


def exclude_interruptions(
    draft: Draft, silences: Silences | None = None, *, mover: Side | None = None, may_be_away: bool = True
) -> None:
    """Exclude outages of the server and absences of the side to move from the running turn.

    *silences* are the server's outages, if known already; *may_be_away* is False if no absence is stored.
    *mover* is acting now, and so is back.
    """
    clock = draft.state.clock
    if clock is None or clock.since is None:
        return
    # Between games a clock runs only some time after the last line; an outage in that time counts too.
    began = min(clock.since, draft.state.at)
    # A short turn cannot contain an outage, but a flag is never set without looking.
    if draft.at - began <= LONGEST_SILENCE_MS and not draft.state.is_flagged(draft.at):
        return
    start = max(began, draft.state.excused)
    if silences is None:
        silences = nodes.list_outages(journal.to_datetime(start), journal.to_datetime(draft.at))
    held = _find_held(draft, silences, mover) if may_be_away else None
    excused = compute_outage(silences, start, draft.at)
    for fact in (held, Excused(excused) if excused else None):
        if fact is not None:
            draft.write(fact, by="server")


def excuse_time_before_start(draft: Draft) -> None:
    """Excuse the time left until the clock of a missing side runs: a clock that is paused forgets it."""
    clock = draft.state.clock
    if clock is not None and clock.since is not None and clock.since > draft.at:
        draft.write(Excused(clock.since - draft.at), by="server")


def _find_held(draft: Draft, silences: Silences, mover: Side | None) -> Held | None:
    """Return the stop of the clock for the absence of the side on turn, within its allowance.

    The absence of *mover* is over, and is deleted.
    """
    state, clock = draft.state, draft.state.clock
    if clock is None or clock.since is None or clock.turn is None:
        return None
    if state.terms.free_answers and state.match.game.phase is Phase.RESIGNING:
        return None
    left = state.terms.absence - state.held[clock.turn]
    if left <= 0:
        return None
    away = Absence.objects.filter(match=draft.row, side=clock.turn.word).first()
    if away is None:
        return None
    start = max(journal.to_milliseconds(away.since), clock.since, state.excused)
    if clock.turn is mover:
        away.delete()
    # Outages are excused already.
    held = min(left, draft.at - start - compute_outage(silences, start, draft.at))
    return Held(clock.turn, held) if held > 0 else None


def has_facts_to_record(draft: Draft, *, mover: Side | None = None) -> bool:
    """True if the draft has more than the clock stop of a side still away, which is recorded later."""
    facts = (step.line.fact for step in draft.steps)
    return any(not isinstance(fact, Held) or fact.side is mover for fact in facts)


def compute_outage(silences: Silences, start: int, end: int) -> int:
    """Return the outage time between *start* and *end*; silences do not overlap."""
    spans = ((journal.to_milliseconds(began), journal.to_milliseconds(ended)) for began, ended in silences)
    return sum(max(0, min(end, ended) - max(start, began)) for began, ended in spans)


def may_be_flagged(draft: Draft) -> bool:
    """True if the running side's time is over, before outages and absences are excluded."""
    clock = draft.state.clock
    if clock is None or clock.turn is None:
        return False
    return draft.state.is_flagged(draft.at, _compute_grace(draft, clock.turn))


def compute_forgiven_lag(draft: Draft, side: Side, *, thought: int | None, trusted: int | None) -> int:
    """Return the forgiven network lag, in milliseconds, of the turn that *side* ends now."""
    clock = draft.state.clock
    if clock is None or clock.since is None or clock.turn is not side or thought is None:
        return 0
    claimed = draft.at - clock.since - thought
    return lag.compute_allowed(draft.state.quota[side], claimed=claimed, trusted=trusted)


def flag(draft: Draft, *, lag: int = 0, mover: Side | None = None) -> bool:
    """Flag the running side if its time is over, or settle a resignation it left unanswered; True if it did.

    A command of the running side is judged by its arrival time; for all others a grace period
    is added.
    """
    clock = draft.state.clock
    if clock is None or clock.turn is None:
        return False
    runner = clock.turn
    given = lag if mover is runner else _compute_grace(draft, runner)
    if not draft.state.is_flagged(draft.at, given):
        return False
    is_resigning, rule = draft.state.match.game.phase is Phase.RESIGNING, draft.state.terms.flag
    fact = decide_lapsed_resignation(draft.state, runner) if is_resigning else Flagged(runner, rule.points)
    draft.write(fact, by="server")
    # With a clock that has no reserve the next turn has its delay.
    if not is_resigning and rule.points is not None and rule.credit and not draft.state.match.is_over:
        draft.write(TimeCredited(runner, rule.credit, "flag"), by="server")
    return True


def decide_lapsed_resignation(state: MatchState, asked: Side) -> Fact:
    """Return the answer to a resignation that *asked* left unanswered; it never costs *asked* anything."""
    # The highest offer cannot be refused.
    stands = state.clock is not None and state.match.game.is_highest_resignation
    return ResignAccepted(asked) if stands else ResignDeclined(asked)


def _compute_grace(draft: Draft, runner: Side) -> int:
    return lag.compute_grace(draft.state.quota[runner])


def decide_claim(draft: Draft, side: Side) -> Fact:
    """Return the agreed consequence of an absence that *side* claims against its opponent.

    :raises Refused: nothing can be claimed, or not yet.
    """
    state, at = draft.state, draft.at
    refusal = find_claim_refusal(state, side)
    if refusal is not None:
        raise refusal
    found = _find_absence(draft.row, state, side.other)
    if found is None:
        raise Refused(_("Your opponent is at the board."), code="not-away")
    since, leave = found
    silences = nodes.list_outages(journal.to_datetime(since), journal.to_datetime(at))
    left = since + leave + compute_outage(silences, since, at) - at
    if left > 0:
        raise Refused(_("Your opponent still has time to come back."), code="time-left", milliseconds=left)
    return _decide_end(state, side.other)


def find_claim_refusal(state: MatchState, side: Side) -> Refused | None:
    """Return why *side* cannot claim in this state, regardless of how long the opponent has been away."""
    terms, is_offered = state.terms, state.match.game.phase is Phase.RESIGNING
    # With a resignation offered, a claim only declines it, so that play can go on.
    if not terms.leave or (terms.claim is Claim.ADJOURN and not is_offered):
        return Refused(
            _("In this match you cannot claim anything if your opponent stays away."), code="no-claim"
        )
    if not state.begun or state.owing != (side.other,):
        return Refused(_("The match is not waiting for your opponent."), code="not-awaited")
    return None


def _find_absence(row: Match, state: MatchState, side: Side) -> tuple[int, int] | None:
    """Return the start of the absence of *side* and its allowance; None if it is at the board."""
    leave, waits = state.terms.leave, state.idle
    if state.asked is not None or side in state.sealing:
        return waits, leave  # Browsers send shares and commitments automatically.
    gone = Absence.objects.filter(match=row, side=side.word).first()
    if gone is None:
        return None
    since = journal.to_milliseconds(gone.since)
    # A side that left long before its turn gets more than a few minutes to come back.
    return max(waits, since), leave if since >= waits - leave else max(leave, AWHILE)


def end_expired_match(draft: Draft, silences: Silences) -> None:
    """End a match without a clock if its limit in days is over."""
    state = draft.state
    if not state.terms.limit:
        return
    if draft.at < state.idle + state.terms.limit + compute_outage(silences, state.idle, draft.at):
        return
    owing = state.owing
    if len(owing) == 1:
        draft.write(_decide_end(state, owing[0]), by="server")
    else:
        reason = reasons.BOTH_AWAY if len(owing) == len(BOTH) else reasons.DICE_LOST
        draft.write(VoidedMatch(reason), by="server")


def _decide_end(state: MatchState, missing: Side) -> Fact:
    if state.match.game.phase is Phase.RESIGNING:
        return decide_lapsed_resignation(state, missing)
    if state.terms.claim is Claim.VOID:
        return VoidedMatch(reasons.build_reason(reasons.STAYED_AWAY, missing))
    return Flagged(missing)
