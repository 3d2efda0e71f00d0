"""What was reached, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from careers.figures import Achievement


def title(reached: Achievement) -> str:
    """Return the few words that name an achievement."""
    figure = {"number": reached.figure}
    match reached.code:
        case "first":
            return _("First match won")
        case "matches":
            return _("%(number)s matches played") % figure
        case "run":
            return _("%(number)s wins in a row") % figure
        case "length":
            return _("Won a match to %(number)s points or more") % figure
        case "opponents":
            return _("Met %(number)s different opponents") % figure
        case "comeback":
            return _("Won after %(number)s losses in a row to the same opponent") % figure
        case "title":
            return _("Won an event of %(number)s players or more") % figure
        case "unbeaten":
            return _("Won an event with %(number)s matches and lost none") % figure
    raise ValueError(reached.code)
