"""Requests that may be repeated: the same key gets the same answer and no second effect."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from runtime import portions
from runtime.models import StoredAnswer

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

KEPT_FOR = timedelta(hours=24)


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

    Effect and answer commit together; of two at once the second waits for the first or, losing
    the race on the unique key, is rolled back and answers as the first did.

    :raises KeyReused: if the key belongs to another request.
    """
    if (stored := _find(actor=actor, key=key)) is not None:
        return _answer(stored, request_hash)
    try:
        with transaction.atomic():
            StoredAnswer.objects.create(
                actor=actor, key=key, request_hash=request_hash, status=0, created_at=now
            )
            status, body = act()
            StoredAnswer.objects.filter(actor=actor, key=key).update(status=status, body=body)
            # Exactly as it will be repeated: PostgreSQL stores names in an order of its own.
            body = StoredAnswer.objects.values_list("body", flat=True).get(actor=actor, key=key)
    except IntegrityError:
        stored = _find(actor=actor, key=key)
        if stored is None:
            raise
        return _answer(stored, request_hash)
    return status, body


def _find(*, actor: str, key: str) -> StoredAnswer | None:
    return StoredAnswer.objects.filter(actor=actor, key=key).first()


def _answer(stored: StoredAnswer, request_hash: str) -> tuple[int, Any]:
    if stored.request_hash != request_hash:
        raise KeyReused
    return stored.status, stored.body


def prune(*, now: datetime) -> int:
    """Forget answers older than a day."""
    return portions.delete(StoredAnswer.objects.filter(created_at__lt=now - KEPT_FOR))
