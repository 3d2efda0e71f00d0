"""Helpers of one event: a link is made, taken up by one browser, and taken back.

Like an invitation, a link is 192 random bits, and only their digest is stored. Who takes it back holds the event's lock, and so does
every act of a helper, who is looked up under it: nothing is done after the link was taken back.
"""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import transaction

from players import names
from players.keys import digest
from tournaments.base.errors import HelperTaken, NotHelper, Rehearsed, TooManyHelpers
from tournaments.models import Helper
from tournaments.play import changes
from tournaments.status import Status

if TYPE_CHECKING:
    from datetime import datetime

    from players.models import User

LASTS: Final = timedelta(hours=24)
# More than any club has, so that nobody fills the table.
MOST: Final = 50
# A draft is for its directors alone.
OPEN: Final = (Status.PUBLISHED, Status.RUNNING)


@transaction.atomic
def ask(*, tournament_id: int, name: str, by: User, now: datetime) -> str:
    """Make a helper's link and return its token, which nobody can be told again.

    :raises NotDirector, Rehearsed, WrongStatus, HiddenCharacters, TooLong, TooManyHelpers: there is no link.
    """
    event = changes.direct(tournament_id, by)
    if event.club.rehearses_id is not None:
        raise Rehearsed
    if Status(event.status) not in OPEN:
        raise changes.refuse(event)
    if Helper.objects.filter(tournament=event, revoked_at=None, expires_at__gt=now).count() >= MOST:
        raise TooManyHelpers
    token = secrets.token_urlsafe(24)
    Helper.objects.create(
        tournament=event,
        name=names.clean_name(name, limit=40),
        token_hash=digest(token),
        created_by=by,
        created_at=now,
        expires_at=now + LASTS,
    )
    return token


def find(*, token: str, now: datetime) -> Helper:
    """Return whose link this is, as long as it can be taken up.

    :raises NotHelper: it is unknown, over or taken back.
    :raises HelperTaken: another browser has it.
    """
    found = Helper.objects.select_related("tournament__club").filter(token_hash=digest(token)).first()
    if found is None or found.revoked_at is not None or found.expires_at <= now:
        raise NotHelper
    if found.taken_up_at is not None:
        raise HelperTaken
    return found


@transaction.atomic
def take_up(*, token: str, now: datetime) -> Helper:
    """Take a link up, once: of two browsers at the same moment, the database lets in one.

    :raises NotHelper, HelperTaken: it is not taken up.
    """
    found = find(token=token, now=now)
    usable = Helper.objects.filter(pk=found.pk, taken_up_at=None, revoked_at=None, expires_at__gt=now)
    if not usable.update(taken_up_at=now):
        find(token=token, now=now)
        raise NotHelper
    return found


@transaction.atomic
def take_back(*, tournament_id: int, helper: int, by: User, now: datetime) -> None:
    """Take a link back, from whoever has it; doing so twice changes nothing.

    :raises NotDirector: it stays.
    """
    event = changes.direct(tournament_id, by)
    if Helper.objects.filter(tournament=event, pk=helper, revoked_at=None).update(revoked_at=now):
        # An open page of theirs looks again, and finds that it may no more.
        changes.hint(event, now=now)
