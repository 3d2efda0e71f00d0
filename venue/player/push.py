"""Calls by Web Push to subscribed browsers, through the outbox and the guarded HTTP client."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import uuid4

from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from players.access import attempts
from players.models import Player, User
from runtime import web_push
from runtime.http import http_client
from runtime.work import outbox
from venue.calls.seats import PUSH
from venue.errors import BadSubscription, PushNotOffered, TooManyTries
from venue.models import Chair, PushKey, PushSubscription
from venue.models.assignments import LONGEST_ENDPOINT
from venue.player import player_calls

# One more subscription replaces the oldest.
MOST_BROWSERS: Final = 10
# A later message is useless: by then the desk lists the call as unseen.
LASTS: Final = timedelta(minutes=3)
# Lifetime of the authorization header; RFC 8292, section 2, allows a day at most.
HEADER_LASTS: Final = timedelta(hours=12)
GONE: Final = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
LATER: Final = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS)
TESTS: Final = attempts.RateLimit(free=5, first=10, most=300)


def is_offered() -> bool:
    """True if push is available: browsers require HTTPS."""
    return bool(settings.IS_PUBLIC)


def get_public_key(*, now: datetime) -> str:
    return web_push.encode_base64(web_push.format_public_key(_get_or_create_key(now=now).public_key()))


@transaction.atomic
def subscribe(*, user: User, endpoint: str, public: str, auth: str, now: datetime) -> PushSubscription:
    """Subscribe a browser to its player's calls.

    This replaces another player's subscription of the same browser.

    :raises PushNotOffered: the site is not reached by HTTPS.
    :raises BadSubscription: not a browser subscription, or an address that we do not call.
    """
    if not is_offered():
        raise PushNotOffered
    try:
        parts = http_client.parse_url(endpoint, longest=LONGEST_ENDPOINT)
        web_push.Browser.read(public, auth)
    except (http_client.Forbidden, web_push.BadKeys) as error:
        raise BadSubscription from error
    if parts.scheme != "https":
        raise BadSubscription
    keys = {"user": user, "public": public, "auth": auth, "last_error": ""}
    row, _made = PushSubscription.objects.update_or_create(
        endpoint=endpoint, defaults=keys, create_defaults={**keys, "created_at": now}
    )
    subscriptions = PushSubscription.objects.filter(user=user).order_by("-created_at", "-pk")[:MOST_BROWSERS]
    PushSubscription.objects.filter(user=user).exclude(pk__in=[each.pk for each in subscriptions]).delete()
    return row


def unsubscribe(*, user: User, endpoint: str = "") -> int:
    """Delete a subscription of this player, or without an endpoint all of them; return how many."""
    rows = PushSubscription.objects.filter(user=user)
    return (rows.filter(endpoint=endpoint) if endpoint else rows).delete()[0]


def export_subscriptions(player: Player) -> list[dict[str, object]]:
    """Return a player's browsers that are notified of calls, without their secrets, for the export of their data."""
    rows = PushSubscription.objects.filter(user__player=player)
    return [
        {
            "service": urlsplit(row.endpoint).hostname,
            "created_at": row.created_at,
            "last_notified_at": row.told_at,
        }
        for row in rows
    ]


def send_test(*, user: User, endpoint: str, now: datetime) -> bool:
    """Send a test message to a browser of this player; False if it is not subscribed.

    :raises TooManyTries: rate limit.
    """
    row = PushSubscription.objects.filter(user=user, endpoint=endpoint).first()
    if row is None:
        return False
    try:
        attempts.count_try([attempts.build_bucket(TESTS, "push", user.pk)], now=now)
    except attempts.TooManyTries as error:
        raise TooManyTries(seconds=error.seconds) from None
    outbox.put(
        PUSH, {"to": row.pk, "at": now.isoformat()}, dedupe_key=f"push:{row.pk}:{uuid4().hex}", now=now
    )
    return True


def deliver(payload: Mapping[str, Any], *, now: datetime) -> None:
    """Send the message of an outbox row, if it is still relevant.

    :raises CallError: delivery failed and may work later, so the outbox retries.
    """
    rows = PushSubscription.objects.filter(pk=payload["to"], user__is_active=True)
    row = rows.select_related("user").first()
    if row is None:
        return
    message = _build_message(row.user, str(payload.get("call", "")), now=now)
    if message is None:
        return
    try:
        _send_message(row, message, now=now)
    except http_client.Forbidden:
        # The address resolves to a private network.
        row.delete()
    except http_client.CallError as error:
        if error.status in GONE:
            row.delete()
            return
        PushSubscription.objects.filter(pk=row.pk).update(told_at=now, last_error=str(error)[:200])
        # Status 0: no answer.
        if not error.status or error.status in LATER or error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise
    else:
        PushSubscription.objects.filter(pk=row.pk).update(told_at=now, last_error="")


def _build_message(user: User, call: str, *, now: datetime) -> dict[str, object] | None:
    """Return the content of the message; None if the call is over, answered or old."""
    with translation.override(user.written_language):
        if not call:
            shown = {"title": _("Calls reach this browser"), "body": _("This is how a call will look here.")}
            return {**shown, "tag": "test", "url": reverse("venue:push")}
        chairs = Chair.objects.filter(
            assignment__uid=call, assignment__called_at__gt=now - LASTS, player__user=user
        )
        if not chairs.filter(ended_at=None, seen_at=None, here_at=None).exists():
            return None
        found = player_calls.find_call(user.player)
        if found is None:
            return None
        return {
            "title": _("%(table)s: you are called") % {"table": found.where},
            "body": _("against %(name)s, %(event)s") % {"name": found.opponent, "event": found.event_name},
            "tag": found.uid,
            "url": reverse("venue:called"),
        }


def _send_message(row: PushSubscription, message: dict[str, object], *, now: datetime) -> None:
    body = web_push.encrypt(
        json.dumps(message, ensure_ascii=False).encode(),
        to=web_push.Browser.read(row.public, row.auth),
        key=ec.generate_private_key(web_push.CURVE),
        salt=secrets.token_bytes(web_push.SALT_LENGTH),
    )
    headers = {
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(int(LASTS.total_seconds())),
        "Urgency": "high",
        "Authorization": web_push.build_authorization(
            row.endpoint,
            key=_get_or_create_key(now=now),
            subject=settings.PUBLIC_URL,
            until=now + HEADER_LASTS,
        ),
    }
    http_client.post(row.endpoint, body, headers, longest=LONGEST_ENDPOINT)


def _get_or_create_key(*, now: datetime) -> ec.EllipticCurvePrivateKey:
    stored = PushKey.objects.filter(pk=1).first()
    if stored is None:
        made = web_push.format_private_key(ec.generate_private_key(web_push.CURVE))
        # If two processes create a key at once, one is stored.
        PushKey.objects.bulk_create([PushKey(pk=1, private=made, made_at=now)], ignore_conflicts=True)
        stored = PushKey.objects.get(pk=1)
    return web_push.parse_private_key(stored.private)
