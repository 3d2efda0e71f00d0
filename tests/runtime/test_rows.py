from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.core.exceptions import MultipleObjectsReturned
from django.db import connection
from django.test.utils import CaptureQueriesContext

from runtime.models import Outbox
from runtime.rows import find_row

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 1, 20, tzinfo=UTC)


def _make_rows() -> None:
    for key in ("a", "b"):
        Outbox.objects.create(kind="test", payload={}, dedupe_key=key, created_at=NOW, due_at=NOW)


def test_a_row_is_found_in_one_query_without_an_order() -> None:
    _make_rows()
    with CaptureQueriesContext(connection) as made:
        found = find_row(Outbox.objects.order_by("due_at").filter(dedupe_key="b"))
        assert find_row(Outbox.objects.filter(dedupe_key="c")) is None
    assert found is not None
    assert found.dedupe_key == "b"
    assert len(made) == 2
    assert not any("ORDER BY" in each["sql"] for each in made)


def test_of_several_rows_none_is_chosen() -> None:
    _make_rows()
    with pytest.raises(MultipleObjectsReturned):
        find_row(Outbox.objects.all())
