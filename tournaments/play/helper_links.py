"""Links for the helpers of an event: creation, acceptance by one browser, and revocation.

A link holds 192 random bits, of which only the digest is stored. Revoking a link and every act of a helper
take the event's lock, and the helper is looked up under it: nothing is done after a link was revoked.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from players import names
from players.keys import digest
from players.models import User
from tournaments.base.errors import HelperTaken, NotHelper, Rehearsed, TooManyHelpers
from tournaments.models import Helper
from tournaments.play import changes
from tournaments.status import OPEN

LASTS: Final = timedelta(hours=24)
# More than any club needs; limits the table.
MOST: Final = 50


@transaction.atomic
def create_link(*, tournament_id: int, name: str, by: User, now: datetime) -> str:
    """Create a helper's link and return its token, which is not stored.

    :raises NotDirector, Rehearsed, WrongStatus, HiddenCharacters, TooLong, TooManyHelpers: no link is created.
    """
    event = changes.lock_for_director(tournament_id, by)
    if event.club.rehearses_id is not None:
        raise Rehearsed
    # Drafts are visible to directors only.
    changes.require_status(event, OPEN)
    if Helper.filter_valid(now).filter(tournament=event).count() >= MOST:
        raise TooManyHelpers
    token = secrets.token_urlsafe(24)
    who, times = names.clean_name(name, limit=40), {"created_at": now, "expires_at": now + LASTS}
    Helper.objects.create(tournament=event, name=who, token_hash=digest(token), created_by=by, **times)
    return token


def get_open_helper(*, token: str, now: datetime) -> Helper:
    """Return the helper of a link that can be accepted.

    :raises NotHelper: the link is unknown, expired or revoked.
    :raises HelperTaken: another browser has accepted it.
    """
    valid = Helper.filter_valid(now).select_related("tournament__club")
    found = valid.filter(token_hash=digest(token)).first()
    if found is None:
        raise NotHelper
    if found.taken_up_at is not None:
        raise HelperTaken
    return found


@transaction.atomic
def accept_link(*, token: str, now: datetime) -> Helper:
    """Accept a link, once; the database lets only one browser win.

    :raises NotHelper, HelperTaken: the link is not valid, or already used.
    """
    found = get_open_helper(token=token, now=now)
    if not Helper.filter_valid(now).filter(pk=found.pk, taken_up_at=None).update(taken_up_at=now):
        get_open_helper(token=token, now=now)
        raise NotHelper
    return found


@transaction.atomic
def revoke_link(*, tournament_id: int, helper: int, by: User, now: datetime) -> None:
    """Revoke a helper's link. Idempotent.

    :raises NotDirector: nothing changes.
    """
    event = changes.lock_for_director(tournament_id, by)
    if Helper.objects.filter(tournament=event, pk=helper, revoked_at=None).update(revoked_at=now):
        # An open page of the helper reloads and loses its rights.
        changes.announce_change(event, now=now)
