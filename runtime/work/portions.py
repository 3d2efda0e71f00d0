"""Deleting rows whose number nobody bounds, in transactions that each stay short."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import Model, QuerySet

# Rows of one transaction: some milliseconds, and fewer variables than SQLite takes in a statement.
PORTION: Final = 1_000


def delete(rows: QuerySet[Any]) -> int:
    """Delete all rows of a query set, the oldest keys first; return how many."""
    done = 0
    while keys := list(rows.order_by("pk").values_list("pk", flat=True)[:PORTION]):
        done += delete_keys(rows.model, keys)
        if len(keys) < PORTION:
            break
    return done


def delete_keys(model: type[Model], keys: Iterable[int]) -> int:
    """Delete the rows with these primary keys, in their order; return how many."""
    wanted, done = list(keys), 0
    for first in range(0, len(wanted), PORTION):
        done += model._default_manager.filter(pk__in=wanted[first : first + PORTION]).delete()[0]  # noqa: SLF001 - Django's own name
    return done
