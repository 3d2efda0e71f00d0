"""Who did an act without an account: a helper, by the name that the director gave them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from tournaments.models import Helper


def helper(who: Helper | None) -> str:
    """Return which helper did it, or nothing."""
    return _("%(name)s, helper") % {"name": who.name} if who else ""
