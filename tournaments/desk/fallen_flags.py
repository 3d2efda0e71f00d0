"""Whose time has run out at a table, for the director who sees to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from draw.play import RulesOfPlay

if TYPE_CHECKING:
    from tournaments.base.event_view import EventView, MatchView


def told(view: EventView, play: MatchView) -> str:
    """Say whose flag has fallen, and what that costs by the rules of the event; "" if nobody's has."""
    who = view.who(play.a_id if play.flag == "a" else play.b_id) if play.flag else None
    if who is None:
        return ""
    return " ".join((_("%(name)s has run out of time.") % {"name": who.name}, _costs(points_of(play))))


def points_of(play: MatchView) -> int:
    """Return how many points a flag costs, 0 where it costs the match."""
    return RulesOfPlay.from_match_rules(play.rules).flag_points


def _costs(points: int) -> str:
    if not points:
        return _("By the rules of the event that loses the match.")
    return ngettext(
        "By the rules of the event that costs %(points)s point.",
        "By the rules of the event that costs %(points)s points.",
        points,
    ) % {"points": points}
