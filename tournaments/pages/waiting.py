"""What a player without an open match or a known next one reads about how they go on."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _

from draw.history import PLAYOFF_BRACKET
from draw.lives import MODE
from tournaments.base import formats
from tournaments.base.event_view import EventView, MatchView, StageView
from tournaments.models import Entry, PairingState, Stage


class WaitingText(NamedTuple):
    title: str
    # A sentence, "" if the title says everything.
    text: str = ""


def describe_waiting(view: EventView, entry: Entry) -> WaitingText:
    if entry.left:
        return WaitingText(_("You have left this event."))
    if entry.waits:
        return WaitingText(_("You are on the waiting list."))
    if view.event.over_at is not None:
        return WaitingText(
            _("Everything is played"), _("The places are final when a director has approved them.")
        )
    if not view.parts:
        return WaitingText(_("You are in"))
    # A latecomer begins in the first stage.
    part = next((part for part in reversed(view.parts) if _takes_part(part, entry)), view.parts[0])
    if (finished := _describe_end(view, part, entry)) is not None:
        return finished
    if entry.is_absent:
        return WaitingText(
            _("You are marked as away"), _("Tell the desk when you are back, and you are paired again.")
        )
    if MODE.get(formats.build_options(part.stage)) == "continuous":
        return WaitingText(
            _("You are in"), _("Your next match will be set when a suitable opponent is free.")
        )
    return WaitingText(_("You are in"), _("Your next match will be set when the round is over."))


def _describe_end(view: EventView, part: StageView, entry: Entry) -> WaitingText | None:
    """Describe how a player has finished the last stage in which they play; None if more comes in it."""
    later = [each for each in view.parts[view.parts.index(part) + 1 :] if _takes_from(each.stage, part.stage)]
    own = [play for play in part.plays if entry.pk in {play.a_id, play.b_id}]
    is_passed_over = bool(later) and all(each.is_drawn for each in later)
    if not is_passed_over and not _has_finished(view, part, entry, own):
        return None
    if later and not is_passed_over:
        return WaitingText(
            _("You have played all your matches in this stage"), _("The next stage has not been drawn yet.")
        )
    if is_passed_over or _is_out(view, part, entry, own):
        return WaitingText(_("You are out"), _("Thank you for playing. Your place is in the standings."))
    return WaitingText(
        _("You have played all your matches"), _("The places are final when everyone has finished.")
    )


def _takes_part(part: StageView, entry: Entry) -> bool:
    is_drawn_in = part.is_drawn and part.draw is not None and entry.number in part.draw.lines
    return is_drawn_in or any(entry.pk in {play.a_id, play.b_id} for play in part.plays)


def _takes_from(stage: Stage, source: Stage) -> bool:
    return not stage.takes or any(take["stage"] == source.name for take in stage.takes)


def _has_finished(view: EventView, part: StageView, entry: Entry, own: list[MatchView]) -> bool:
    """True if nothing more comes in this stage for a player without an open or a known next match."""
    form = formats.get_format(part.stage)
    if part.is_sheet:
        return any(play.state == PairingState.DECIDED for play in own)
    if not form.is_elimination and not form.has_rounds:
        return bool(own)
    # Rounds of play-offs are not among those announced.
    rounds = {play.round for play in part.plays if play.bracket != PLAYOFF_BRACKET}
    planned = part.stage.options.get("rounds")
    return bool(planned and len(rounds) >= planned) or _is_out(view, part, entry, own)


def _is_out(view: EventView, part: StageView, entry: Entry, own: list[MatchView]) -> bool:
    """True if the player was eliminated: by their last match in a knock-out, or without lives."""
    form = formats.get_format(part.stage)
    if form.counts_in == "lives":
        ranking = view.stage_rankings.get(part.stage.name, ())
        figures = next((dict(one.figures) for one in ranking if one.entrant == str(entry.number)), {})
        return figures.get("lives") == 0
    if not form.is_elimination:
        return False
    decided = [play for play in own if play.state == PairingState.DECIDED]
    return bool(decided) and decided[-1].winner_id != entry.pk
