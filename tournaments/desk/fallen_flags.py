"""Fallen flags at tables, described for the director."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from draw.play import RulesOfPlay

if TYPE_CHECKING:
    from tournaments.base.event_view import EventView, MatchView


def describe_flag(view: EventView, play: MatchView) -> str:
    """Describe whose flag has fallen and the penalty by the event's rules; "" if there is none."""
    who = view.who(play.a_id if play.flag == "a" else play.b_id) if play.flag else None
    if who is None:
        return ""
    return " ".join((_("%(name)s has run out of time.") % {"name": who.name}, _costs(get_points(play))))


def get_points(play: MatchView) -> int:
    """The points a fallen flag costs, 0 if it costs the match."""
    return RulesOfPlay.from_match_rules(play.rules).flag_points


def _costs(points: int) -> str:
    if not points:
        return _("By the rules of the event that loses the match.")
    return ngettext(
        "By the rules of the event that costs %(points)s point.",
        "By the rules of the event that costs %(points)s points.",
        points,
    ) % {"points": points}
