"""Calls by Web Push: to browsers whose players have switched it on, through the outbox and the guarded caller."""

from __future__ import annotations

import json
import secrets
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from players.access import attempts
from runtime import web_push
from runtime.http import http_client
from runtime.work import outbox
from venue.calls.seats import PUSH
from venue.errors import BadSubscription, PushNotOffered, TooManyTries
from venue.models import Chair, PushKey, PushSubscription
from venue.models.assignments import LONGEST_ENDPOINT
from venue.player import my_call

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from players.models import User

# Who switches it on in one more browser switches the oldest off.
MOST_BROWSERS: Final = 10
# A call that comes later is none: by then the desk has been told that it was not seen.
LASTS: Final = timedelta(minutes=3)
# For how long a push service knows us by one header; a day is the most it takes (RFC 8292, section 2).
HEADER_LASTS: Final = timedelta(hours=12)
GONE: Final = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
LATER: Final = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS)
TESTS: Final = attempts.Pace(free=5, first=10, most=300)


def is_offered() -> bool:
    """Say whether browsers can be told: they allow it under HTTPS alone."""
    return bool(settings.IS_PUBLIC)


def public_key(*, now: datetime) -> str:
    """Return the key that a browser binds its subscription to."""
    return web_push.encoded(web_push.public_bytes(_key(now=now).public_key()))


@transaction.atomic
def subscribe(*, user: User, endpoint: str, public: str, auth: str, now: datetime) -> PushSubscription:
    """Have a browser told of its player's calls; one that somebody else used before is theirs no more.

    :raises PushNotOffered: the site is not reached by HTTPS.
    :raises BadSubscription: this is no subscription of a browser, or its address is none that we call.
    """
    if not is_offered():
        raise PushNotOffered
    try:
        parts = http_client.parsed(endpoint, longest=LONGEST_ENDPOINT)
        web_push.Browser.read(public, auth)
    except (http_client.Forbidden, web_push.BadKeys) as error:
        raise BadSubscription from error
    if parts.scheme != "https":
        raise BadSubscription
    keys = {"user": user, "public": public, "auth": auth, "last_error": ""}
    row, _made = PushSubscription.objects.update_or_create(
        endpoint=endpoint, defaults=keys, create_defaults={**keys, "created_at": now}
    )
    kept = PushSubscription.objects.filter(user=user).order_by("-created_at", "-pk")[:MOST_BROWSERS]
    PushSubscription.objects.filter(user=user).exclude(pk__in=[each.pk for each in kept]).delete()
    return row


def unsubscribe(*, user: User, endpoint: str = "") -> int:
    """Tell a browser no more, or without an address none of this player; return how many."""
    rows = PushSubscription.objects.filter(user=user)
    return (rows.filter(endpoint=endpoint) if endpoint else rows).delete()[0]


def test(*, user: User, endpoint: str, now: datetime) -> bool:
    """Send a browser of this player a message that says it works; say whether there is such a browser.

    :raises TooManyTries: it was sent often just now.
    """
    row = PushSubscription.objects.filter(user=user, endpoint=endpoint).first()
    if row is None:
        return False
    try:
        attempts.take_turn([attempts.lane(TESTS, "push", user.pk)], now=now)
    except attempts.TooSoon as error:
        raise TooManyTries(seconds=error.seconds) from None
    outbox.put(
        PUSH, {"to": row.pk, "at": now.isoformat()}, dedupe_key=f"push:{row.pk}:{uuid4().hex}", now=now
    )
    return True


def deliver(payload: Mapping[str, Any], *, now: datetime) -> None:
    """Tell one browser, if there is still something to tell; what may come through later is raised, so that it is tried again.

    :raises CallError: it did not come through.
    """
    row = PushSubscription.objects.filter(pk=payload["to"]).select_related("user").first()
    if row is None:
        return
    told = _words(row.user, str(payload.get("call", "")), now=now)
    if told is None:
        return
    try:
        _send(row, told, now=now)
    except http_client.Forbidden:
        # It leads into somebody's own network.
        row.delete()
    except http_client.CallError as error:
        if error.status in GONE:
            row.delete()
            return
        PushSubscription.objects.filter(pk=row.pk).update(told_at=now, last_error=str(error)[:200])
        if _may_come_through(error.status):
            raise
    else:
        PushSubscription.objects.filter(pk=row.pk).update(told_at=now, last_error="")


def _may_come_through(status: int) -> bool:
    # No answer at all has no status.
    return not status or status in LATER or status >= HTTPStatus.INTERNAL_SERVER_ERROR


def _words(user: User, call: str, *, now: datetime) -> dict[str, object] | None:
    """Return what a browser shows, None where the call is over, answered or old."""
    with translation.override(user.written_language):
        if not call:
            shown = {"title": _("Calls reach this browser"), "body": _("This is how a call will look here.")}
            return {**shown, "tag": "test", "url": reverse("venue:push")}
        chairs = Chair.objects.filter(
            assignment__uid=call, assignment__called_at__gt=now - LASTS, player__user=user
        )
        if not chairs.filter(ended_at=None, seen_at=None, here_at=None).exists():
            return None
        found = my_call.call_of(user.player)
        if found is None:
            return None
        return {
            "title": _("%(table)s: you are called") % {"table": found.where},
            "body": _("against %(name)s, %(event)s") % {"name": found.opponent, "event": found.event_name},
            "tag": found.uid,
            "url": reverse("venue:called"),
        }


def _send(row: PushSubscription, told: dict[str, object], *, now: datetime) -> None:
    body = web_push.encrypt(
        json.dumps(told, ensure_ascii=False).encode(),
        to=web_push.Browser.read(row.public, row.auth),
        key=ec.generate_private_key(web_push.CURVE),
        salt=secrets.token_bytes(web_push.SALT_LENGTH),
    )
    headers = {
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(int(LASTS.total_seconds())),
        "Urgency": "high",
        "Authorization": web_push.authorization(
            row.endpoint, key=_key(now=now), subject=settings.PUBLIC_URL, until=now + HEADER_LASTS
        ),
    }
    http_client.post(row.endpoint, body, headers, longest=LONGEST_ENDPOINT)


def _key(*, now: datetime) -> ec.EllipticCurvePrivateKey:
    kept = PushKey.objects.filter(pk=1).first()
    if kept is None:
        made = web_push.private_text(ec.generate_private_key(web_push.CURVE))
        # Of two that make one at once, one is kept.
        PushKey.objects.bulk_create([PushKey(pk=1, private=made, made_at=now)], ignore_conflicts=True)
        kept = PushKey.objects.get(pk=1)
    return web_push.private_key(kept.private)
