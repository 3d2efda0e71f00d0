"""Requests that may be repeated: the same key gets the same answer and no second effect."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db import connection, transaction
from django.utils.translation import gettext as _
from rest_framework.utils.encoders import JSONEncoder

from runtime.models import StoredAnswer
from runtime.work import portions

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

KEPT_FOR = timedelta(hours=24)
# Runs with every keyed request. Of two at once, the second waits here until the first has ended.
CLAIM: Final = """INSERT INTO runtime_storedanswer (actor, key, request_hash, status, created_at)
    VALUES (%s, %s, %s, 0, %s) ON CONFLICT (actor, key) DO NOTHING"""
# RETURNING gives the body as it will be repeated: PostgreSQL changes the order of its names.
STORE: Final = """UPDATE runtime_storedanswer SET status = %s, body = %s
    WHERE actor = %s AND key = %s RETURNING body"""


class KeyReused(Exception):
    """The key was used before, for another request."""

    code = "idempotency_key_reused"

    def __str__(self) -> str:
        return _("This Idempotency-Key was used before, for another request.")


def request_hash(*, method: str, path: str, body: bytes) -> str:
    """Return what binds a key to one request."""
    digest = hashlib.sha256()
    for part in (method.encode(), path.encode(), body):
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def once(
    *, actor: str, key: str, request_hash: str, now: datetime, act: Callable[[], tuple[int, Any]]
) -> tuple[int, Any]:
    """Return the answer stored under *key*, or run *act* and store its (status, body) with its effect.

    Effect and answer commit together; of two requests at once the second waits, and gets the answer of
    the first or, if that has failed, runs *act*.

    :raises KeyReused: if the key belongs to another request.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        at = connection.ops.adapt_datetimefield_value(now)
        cursor.execute(CLAIM, [actor, key, request_hash, at])
        if not cursor.rowcount:
            return _answer(StoredAnswer.objects.get(actor=actor, key=key), request_hash)
        status, body = act()
        cursor.execute(STORE, [status, json.dumps(body, cls=JSONEncoder), actor, key])
        return status, json.loads(cursor.fetchone()[0])


def _answer(stored: StoredAnswer, request_hash: str) -> tuple[int, Any]:
    if stored.request_hash != request_hash:
        raise KeyReused
    return stored.status, stored.body


def prune(*, now: datetime) -> int:
    """Forget answers older than a day."""
    return portions.delete(StoredAnswer.objects.filter(created_at__lt=now - KEPT_FOR))
