"""A column that is empty in most rows is what JSON says, on either database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection

from runtime.json_field import SparseJSONField
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Pairing

if TYPE_CHECKING:
    from datetime import datetime


@pytest.fixture
def row(db: None, now: datetime) -> Pairing:
    desk = Desk(now)
    desk.start(a_plan("single-elimination"), 2)
    return Pairing.objects.get()


@pytest.mark.parametrize(
    "stored", [[], {}, [0], {"a": []}, [{"winner": "a"}], "", 0, False, "[]"], ids=lambda each: repr(each)
)
def test_what_is_stored_is_read(row: Pairing, stored: Any) -> None:
    Pairing.objects.update(games=stored, rules=stored)

    [found] = Pairing.objects.all()
    assert (found.games, found.rules) == (stored, stored)
    assert Pairing.objects.filter(games=stored, rules=stored).exists()

    row.games, row.stands = stored, stored
    row.save()
    row.refresh_from_db()
    assert (row.games, row.stands) == (stored, stored)


def test_rows_do_not_share_what_is_empty(row: Pairing) -> None:
    row.games.append({"winner": "a"})
    assert Pairing.objects.get().games == []
    assert Pairing.objects.get().games is not Pairing.objects.get().games


def test_the_database_has_json(row: Pairing) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT games, stands FROM tournaments_pairing")
        assert [str(each) for each in cursor.fetchone()] == ["[]", "{}"]


def test_migrations_know_the_field_they_always_knew() -> None:
    field = Pairing._meta.get_field("games")
    assert isinstance(field, SparseJSONField)
    assert field.deconstruct()[1] == "django.db.models.JSONField"
