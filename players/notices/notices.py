"""Notices: shown on the page at once, sent by e-mail if unread."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.urls import reverse
from django.utils import translation

from players.access.requests import Page, paginate
from players.models import Notice, User
from players.notices.kinds import NoticeKind
from runtime import stream
from runtime.work import outbox

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

# A reader who is on the site needs no e-mail.
PATIENCE = timedelta(minutes=10)
STOPS: Final = "players.unsubscribe"


@transaction.atomic
def send(
    kind: NoticeKind,
    *,
    user: User,
    values: Mapping[str, object] | None = None,
    variant: str = "",
    reason: StrOrPromise = "",
    url: str,
    dedupe_key: str,
    now: datetime,
) -> bool:
    """Create a notice in the reader's language, with the reason at its end; True if it is new."""
    with translation.override(user.written_language):
        text = f"{kind.write(variant, values or {})} {reason}".strip()[:1000]
    notice, is_news = Notice.objects.get_or_create(
        user=user, dedupe_key=dedupe_key, defaults={"text": text, "url": url, "created_at": now}
    )
    if not is_news:
        return False
    stream.publish(f"user.{user.pk}", "notice", {}, now=now)
    if kind.is_mailed_to(user):
        outbox.put(
            "players.notice_mail",
            {"notice_id": notice.pk},
            dedupe_key=f"players.notice_mail:{notice.pk}",
            now=now,
            due_at=now + PATIENCE,
        )
    return True


def build_unsubscribe_url(user: User) -> str:
    """Build the URL that ends the account's notices by e-mail, without signing in."""
    token = Signer(salt=STOPS).sign(user.player.key)
    return settings.PUBLIC_URL + reverse("players:unsubscribe", args=[token])


def find_reader(token: str) -> User | None:
    """Find the account of a token for ending e-mails; None if the token is invalid."""
    try:
        key = Signer(salt=STOPS).unsign(token)
    except BadSignature:
        return None
    return User.objects.filter(player__key=key).first()


def unsubscribe(*, user: User) -> None:
    """End an account's notices by e-mail; repeating it changes nothing."""
    user.mails_notices = False
    user.save(update_fields=["mails_notices"])


def list_notices(*, user: User, page: int = 1) -> Page[Notice]:
    """List an account's notices, the newest first."""
    return paginate(Notice.objects.filter(user=user), page, lambda notice: notice)


@transaction.atomic
def mark_read(*, user: User, now: datetime, notice_id: int | None = None) -> int:
    """Mark one notice, or all, as read; return how many were unread."""
    unread = Notice.objects.filter(user=user, read_at__isnull=True)
    if notice_id is not None:
        unread = unread.filter(pk=notice_id)
    count = unread.update(read_at=now)
    if count:
        stream.publish(f"user.{user.pk}", "notice", {}, now=now)
    return count
