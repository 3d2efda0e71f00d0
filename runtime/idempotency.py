"""Idempotency keys: a repeated request gets the stored response and has no second effect."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import connection, transaction
from django.utils.translation import gettext as _
from rest_framework.utils.encoders import JSONEncoder

from runtime.models import StoredAnswer
from runtime.rows import delete_rows

KEPT_FOR = timedelta(hours=24)
# Runs with every keyed request. A concurrent second one waits here until the first has ended.
CLAIM: Final = """INSERT INTO runtime_storedanswer (actor, key, request_hash, status, created_at)
    VALUES (%s, %s, %s, 0, %s) ON CONFLICT (actor, key) DO NOTHING"""
# RETURNING gives the body as later requests get it: PostgreSQL reorders the keys of jsonb.
STORE: Final = """UPDATE runtime_storedanswer SET status = %s, body = %s
    WHERE actor = %s AND key = %s RETURNING body"""


class KeyReused(Exception):
    """The key was used before, for another request."""

    code = "idempotency_key_reused"
    status = 422

    def __str__(self) -> str:
        return _("This Idempotency-Key was used before, for another request.")


def compute_request_hash(*, method: str, path: str, body: bytes) -> str:
    digest = hashlib.sha256()
    for part in (method.encode(), path.encode(), body):
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def run_once(
    *, actor: str, key: str, request_hash: str, now: datetime, act: Callable[[], tuple[int, Any]]
) -> tuple[int, Any]:
    """Return the response stored under *key*, or run *act* and store its (status, body) with its effect.

    Effect and response commit together. Of two concurrent requests the second waits, then gets the response
    of the first or, if that has failed, runs *act*.

    :raises KeyReused: if the key belongs to another request.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        at = connection.ops.adapt_datetimefield_value(now)
        cursor.execute(CLAIM, [actor, key, request_hash, at])
        if not cursor.rowcount:
            return _get_stored_response(StoredAnswer.objects.get(actor=actor, key=key), request_hash)
        status, body = act()
        cursor.execute(STORE, [status, json.dumps(body, cls=JSONEncoder), actor, key])
        return status, json.loads(cursor.fetchone()[0])


def _get_stored_response(stored: StoredAnswer, request_hash: str) -> tuple[int, Any]:
    if stored.request_hash != request_hash:
        raise KeyReused
    return stored.status, stored.body


def prune(*, now: datetime) -> int:
    return delete_rows(StoredAnswer.objects.filter(created_at__lt=now - KEPT_FOR))
