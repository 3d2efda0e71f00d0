"""Triggers of the database refuse every change of a journal."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.db.models import ProtectedError

from matches.migrations import _journal_stands
from matches.models import JournalEntry, Match
from tests.conftest import JOURNAL
from tests.matches.support import Table


def run(sql: str, *given: object) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, given)


def rows() -> list[tuple[object, ...]]:
    return list(JournalEntry.objects.order_by("pk").values_list())


@pytest.mark.parametrize("field", [f.attname for f in JournalEntry._meta.concrete_fields])
def test_no_column_of_a_line_can_be_changed(table: Table, field: str) -> None:
    before = rows()
    with pytest.raises(IntegrityError, match="never changed"):
        run(f"UPDATE {JOURNAL} SET {field} = {field}")  # even to the same
    assert rows() == before


def test_no_line_can_be_removed(table: Table) -> None:
    before = rows()
    with pytest.raises(IntegrityError, match="never"), transaction.atomic():
        JournalEntry.objects.all().delete()
    with pytest.raises(IntegrityError, match="never"):
        run(f"DELETE FROM {JOURNAL} WHERE seq = 1")
    with pytest.raises(ProtectedError):
        Match.objects.all().delete()
    assert rows() == before


def test_a_saved_line_is_not_saved_again(table: Table) -> None:
    line = JournalEntry.objects.earliest("pk")
    line.who = "somebody"
    with pytest.raises(IntegrityError), transaction.atomic():
        line.save()
    with pytest.raises(IntegrityError), transaction.atomic():
        JournalEntry.objects.bulk_create(
            [line], update_conflicts=True, update_fields=["who"], unique_fields=["id"]
        )


def test_sqlite_does_not_replace_a_line(table: Table) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("only SQLite knows INSERT OR REPLACE")
    before = rows()
    columns = ", ".join(f.column for f in JournalEntry._meta.concrete_fields)
    values = columns.replace("who", "'somebody'")
    with pytest.raises(IntegrityError, match="there already"):
        run(f"INSERT OR REPLACE INTO {JOURNAL} ({columns}) SELECT {values} FROM {JOURNAL} WHERE seq = 1")
    values = values.replace("id,", "id + 1000,", 1)
    with pytest.raises(IntegrityError, match="there already"):  # the same number under another id
        run(f"INSERT OR REPLACE INTO {JOURNAL} ({columns}) SELECT {values} FROM {JOURNAL} WHERE seq = 1")
    assert rows() == before


@pytest.mark.django_db(transaction=True)
def test_postgresql_does_not_empty_the_table(now: datetime) -> None:
    Table(now)
    if connection.vendor != "postgresql":
        pytest.skip("only PostgreSQL knows TRUNCATE")
    for name in (JOURNAL, "matches_match"):
        with pytest.raises(IntegrityError, match="never"):
            run(f"TRUNCATE {name} CASCADE")


@pytest.mark.django_db(transaction=True)
def test_the_guard_can_be_taken_down_and_put_up_again(now: datetime) -> None:
    table = Table(now)
    with connection.schema_editor() as editor:
        _journal_stands.unguard(None, editor)
    try:
        run(f"UPDATE {JOURNAL} SET who = who")
    finally:
        with connection.schema_editor() as editor:
            _journal_stands.guard(None, editor)
    with pytest.raises(IntegrityError):
        run(f"UPDATE {JOURNAL} SET who = who")
    assert table.row.head == JournalEntry.objects.count()


@pytest.mark.django_db(transaction=True)
def test_tests_can_flush_and_the_guard_stands_after_it(now: datetime) -> None:
    Table(now)
    call_command("flush", interactive=False, verbosity=0)
    assert not JournalEntry.objects.exists()
    Table(now)
    with pytest.raises(IntegrityError):
        run(f"DELETE FROM {JOURNAL}")
