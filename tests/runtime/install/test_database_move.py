"""A club moves from SQLite to PostgreSQL: whole, or not at all, and says why not."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection

from config import environment
from matches.watch import tallies
from players.models import Export, Webhook
from runtime import hooks, nodes
from runtime.hooks import Hook
from runtime.install import database_move, held_copies, instance_lock
from runtime.models import Installation, Node, Outbox, Topic
from tests.runtime import filling
from tests.runtime.support import ROOT, clean_environment, until
from tests.world import World

on_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="the club that moves is on SQLite")
UNREACHABLE = "postgres://nobody@127.0.0.1:1/nothing"


@pytest.fixture(autouse=True)
def _own_place(settings: Any, tmp_path: Path) -> None:
    """Claim the place of a server where no other test does."""
    settings.DATA_DIR = tmp_path / "place"


# What belongs to a club


@pytest.mark.long
@pytest.mark.django_db
def test_every_table_and_every_column_of_the_database_belongs_to_what_is_copied() -> None:
    """New models are copied without further work; a table without a model fails this test."""
    assert database_move.list_unknown_tables(connection) == []
    ours = {table.name: table for table in database_move.list_tables()}
    models = {model for model in apps.get_models(include_auto_created=True) if not model._meta.proxy}
    assert {table.model for table in ours.values()} == models
    with connection.cursor() as cursor:
        for name, table in ours.items():
            columns = {each.name for each in connection.introspection.get_table_description(cursor, name)}
            assert {field.column for field in table.fields} == columns, name


@pytest.mark.django_db
def test_a_digest_is_of_the_contents_and_not_of_their_order(now: datetime) -> None:
    [table] = [table for table in database_move.list_tables() if table.model is Topic]
    Topic.objects.bulk_create([Topic(name="a", head=1), Topic(name="b", head=2)])
    before = database_move.compute_digest(table, using="default")
    Topic.objects.all().delete()
    Topic.objects.bulk_create([Topic(name="b", head=2), Topic(name="a", head=1)])
    assert database_move.compute_digest(table, using="default") == before
    Topic.objects.filter(name="b").update(head=3)
    assert database_move.compute_digest(table, using="default") != before


@pytest.mark.parametrize(
    ("one", "other", "are_equal"),
    [
        ('{"b": 1, "a": 1e16}', '{"a": 10000000000000000, "b": 1.0}', True),
        ('{"a": null}', "{}", False),
        ("null", None, False),
        ('"1"', "1", False),
        ("[1, 2]", "[2, 1]", False),
    ],
)
def test_json_is_compared_as_what_it_says(one: str, other: str | None, are_equal: bool) -> None:
    [table] = [table for table in database_move.list_tables() if table.model is Outbox]
    field = Outbox._meta.get_field("payload")
    only = database_move.Table(table.model, (field,))  # type: ignore[arg-type]
    digests = [database_move.Digest(), database_move.Digest()]
    for digest, value in zip(digests, (one, other), strict=True):
        digest.add(only, (value,))
    assert (digests[0] == digests[1]) is are_equal


# Refused


def refused(capsys: pytest.CaptureFixture[str], url: str = UNREACHABLE) -> str:
    with pytest.raises(SystemExit) as ended:
        call_command("move_to", url)
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith("barpoint: ")
    assert said.endswith("Nothing was moved.\n")
    assert said.count("\n") == 1
    return said


@on_sqlite
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("sqlite:////tmp/other.sqlite3", "A club moves to PostgreSQL"),
        ("mysql://club@localhost/club", "A club moves to PostgreSQL"),
        ("postgres://club@localhost", "DATABASE_URL must name a database"),
        ("postgres://club@localhost:port/club", "DATABASE_URL is no address"),
    ],
)
def test_what_is_no_postgresql_is_refused(
    url: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sentence in refused(capsys, url)


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_a_club_that_is_open_is_not_moved(capsys: pytest.CaptureFixture[str]) -> None:
    place = instance_lock.claim()
    try:
        assert "The club is open" in refused(capsys)
    finally:
        place.close()


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_a_club_that_others_serve_with_redis_is_not_moved(capsys: pytest.CaptureFixture[str]) -> None:
    from django.utils import timezone

    nodes.record_heartbeat(role="worker", now=timezone.now(), name="elsewhere")
    assert "A worker process (elsewhere) uses" in refused(capsys)


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_a_database_that_is_behind_is_not_moved(capsys: pytest.CaptureFixture[str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT app, name FROM django_migrations WHERE app = 'mfa' ORDER BY id DESC LIMIT 1")
        row = cursor.fetchone()
        cursor.execute("DELETE FROM django_migrations WHERE app = %s AND name = %s", row)
    try:
        assert "make migrate" in refused(capsys)
    finally:
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO django_migrations (app, name, applied) VALUES (%s, %s, '2026-03-05')", row
            )


@pytest.mark.long
def test_a_folder_without_a_club_is_not_moved(tmp_path: Path) -> None:
    done = move(tmp_path / "var", UNREACHABLE)
    assert done.returncode == 2
    assert "There is no club in" in done.stderr


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_a_club_on_postgresql_has_moved_already(capsys: pytest.CaptureFixture[str]) -> None:
    assert "on PostgreSQL already" in refused(capsys)


@pytest.mark.long
def test_a_server_that_does_not_answer_is_said_to(migrated_file: Path, tmp_path: Path) -> None:
    from tests.runtime.premises import copy_of

    done = move(copy_of(migrated_file, tmp_path / "var"), UNREACHABLE)
    assert done.returncode == 2
    assert done.stderr.startswith("barpoint: PostgreSQL does not answer: ")
    assert done.stderr.count("\n") == 1


# Moved


def move(folder: Path, url: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(url), **process(folder), capture_output=True, timeout=120)


def command(url: str) -> list[str]:
    return [sys.executable, "manage.py", "move_to", url]


def process(folder: Path, **extra: str) -> Any:
    return {"env": clean_environment(DATA_DIR=str(folder), **extra), "cwd": ROOT, "text": True}


@pytest.fixture
def target(django_db_blocker: Any) -> Iterator[str]:
    """The address of a new database."""
    import psycopg
    from django.conf import settings

    server, _, _ = settings.DATABASE_URL.rpartition("/")
    name = f"moved_{uuid4().hex[:8]}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as own:
        own.execute(f'CREATE DATABASE "{name}"')
        yield f"{server}/{name}"
        own.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@contextmanager
def at(database: dict[str, Any], blocker: Any) -> Iterator[None]:
    """Do what follows in another database."""
    without_pool(database)
    with (
        blocker.unblock(),
        database_move.register_database(database, "other") as other,
        database_move.route_default(other),
    ):
        yield


def embedded(folder: Path) -> dict[str, Any]:
    return {"HOST": "", "PORT": "", **environment.build_sqlite_settings(folder / "barpoint.sqlite3")}


def served(url: str) -> dict[str, Any]:
    return environment.build_database_settings(url, sqlite_path=None, connections=1)  # type: ignore[arg-type]


@pytest.fixture
def club(migrated_file: Path, tmp_path: Path, now: datetime, django_db_blocker: Any) -> Path:
    """A folder with a club that has one of most things."""
    from tests.runtime.premises import copy_of

    folder = copy_of(migrated_file, tmp_path / "var")
    with at(embedded(folder), django_db_blocker):
        World(now)
        for match in tallies.list_outdated():
            tallies.update_tally(match_id=match.pk)
        nodes.deregister(now=now)
    return folder


def digests() -> dict[str, database_move.Digest]:
    return {
        table.name: database_move.compute_digest(table, using="default")
        for table in database_move.list_tables()
    }


def total(url: str, blocker: Any) -> int:
    with at(served(url), blocker):
        names = set(connection.introspection.table_names())
        counted = [
            table
            for table in database_move.list_tables()
            if table.name not in database_move.FILLED_BY_MIGRATE
        ]
        return sum(table.model._base_manager.count() for table in counted if table.name in names)


@pytest.mark.long
@pytest.mark.services
def test_everything_arrives_as_it_is(
    club: Path,
    target: str,
    now: datetime,
    monkeypatch: pytest.MonkeyPatch,
    django_db_blocker: Any,
    settings: Any,
) -> None:
    # What fills the other tables is of every kind, and makes no sense.
    monkeypatch.setattr(hooks, "VERIFIERS", Hook())
    settings.DATA_DIR = club
    said: list[str] = []
    with at(embedded(club), django_db_blocker):
        filling.fill()
        Export.objects.update(content=bytes(range(256)))
        # The last one was given a number, and is gone.
        Outbox.objects.bulk_create([Outbox(pk=90_000, kind="k", dedupe_key="k", created_at=now, due_at=now)])
        Outbox.objects.filter(pk=90_000).delete()
        Installation.objects.update(held_at=None)
        here = digests()
        moved = database_move.move(
            settings_of_target=without_pool(served(target)),
            now=filling.WHEN + timedelta(days=1),
            say=said.append,
        )
        assert held_copies.query_held().exists(), "what stays behind is a copy, and writes to nobody"
        left = digests()
        assert {name for name in here if left[name] != here[name]} == {"runtime_installation"}
    assert all(each.count for each in here.values()), "every table had a row"
    assert moved == sum(each.count for each in here.values())
    with at(served(target), django_db_blocker):
        assert digests() == here, "and the other one is none, unless it was one before"
        assert Outbox.objects.create(kind="k", dedupe_key="next", created_at=now, due_at=now).pk == 90_001
        assert all(
            next_number(table) > highest(table) for table in database_move.list_tables() if table.counter
        )
        assert Export.objects.get().content == bytes(range(256))
        assert Webhook.objects.get().created_at == filling.WHEN
        assert Node.objects.get().name == filling.TEXT


def without_pool(database: dict[str, Any]) -> dict[str, Any]:
    database["OPTIONS"].pop("pool", None)
    return database


def next_number(table: database_move.Table) -> int:
    with connection.cursor() as cursor:
        names = [f'"{table.name}"', table.counter.column]
        cursor.execute("SELECT nextval(pg_get_serial_sequence(%s, %s))", names)
        return int(cursor.fetchone()[0])


def highest(table: database_move.Table) -> int:
    return int(table.model._base_manager.order_by("-pk").values_list("pk", flat=True)[0])


@pytest.mark.services
def test_a_club_is_verified_on_both_sides_and_moves_once(club: Path, target: str) -> None:
    done = move(club, target)
    assert done.returncode == 0, done.stderr
    assert "`verify` finds nothing wrong on either side" in done.stdout
    assert "SECRET_KEY    what is in" in done.stdout
    verified = subprocess.run(
        [sys.executable, "manage.py", "verify"], **process(club, DATABASE_URL=target), capture_output=True
    )
    assert verified.returncode == 0, verified.stdout
    again = move(club, target)
    assert again.returncode == 2
    assert "not empty: there are rows in" in again.stderr


@pytest.mark.services
def test_a_database_with_other_peoples_tables_is_refused(club: Path, target: str) -> None:
    import psycopg

    with psycopg.connect(target, autocommit=True) as own:
        own.execute("CREATE TABLE accounting (id int)")
    done = move(club, target)
    assert done.returncode == 2
    assert "not empty: it has a table accounting" in done.stderr


@pytest.mark.long
@pytest.mark.services
def test_what_postgresql_cannot_hold_moves_nothing(club: Path, target: str, django_db_blocker: Any) -> None:
    with closing(sqlite3.connect(club / "barpoint.sqlite3")) as own:
        own.execute("UPDATE runtime_topic SET name = printf('%.*c', 90, 'x') WHERE name = 'seat.a'")
        own.execute("UPDATE tournaments_tournament SET name = printf('%.*c', 900, 'x')")
        own.commit()
    done = move(club, target)
    assert done.returncode == 2, done.stdout
    assert "is refused by PostgreSQL: value too long" in done.stderr
    assert "xxx" not in done.stderr
    assert total(target, django_db_blocker) == 0


@pytest.mark.long
@pytest.mark.services
def test_a_club_that_is_not_well_is_not_moved(club: Path, target: str, django_db_blocker: Any) -> None:
    with closing(sqlite3.connect(club / "barpoint.sqlite3")) as own:
        own.execute("UPDATE runtime_topic SET head = head + 1")
        own.commit()
    done = move(club, target)
    assert done.returncode == 2
    assert "`verify` finds" in done.stderr
    assert total(target, django_db_blocker) == 0


@pytest.mark.long
@pytest.mark.services
def test_what_is_killed_in_the_middle_leaves_nothing_and_can_be_begun_again(
    club: Path, target: str, django_db_blocker: Any
) -> None:
    import psycopg

    with at(served(target), django_db_blocker):
        call_command("migrate", verbosity=0)
    last = database_move.list_tables()[-1].name
    with psycopg.connect(target) as own:
        own.execute(f"LOCK TABLE {last} IN ACCESS EXCLUSIVE MODE")
        begun = subprocess.Popen(
            command(target), **process(club), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = %s::regclass"
        try:
            with psycopg.connect(target, autocommit=True) as other:
                until(lambda: other.execute(waiting, [last]).fetchone() == (1,))
        finally:
            os.kill(begun.pid, signal.SIGKILL)
            begun.wait(10)
    assert total(target, django_db_blocker) == 0
    done = move(club, target)
    assert done.returncode == 0, done.stderr
