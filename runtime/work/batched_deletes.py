"""Deletion of any number of rows in short transactions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from django.db.models import Model, QuerySet

# Rows per transaction: takes some milliseconds, and stays below SQLite's limit on variables.
PORTION: Final = 1_000


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
