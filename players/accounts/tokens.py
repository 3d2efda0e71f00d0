"""Tokens for programs: created, listed and revoked by their owner, looked up by digest.

A token is 256 random bits of which only the digest is stored, so the lookup needs no constant-time
comparison.
"""

from __future__ import annotations

import contextlib
import re
import secrets
from datetime import datetime, timedelta
from typing import Final

from django.db import DatabaseError, transaction
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from players import names
from players.errors import OutOfBounds, TooManyTokens
from players.keys import digest
from players.models import ApiToken, Player, Scope, User
from players.notices import notices
from players.notices.kinds import NoticeKind, Reader

# Makes tokens recognisable for people and for secret scanners.
PREFIX = "bp_"
SHAPE = re.compile(r"bp_[A-Za-z0-9_-]{43}")
MOST_TOKENS = 20
MOST_DAYS = 365
LONGEST_NAME = 60
# Uses within this time of the last recorded one are not recorded.
RECENT = timedelta(minutes=1)


# Warns the owner if a token was created by someone else in an open browser.
TOKEN_CREATED: Final = NoticeKind(
    name="token_created",
    reader=Reader.ACCOUNT,
    when=_("A token for programs is created for your account."),
    text=_("The token “{name}” can now use Barpoint in your name. If you did not make it, revoke it."),
)


@transaction.atomic
def create(*, user: User, name: str, scope: Scope, now: datetime, days: int | None = None) -> str:
    """Create a token and return its text, which is not stored; without *days* it does not expire.

    :raises InvalidText: the name is invalid.
    :raises OutOfBounds: *days* is out of range.
    :raises TooManyTokens: the account has reached the limit.
    """
    name = names.clean_name(name, limit=LONGEST_NAME)
    if days is not None and not 1 <= days <= MOST_DAYS:
        raise OutOfBounds
    _lock_player(user)
    if ApiToken.objects.filter(user=user).count() >= MOST_TOKENS:
        raise TooManyTokens(most=MOST_TOKENS)
    text = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        token_hash=digest(text),
        scope=scope,
        created_at=now,
        expires_at=now + timedelta(days=days) if days is not None else None,
    )
    notices.send(
        TOKEN_CREATED,
        user=user,
        values={"name": name},
        url=reverse("players:tokens"),
        dedupe_key=f"token:{token.pk}",
        now=now,
    )
    return text


def revoke(*, user: User, token_id: int) -> bool:
    """Delete one of the account's tokens; True if it existed."""
    return bool(ApiToken.objects.filter(user=user, pk=token_id).delete()[0])


def list_tokens(*, user: User, now: datetime) -> list[tuple[ApiToken, bool]]:
    """Return the account's tokens, the newest first, each with True if it is expired."""
    rows = ApiToken.objects.filter(user=user).order_by("-created_at", "-pk")
    return [(each, each.expires_at is not None and each.expires_at <= now) for each in rows]


def find_token(*, text: str) -> ApiToken | None:
    """Find the token with this text, with its account and player in one query."""
    if not SHAPE.fullmatch(text):
        return None
    return ApiToken.objects.select_related("user__player").filter(token_hash=digest(text)).first()


def note_use(*, token: ApiToken, now: datetime) -> bool:
    """Record a use of the token, at most once a minute; True if recorded."""
    before = now - RECENT
    if token.last_used_at is not None and token.last_used_at > before:
        return False
    # Only one of several requests writes. If the disk is full, reading continues, also for programs.
    with contextlib.suppress(DatabaseError), transaction.atomic():
        stale = ApiToken.objects.filter(
            Q(last_used_at__isnull=True) | Q(last_used_at__lte=before), pk=token.pk
        )
        return bool(stale.update(last_used_at=now))
    return False


def _lock_player(user: User) -> None:
    """Lock the account's player, so that concurrent creations are counted one after the other."""
    Player.objects.select_for_update(of=("self",), no_key=True).get(user=user)
