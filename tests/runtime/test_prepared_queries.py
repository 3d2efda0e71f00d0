"""Questions that are put into SQL once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from runtime import prepared_queries
from runtime.models import Outbox

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

pytestmark = pytest.mark.django_db


def waiting(number: Any) -> QuerySet[Outbox]:
    return Outbox.objects.filter(pk=number, done_at__isnull=True)


def test_each_number_has_its_own_answer_by_one_statement(now: datetime) -> None:
    pk = Outbox.objects.create(kind="tests", dedupe_key="one", created_at=now, due_at=now).pk
    for _ in range(2):  # as it is written, and as it is kept
        with CaptureQueriesContext(connection) as said:
            assert prepared_queries.is_there(waiting, pk)
        assert len(said) == 1
        assert not prepared_queries.is_there(waiting, pk + 1)
    Outbox.objects.update(done_at=now)
    assert not prepared_queries.is_there(waiting, pk)


def of_kind(kind: Any) -> QuerySet[Outbox, Any]:
    return Outbox.objects.filter(kind=kind).order_by("-pk").values_list("dedupe_key", "payload", "due_at")


def test_values_are_those_of_a_query_set(now: datetime) -> None:
    for key in ("one", "two"):
        Outbox.objects.create(
            kind="tests", dedupe_key=key, payload={"said": [key, 1]}, created_at=now, due_at=now
        )
    for _ in range(2):  # as it is written, and as it is kept
        with CaptureQueriesContext(connection) as said:
            found = prepared_queries.values(of_kind, "tests")
        assert len(said) == 1
        assert found == [("two", {"said": ["two", 1]}, now), ("one", {"said": ["one", 1]}, now)]
        assert found == list(of_kind("tests"))
        assert prepared_queries.values(of_kind, "others") == []
