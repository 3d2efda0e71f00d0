"""Who may claim what where one side stays away from a board without a clock (ADR 0032)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from engine.game import Phase
from matches.state.errors import Refused
from matches.state.terms import Claim

if TYPE_CHECKING:
    from engine.side import Side
    from matches.state.match_state import MatchState


def why_none(state: MatchState, side: Side) -> Refused | None:
    """Return why *side* can claim nothing as the match stands, however long the other has been away."""
    terms, is_offered = state.terms, state.match.game.phase is Phase.RESIGNING
    # An offer to resign is only ever declined by a claim, so that play can go on.
    if not terms.leave or (terms.claim is Claim.ADJOURN and not is_offered):
        return Refused(
            _("In this match you cannot claim anything if your opponent stays away."), code="no-claim"
        )
    if not state.begun or state.owing != (side.other,):
        return Refused(_("The match is not waiting for your opponent."), code="not-awaited")
    return None
