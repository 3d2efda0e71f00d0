"""Rows: UUIDs for those that may be imported by other installations (docs/adr/0047), digests that show whether a row has
changed since a form was loaded, and deletion in short transactions.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from django.db.models import Model, QuerySet, UUIDField

if TYPE_CHECKING:
    Field = UUIDField[Any, Any]

# Description of a UUID in the OpenAPI document.
ABOUT_UID: Final = "Made with the row, never changed, and the same wherever the row travels."

# Rows deleted per transaction: takes some milliseconds, and stays below SQLite's limit on variables.
PORTION: Final = 1_000


def make_uid_field() -> Field:
    """Return a model field with a unique, immutable UUID."""
    return UUIDField(default=uuid4, unique=True, editable=False)


def hash_values(*values: object) -> str:
    """Return a short digest of values that a form was loaded from, to detect changes. It is no secret.

    >>> hash_values("Autumn", 7) == hash_values("Autumn", 9)
    False
    """
    return sha256(json.dumps(values, sort_keys=True, default=str).encode()).hexdigest()[:16]


def delete_rows(rows: QuerySet[Any]) -> int:
    """Delete all rows of a query set, lowest keys first; return their number."""
    done = 0
    while keys := list(rows.order_by("pk").values_list("pk", flat=True)[:PORTION]):
        done += delete_keys(rows.model, keys)
        if len(keys) < PORTION:
            break
    return done


def delete_keys(model: type[Model], keys: Iterable[int]) -> int:
    """Delete the rows with these primary keys, in this order; return their number."""
    wanted, done = list(keys), 0
    for first in range(0, len(wanted), PORTION):
        done += model._default_manager.filter(pk__in=wanted[first : first + PORTION]).delete()[0]  # noqa: SLF001 - Django's own name
    return done
