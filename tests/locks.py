"""Checks the lock order of rows during all tests: event, match, players (docs/adr/0006).

A wrong order has no effect on SQLite; on PostgreSQL it leads to deadlocks.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from django.db.models import QuerySet
from django.db.models.signals import post_save
from django.db.transaction import Atomic

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest
    from django.db.models import Model

RANK: Final = {"tournaments.Tournament": 1, "matches.Match": 2, "players.Player": 3}


class WrongOrder(AssertionError):
    """A row was locked after one that comes later in the lock order."""


class _Thread(threading.local):
    depth = 0

    def __init__(self) -> None:
        self.held: list[str] = []


_here = _Thread()


def note(label: str) -> None:
    """Record a lock. Rows that are already locked, or were created in this transaction, do not count.

    :raises WrongOrder: a row later in the order is already locked.
    """
    if label not in RANK or not _here.depth or label in _here.held:
        return
    if later := [each for each in _here.held if RANK[each] > RANK[label]]:
        raise WrongOrder(f"{label} is locked after {later[-1]}")
    _here.held.append(label)


def _note_made(sender: type[Model], created: bool, **_signal: object) -> None:
    label = sender._meta.label
    if created and label in RANK and _here.depth:
        _here.held.append(label)


@contextmanager
def watched(patch: pytest.MonkeyPatch) -> Iterator[None]:
    """Record all locks, separately for each outermost transaction."""
    lock, enter, leave = QuerySet.select_for_update, Atomic.__enter__, Atomic.__exit__

    def noted(rows: QuerySet[Any], *args: Any, **options: Any) -> QuerySet[Any]:
        note(rows.model._meta.label)
        return lock(rows, *args, **options)

    def begin(block: Any) -> None:
        # If entering fails, because the connection is lost, exit is not called.
        enter(block)
        # The transaction around a test does not count.
        if not block._from_testcase:
            if not _here.depth:
                _here.held = []
            _here.depth += 1

    def end(block: Any, *error: Any) -> None:
        if not block._from_testcase:
            _here.depth -= 1
        leave(block, *error)

    patch.setattr(QuerySet, "select_for_update", noted)
    patch.setattr(Atomic, "__enter__", begin)
    patch.setattr(Atomic, "__exit__", end)
    post_save.connect(_note_made)
    yield
    post_save.disconnect(_note_made)
