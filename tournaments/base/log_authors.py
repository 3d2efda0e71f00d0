"""Names of helpers in the log of rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from tournaments.models import Helper


def helper(who: Helper | None) -> str:
    return _("%(name)s, helper") % {"name": who.name} if who else ""
