"""Permanent database errors are reported as faults and cause no restart."""

from __future__ import annotations

import pytest
from django.db import InterfaceError, OperationalError, ProgrammingError, connection, transaction

from runtime import database_errors


def error_of(sql: str) -> Exception:
    with pytest.raises(Exception) as caught, transaction.atomic(), connection.cursor() as cursor:  # noqa: PT011 - any
        cursor.execute(sql)
    return caught.value


def error_from_server(sqlstate: str | None) -> OperationalError:
    error, cause = OperationalError(), Exception()
    cause.sqlstate = sqlstate  # type: ignore[attr-defined]
    error.__cause__ = cause
    return error


@pytest.mark.django_db
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT " + " OR ".join(["1 = 2"] * 1_500),
        "SELECT nothing FROM nowhere",
        "SELECT",
        " UNION ".join(["SELECT 1"] * 600),
    ],
    ids=["too deep", "no such table", "syntax", "too many terms"],
)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite's limits")
def test_what_sqlite_can_never_carry_out_does_not_pass(sql: str) -> None:
    error = error_of(sql)
    assert isinstance(error, OperationalError)
    assert not database_errors.is_transient(error)


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite's own errors")
def test_a_file_that_cannot_be_opened_passes() -> None:
    probe = connection.copy()
    probe.settings_dict["NAME"] = "/nowhere/at/all.sqlite3"
    with pytest.raises(OperationalError) as caught:
        probe.ensure_connection()
    assert database_errors.is_transient(caught.value)


@pytest.mark.parametrize("sqlstate", [None, "08006", "53300", "55P03", "57P01", "40P01"])
def test_a_server_that_is_away_or_busy_passes(sqlstate: str | None) -> None:
    assert database_errors.is_transient(error_from_server(sqlstate))


@pytest.mark.parametrize("sqlstate", ["54000", "54001", "54011"])
def test_what_a_server_can_never_carry_out_does_not_pass(sqlstate: str) -> None:
    assert not database_errors.is_transient(error_from_server(sqlstate))


def test_only_the_database_itself_passes() -> None:
    assert database_errors.is_transient(InterfaceError("connection already closed"))
    assert not database_errors.is_transient(ProgrammingError())
    assert not database_errors.is_transient(None)
