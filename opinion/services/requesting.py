"""An analysis is asked for by whom the match is: nobody has taken it up, because it is over for longer than a day, say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _

from matches.play.watching import Role
from matches.state.errors import Refused
from matches.watch import recorded
from opinion.errors import NoEngine
from opinion.selectors import here, subjects
from opinion.services import analysing

if TYPE_CHECKING:
    from datetime import datetime

    from matches.play.watching import View
    from players.models import User


def may_ask(seen: View) -> bool:
    """May this person have the match analysed: one of the two with an account, or a director?"""
    return seen.has_account and seen.role is not Role.SPECTATOR


def of_match(seen: View, *, now: datetime) -> None:
    """Have a match analysed that is over; where that has been asked for it stays as it is.

    :raises PermissionDenied: it is a match of others.
    :raises NoEngine: there is none here.
    :raises Refused: it is still played, or void.
    """
    if not may_ask(seen):
        raise PermissionDenied
    if not here.is_on():
        raise NoEngine
    row = seen.row
    if subjects.of_match(row) is None:
        raise Refused(_("The match is not over yet."), code="not-finished")
    analysing.request(match_id=row.pk, head_hash=row.head_hash, now=now)


def of_record(user: User, key: str, *, now: datetime) -> None:
    """Have a recorded match analysed, for those who may see its verdict.

    :raises Http404: there is none that this person may see.
    :raises NoEngine: there is none here.
    """
    if recorded.find_for(user, key) is None:
        raise Http404
    if not here.is_on():
        raise NoEngine
    analysing.request_record(key=key, now=now)
