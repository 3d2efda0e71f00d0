"""Webhooks: signed calls to a club's programs about changes, with retries, never to private addresses.

The payload only says what changed: the program reads the rest from the API, so late, repeated or reordered
calls are harmless.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from math import ceil
from typing import Any, Final

from django.conf import settings
from django.db import transaction

from players.clubs import clubs
from players.errors import BadAddress, TooManyWebhooks
from players.models import Club, User, Webhook
from runtime.http import http_client
from runtime.work import outbox

# What happened, its data, and its deduplication key.
News = tuple[str, Mapping[str, Any], str]

KIND: Final = "players.webhook"
MOST_HOOKS: Final = 5
SIGNATURE: Final = "Barpoint-Signature"
PERMISSION: Final = "players.manage_webhooks"
# A webhook is stopped if its address has been failing for this long.
PATIENCE: Final = timedelta(days=5)
SHORTEST_PAUSE: Final = timedelta(seconds=2)


@transaction.atomic
def add(*, club: Club, url: str, by: User, now: datetime) -> tuple[Webhook, bool]:
    """Add a webhook; return it, and True if it is new. Adding the same URL again only restarts a stopped one.

    :raises NotAllowed: `by` is not a director of this club.
    :raises BadAddress: the URL cannot be called.
    :raises TooManyWebhooks: the club has reached the limit.
    """
    clubs.require_permission(by, PERMISSION, club)
    _require_callable(url)
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    found = Webhook.objects.filter(club=club)
    known = next((hook for hook in found if hook.url == url), None)
    if known is None:
        if len(found) >= MOST_HOOKS:
            raise TooManyWebhooks(most=MOST_HOOKS)
        return Webhook.objects.create(club=club, url=url, created_by=by, created_at=now), True
    Webhook.objects.filter(pk=known.pk).update(stopped_at=None, failing_since=None, last_error="")
    known.refresh_from_db()
    return known, False


def remove(*, club: Club, key: str, by: User) -> bool:
    """Remove a webhook; True if it existed.

    :raises NotAllowed: `by` is not a director of this club.
    """
    clubs.require_permission(by, PERMISSION, club)
    return bool(Webhook.objects.filter(club=club, key=key).delete()[0])


def queue_calls(*, club_id: int, what: str, about: Mapping[str, Any], once: str, now: datetime) -> int:
    """Queue a call to each of a club's webhooks, in the transaction of the change; return how many."""
    return queue_all_calls(club_id=club_id, news=[(what, about, once)], now=now)


def queue_all_calls(*, club_id: int, news: Iterable[News], now: datetime) -> int:
    """Queue the calls for several changes, as `queue_calls`; *news* is read only if there is a webhook."""
    hooks = list(
        Webhook.objects.filter(club_id=club_id, stopped_at__isnull=True).values_list("pk", flat=True)
    )
    return sum(
        outbox.put(
            KIND,
            {"hook": pk, "body": {"type": what, "at": now.isoformat(), **about}},
            dedupe_key=f"hook:{pk}:{once}",
            now=now,
        )
        for what, about, once in (news if hooks else ())
        for pk in hooks
    )


def deliver(payload: Mapping[str, Any], *, now: datetime) -> None:
    """Make one call; a failure is recorded and raised, so that the outbox retries.

    :raises CallError: it failed.
    """
    hook = Webhook.objects.filter(pk=payload["hook"], stopped_at__isnull=True).first()
    if hook is None:
        return
    _require_pause_over(hook, now=now)
    body = json.dumps(payload["body"], ensure_ascii=False, separators=(",", ":")).encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Barpoint",
        SIGNATURE: compute_signature(hook.secret, body, at=int(now.timestamp())),
    }
    try:
        _require_allowed(hook.url)
        http_client.post(hook.url, body, headers)
    except http_client.CallError as error:
        _note_failure(hook, str(error), now=now)
        raise
    Webhook.objects.filter(pk=hook.pk).update(called_at=now, last_error="", failing_since=None)


def compute_signature(secret: str, body: bytes, *, at: int) -> str:
    """Sign a call: HMAC-SHA-256 over time, dot and body."""
    mac = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256)
    return f"t={at},v1={mac.hexdigest()}"


def _require_pause_over(hook: Webhook, *, now: datetime) -> None:
    """Require that the pause after a failure is over; it doubles each time, up to an hour.

    Without it, each change of an event would have a worker wait for the same address.

    :raises CallError: with the remaining seconds of the pause.
    """
    if hook.failing_since is None or hook.called_at is None:
        return
    # The time it has been failing, so each pause is about twice the previous one.
    pause = min(max(hook.called_at - hook.failing_since, SHORTEST_PAUSE), outbox.LONGEST_PAUSE)
    left = hook.called_at + pause - now
    if timedelta() < left <= pause:
        raise http_client.CallError(hook.last_error, retry_after=ceil(left.total_seconds()))


def _require_allowed(url: str) -> None:
    """Reject an address that was added before this server was public.

    :raises Forbidden: this server calls only https.
    """
    if settings.IS_PUBLIC and http_client.parse_url(url).scheme != "https":
        raise http_client.Forbidden("We call only https:// addresses.")


def _note_failure(hook: Webhook, sentence: str, *, now: datetime) -> None:
    since = hook.failing_since or now
    Webhook.objects.filter(pk=hook.pk).update(
        called_at=now,
        last_error=sentence[:200],
        failing_since=since,
        stopped_at=now if now - since >= PATIENCE else None,
    )


def _require_callable(url: str) -> None:
    """Reject URLs that can never be called. Each call checks that the host has a public address."""
    try:
        parts = http_client.parse_url(url)
        http_client.require_no_private_ip(parts.hostname or "")
    except http_client.Forbidden as error:
        raise BadAddress from error
    if settings.IS_PUBLIC and parts.scheme != "https":
        raise BadAddress
