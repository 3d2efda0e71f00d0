"""Fixtures that many tests share: built once in each process, inserted again for each test.

    @pytest.fixture
    def hall(db: None, now: datetime) -> Hall:
        return prepared.begin("hall", now, lambda: Hall(now))

Each test gets its own rows and objects, the same regardless of the order of tests. A set-up may only insert
rows; its on_commit callbacks are not run.
"""

from __future__ import annotations

import copy
import random
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction
from django.db.models import Model

Thing = TypeVar("Thing")


@dataclass
class _Made:
    thing: Any
    rows: list[list[Model]]  # by model


_made: dict[str, _Made] = {}


def begin(name: str, now: datetime, make: Callable[[], Thing]) -> Thing:
    """Return the result of *make* with its rows in the database.

    Times from the real clock are up to a minute old.
    """
    if not connection.in_atomic_block:
        # A test that commits may depend on the on_commit callbacks.
        return make()
    key = f"{name} {now:%Y-%m-%d %H:%M}"
    if key not in _made:
        _made[key] = _make(name, make)
    made = _made[key]
    try:
        with transaction.atomic():
            for rows in made.rows:
                # Copies, since inserted instances have changed state.
                type(rows[0])._base_manager.bulk_create([copy.copy(row) for row in rows])
    except IntegrityError:
        # Other rows already use these IDs.
        return make()
    return copy.deepcopy(made.thing)  # type: ignore[no-any-return]


def _make(name: str, make: Callable[[], Any]) -> _Made:
    with transaction.atomic():
        before = dict(_tables())
        with chance(name):
            thing = make()
        rows = [list(_added(model, before[model], found)) for model, found in _tables()]
        transaction.set_rollback(True)
    return _Made(thing, [found for found in rows if found])


def _tables() -> Iterator[tuple[type[Model], dict[Any, Model]]]:
    for model in apps.get_models(include_auto_created=True):
        if model._meta.managed and not model._meta.proxy:
            yield model, {row.pk: row for row in model._base_manager.order_by("pk")}


def _added(model: type[Model], before: dict[Any, Model], after: dict[Any, Model]) -> Iterator[Model]:
    fields = [field.attname for field in model._meta.concrete_fields]
    for pk, row in after.items():
        if pk not in before:
            yield row
        else:
            same = all(getattr(row, field) == getattr(before[pk], field) for field in fields)
            assert same, f"a set-up only adds rows, and this one changed {row!r}"
    assert before.keys() <= after.keys(), (
        f"a set-up only adds rows, and this one took some of {model.__name__}"
    )


@contextmanager
def chance(name: str) -> Iterator[None]:
    """Seed keys and dice by *name*."""
    lot = random.Random(name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "choice", lot.choice)
        patch.setattr(secrets, "token_hex", lambda count=32: lot.randbytes(count).hex())
        yield
