"""Rows that are read again: only those that have changed are made anew."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runtime.kept_rows import MOST_CHANGED, KeptRow, KeptRows
from runtime.models import Outbox

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

pytestmark = pytest.mark.django_db

MANY = MOST_CHANGED + 4


def of_kind(kind: Any) -> QuerySet[Outbox]:
    return Outbox.objects.filter(kind=kind).order_by("attempts", "pk")


class Job(tuple[Any, ...]):
    """What is made of a row: an object of its own each time."""

    def __new__(cls, *columns: Any) -> Job:
        return super().__new__(cls, columns)


COLUMNS = ("dedupe_key", "payload", "due_at", "done_at", "attempts", "last_error")
JOBS = KeptRows(of_kind, COLUMNS, Job)
Kept = dict[int, KeptRow[Job]]


def filled(now: datetime, count: int = MANY) -> None:
    Outbox.objects.bulk_create(
        Outbox(kind="tests", dedupe_key=f"{number}", created_at=now, due_at=now) for number in range(count)
    )


def told(kept: Kept) -> list[tuple[int, Job]]:
    return [(pk, row.made) for pk, row in kept.items()]


def whole() -> list[tuple[int, tuple[Any, ...]]]:
    return [(pk, tuple(rest)) for pk, *rest in of_kind("tests").values_list("pk", *COLUMNS)]


def test_a_row_that_is_as_before_is_the_same_object(now: datetime) -> None:
    filled(now)
    before = JOBS.read("tests", {})
    with CaptureQueriesContext(connection) as said:
        again = JOBS.read("tests", before)
    assert len(said) == 1
    assert [*again] == [*before]
    assert all(again[pk] is row for pk, row in before.items())
    first = next(iter(before))
    Outbox.objects.filter(pk=first).update(payload={"said": [None, "\x7f", 1.5]}, done_at=now)
    with CaptureQueriesContext(connection) as said:
        after = JOBS.read("tests", before)
    assert len(said) == 2
    assert after[first].made[1] == {"said": [None, "\x7f", 1.5]}
    assert after[first].made[3] == now
    assert all(after[pk] is row for pk, row in before.items() if pk != first)


acts = st.lists(
    st.tuples(
        st.sampled_from(("payload", "due", "done", "attempts", "last_error", "gone", "new")),
        st.integers(0, MANY - 1),
    ),
    max_size=2 * MANY,
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rounds=st.lists(acts, min_size=1, max_size=3))
def test_what_is_read_again_is_what_there_is(now: datetime, rounds: list[list[tuple[str, int]]]) -> None:
    Outbox.objects.all().delete()
    filled(now)
    kept: Kept = JOBS.read("tests", {})
    for number, todo in enumerate(rounds):
        for what, at in todo:
            change(what, f"{at}", f"{number} {at}", now)
        kept = JOBS.read("tests", kept)
        assert told(kept) == whole()


def change(what: str, key: str, fresh: str, now: datetime) -> None:
    row = Outbox.objects.filter(dedupe_key=key)
    if what == "gone":
        row.delete()
    elif what == "new":
        Outbox.objects.get_or_create(
            kind="tests", dedupe_key=fresh, defaults={"created_at": now, "due_at": now}
        )
    else:
        row.update(
            **{
                "payload": {"payload": {"said": fresh}},
                "due": {"due_at": now + timedelta(microseconds=len(fresh))},
                "done": {"done_at": now},
                "attempts": {"attempts": len(fresh)},
                "last_error": {"last_error": '"null", (1) \\ '},
            }[what]
        )


def test_rows_that_change_while_they_are_read_are_told_of_one_moment(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(now, 3)
    before = JOBS.read("tests", {})
    first, *_rest, last = before
    Outbox.objects.filter(pk=first).update(attempts=1)
    named = KeptRows._named

    def late(self: KeptRows[Job], *asked: Any) -> Kept:
        # Between the two questions both change.
        Outbox.objects.filter(pk__in=[first, last]).update(last_error="late")
        return named(self, *asked)

    monkeypatch.setattr(KeptRows, "_named", late)
    after = JOBS.read("tests", before)
    assert told(after) == whole()
    assert {after[pk].made[5] for pk in (first, last)} == {"late"}
