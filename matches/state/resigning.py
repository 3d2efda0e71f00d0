"""Rules for offering and declining resignations that apply in live play, not to records (R69)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from engine.game import Phase
from matches.state.commands import DeclineResignation, OfferResignation
from matches.state.errors import Refused

if TYPE_CHECKING:
    from engine.side import Side
    from matches.state.commands import Command
    from matches.state.match_state import MatchState


def list_levels(state: MatchState, side: Side) -> range:
    """Return the levels that *side* may offer, in cubes."""
    return range(1, state.match.game.find_highest_level(side) + 1)


def find_refusal(state: MatchState, side: Side, command: Command) -> Refused | None:
    """Return why *side* may not offer or decline a resignation; None if it may, or for other commands."""
    match command:
        case OfferResignation() if state.match.game.phase is Phase.OPENING:
            # Neither side is on turn before the opening roll, even if only one of them is awaited.
            return Refused(_("It is not your turn."), code="not-your-turn")
        case OfferResignation() if state.refused is side:
            sentence = _("Your resignation was refused. Play on before you offer another.")
            return Refused(sentence, code="resignation-refused")
        case OfferResignation() if state.match.game.offer // 2 > state.match.game.cube.value:
            # After a beaver: a drop costs half the offer, but the cube that a resignation counts by has not
            # been turned yet.
            sentence = _("The double has not been answered: take or drop.")
            return Refused(sentence, code="resignation-too-low", rule="R46")
        case OfferResignation(level=level) if level > (most := state.match.game.find_highest_level(side)):
            sentence = _("You can no longer lose that much in this game.")
            return Refused(sentence, code="resignation-too-high", rule="R69", most=most)
        case DeclineResignation():
            return find_decline_refusal(state)
        case _:
            return None


def find_decline_refusal(state: MatchState) -> Refused | None:
    """Return why the offer must be accepted; None if it may be declined."""
    if state.clock is None or not state.match.game.is_highest_resignation:
        return None
    sentence = _("You cannot win more than this. With a clock, you must accept it.")
    return Refused(sentence, code="highest-value", rule="R69")
