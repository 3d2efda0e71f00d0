"""Matches without a clock: claims when a side stays away, and the limit in days."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from engine.actions import Flagged, VoidedMatch
from engine.game import Phase
from matches.journal import journal
from matches.models import Absence
from matches.play import clocks
from matches.state import reasons
from matches.state.errors import Refused
from matches.state.match_state import BOTH
from matches.state.terms import AWHILE, Claim
from runtime import nodes

if TYPE_CHECKING:
    from engine.side import Side
    from matches.journal.lifecycle import Draft
    from matches.models import Match
    from matches.play.clocks import Silences
    from matches.state.facts import Fact
    from matches.state.match_state import MatchState


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
    left = since + leave + clocks.compute_outage(silences, since, at) - at
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
    if draft.at < state.idle + state.terms.limit + clocks.compute_outage(silences, state.idle, draft.at):
        return
    owing = state.owing
    if len(owing) == 1:
        draft.write(_decide_end(state, owing[0]), by="server")
    else:
        reason = reasons.BOTH_AWAY if len(owing) == len(BOTH) else reasons.DICE_LOST
        draft.write(VoidedMatch(reason), by="server")


def _decide_end(state: MatchState, missing: Side) -> Fact:
    if state.match.game.phase is Phase.RESIGNING:
        return clocks.decide_lapsed_resignation(state, missing)
    if state.terms.claim is Claim.VOID:
        return VoidedMatch(reasons.build_reason(reasons.STAYED_AWAY, missing))
    return Flagged(missing)
