"""A restored copy keeps to itself: nothing leaves it until an operator says that it takes the club's place."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.core.management import call_command
from django.db import connection, connections

from config import preparation
from config.preparation import Refusal
from players.clubs import webhooks
from runtime.http import views
from runtime.install import held_copies, installation
from runtime.models import Installation, Outbox
from runtime.stream import relay
from runtime.work import outbox, sweeps
from tests.runtime.premises import ALIAS, Premises
from tests.runtime.support import end, until
from venue.calls import seats

LATER = timedelta(hours=1)


def an_email(now: datetime, key: str = "mail") -> Outbox:
    outbox.queue_mail(to="kit@club.example", subject=key, body="b", dedupe_key=key, now=now)
    return Outbox.objects.get(dedupe_key=key)


# What is held


@pytest.mark.django_db
@pytest.mark.usefixtures("_handlers")
def test_from_a_copy_nothing_leaves_and_everything_else_goes_on(now: datetime) -> None:
    done: list[str] = []
    outbox.register("tests.note", lambda payload, *, now: done.append(payload["n"]))
    held_copies.hold(now=now)
    held = an_email(now)
    outbox.put("tests.note", {"n": "a notice"}, dedupe_key="note", now=now)
    assert outbox.drain(queue="default", now=now + LATER) == 1
    assert not outbox.deliver(outbox_id=held.pk, now=now + LATER)
    assert (done, mail.outbox) == (["a notice"], [])
    held.refresh_from_db()
    assert (held.attempts, held.done_at) == (0, None)


@pytest.mark.django_db
def test_what_is_held_keeps_nobody_busy_and_alarms_nobody(now: datetime) -> None:
    an_email(now)
    [sweep] = [sweep for sweep in sweeps.list_sweeps() if sweep.name == "outbox-default"]
    assert sweeps.list_with_work([sweep], now=now + LATER)
    held_copies.hold(now=now)
    assert not sweeps.list_with_work([sweep], now=now + LATER)
    figures = views.render_metrics(now=now + LATER)
    assert "barpoint_outbox_oldest_seconds 0.000" in figures
    assert "barpoint_outbox_pending 1" in figures
    assert "barpoint_outgoing_held 1" in figures


def test_emails_and_calls_are_what_leaves() -> None:
    assert outbox.list_outgoing() == sorted(["runtime.mail", webhooks.KIND, seats.PUSH])


@pytest.mark.django_db
def test_released_it_sends_what_waited(now: datetime, capsys: pytest.CaptureFixture[str]) -> None:
    held_copies.hold(now=now)
    an_email(now)
    call_command("release")
    assert "Released. 1 e-mails and webhook calls go out, 0 were forgotten." in capsys.readouterr().out
    outbox.drain(queue="default", now=now + LATER)
    assert [each.subject for each in mail.outbox] == ["mail"]


@pytest.mark.django_db
def test_what_the_club_has_sent_since_can_be_forgotten(
    now: datetime, capsys: pytest.CaptureFixture[str]
) -> None:
    an_email(now - LATER, "from the backup")
    held_copies.hold(now=now)
    an_email(now + LATER, "from after the restore")
    call_command("release", "--forget")
    assert "1 e-mails and webhook calls go out, 1 were forgotten" in capsys.readouterr().out
    outbox.drain(queue="default", now=now + 2 * LATER)
    assert [each.subject for each in mail.outbox] == ["from after the restore"]
    assert Outbox.objects.get(dedupe_key="from the backup").last_error == held_copies.FORGOTTEN


# How a copy is known


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has pg_dump")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("was_opened", [True, False])
def test_a_copy_of_sqlite_says_that_it_is_one_and_the_club_does_not(
    was_opened: bool, now: datetime, tmp_path: Path
) -> None:
    import sqlite3

    if was_opened:
        installation.join(is_web=True, now=now)
    path = held_copies.copy_sqlite(tmp_path / "copy.sqlite3", now=now)
    assert not held_copies.query_held().exists()
    copy = sqlite3.connect(path)
    assert copy.execute("SELECT count(*), max(held_at) FROM runtime_installation").fetchone() == (
        1,
        "2026-03-05 19:00:00",
    )
    copy.close()


@pytest.mark.django_db
def test_a_database_in_another_place_than_before_is_a_copy(
    now: datetime, settings: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.REDIS_URL = ""
    monkeypatch.setattr(held_copies, "identify_home", lambda: "server/1")
    installation.join(is_web=True, now=now)
    installation.join(is_web=True, now=now)
    assert not held_copies.query_held().exists()
    monkeypatch.setattr(held_copies, "identify_home", lambda: "server/2")
    preparation.join_installation(is_web=True)
    assert held_copies.query_held().exists()
    assert "This is a copy of a club" in capsys.readouterr().out
    call_command("release")
    installation.join(is_web=True, now=now)
    assert not held_copies.query_held().exists(), "here it is at home now"


@pytest.mark.services
@pytest.mark.django_db
def test_postgresql_tells_server_and_database() -> None:
    server, _, number = held_copies.identify_home().partition("/")
    assert server.isdigit()
    assert number.isdigit()


# Whose Redis it is


@pytest.fixture
def redis(settings: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A Redis that one and the other database use."""
    import redis as library

    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    kept: dict[str, str] = {}

    class Fake:
        def set(self, name: str, value: str, *, nx: bool = False) -> bool:
            if nx and name in kept:
                return False
            kept[name] = value
            return True

        def get(self, name: str) -> str | None:
            return kept.get(name)

        def close(self) -> None: ...

    monkeypatch.setattr(library.Redis, "from_url", lambda *_, **__: Fake())
    return kept


@pytest.mark.django_db
def test_a_copy_does_not_mix_with_the_club_in_one_redis(
    now: datetime, redis: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(held_copies, "identify_home", lambda: "server/1")
    assert installation.join(is_web=True, now=now) == ""
    monkeypatch.setattr(held_copies, "identify_home", lambda: "server/2")
    for is_web in (True, False):
        with pytest.raises(Refusal, match="REDIS_URL is in use by the one it was taken from"):
            preparation.join_installation(is_web=is_web)
    assert redis == {held_copies.IN_REDIS: "server/1"}
    redis.clear()
    assert installation.join(is_web=True, now=now) == "", "with a Redis of its own it starts"
    redis[held_copies.IN_REDIS] = "server/1"
    call_command("release")
    assert installation.join(is_web=True, now=now) == ""
    assert redis == {held_copies.IN_REDIS: "server/2"}, "it has taken the other's place"


@pytest.mark.django_db
def test_a_redis_that_is_away_keeps_nobody_out(now: datetime, settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    held_copies.hold(now=now)
    assert installation.join(is_web=True, now=now) == ""


@pytest.mark.parametrize(
    ("url", "channel"),
    [
        ("", "barpoint:live:0"),
        ("redis://cache", "barpoint:live:0"),
        ("redis://:secret@cache:6379/3", "barpoint:live:3"),
        ("rediss://cache/0?db=4", "barpoint:live:0"),
        ("unix:///run/redis.sock?db=2", "barpoint:live:2"),
    ],
)
def test_two_clubs_in_one_redis_do_not_hear_each_other(url: str, channel: str) -> None:
    assert relay.build_channel(url) == channel


# In a real installation


@pytest.mark.long
def test_a_restored_club_sends_nothing_until_it_is_told_to(premises: Premises, tmp_path: Path) -> None:
    premises.put_emails(3)
    path = tmp_path / "backup" / "club.sqlite3"
    assert premises.run("backup", str(path)).returncode == 0
    connections[ALIAS].close()
    for left in premises.folder.glob("barpoint.sqlite3*"):
        left.unlink()
    path.rename(premises.folder / "barpoint.sqlite3")
    server = premises.open("serve")
    premises.put_work(3)
    until(lambda: premises.done() == 3)
    assert premises.emails() == []
    assert premises.rows().filter(kind="runtime.mail", done_at__isnull=True, attempts=0).count() == 3
    assert "This is a copy of a club" in server.text
    released = premises.run("release")
    assert "Released. 3 e-mails" in released.stdout, released.stderr
    until(lambda: len(premises.emails()) == 3)


@pytest.mark.long
def test_looking_at_a_copy_makes_no_key_and_opening_it_asks_for_the_old_one(premises: Premises) -> None:
    Installation.objects.using(ALIAS).create(
        pk=1, key=installation.compute_fingerprint("the key of the club")
    )
    key = premises.folder / "secret_key"
    premises.env["SECRET_KEY"] = ""
    looked = premises.run("verify")
    assert looked.returncode == 0, looked.stdout
    assert f"There is no {key}" in looked.stdout
    opened = premises.run("serve")
    assert opened.returncode == 2
    assert "DATA_DIR has no secret_key" in opened.stderr
    assert not key.exists()
    assert premises.run("accept_key").returncode == 0
    made = Installation.objects.using(ALIAS).get().key
    assert made == installation.compute_fingerprint(key.read_text())


@pytest.mark.long
@pytest.mark.services
def test_a_restored_dump_sends_nothing_and_stays_away_from_the_redis_of_the_club(
    apart: Premises, tmp_path: Path
) -> None:
    import psycopg

    assert apart.open("serve", "web").stop() == 0
    apart.put_emails(2)
    server, _, name = apart.env["DATABASE_URL"].rpartition("/")
    dump, restored = tmp_path / "club.dump", f"{name}_restored"
    subprocess.run(["pg_dump", "-Fc", f"--file={dump}", f"{server}/{name}"], check=True)
    with psycopg.connect(f"{server}/postgres", autocommit=True) as own:
        own.execute(f'CREATE DATABASE "{restored}"')
        try:
            command = ["pg_restore", "--exit-on-error", f"--dbname={server}/{restored}", str(dump)]
            subprocess.run(command, check=True)
            connections[ALIAS].close()
            connections[ALIAS].settings_dict["NAME"] = restored
            apart.env["DATABASE_URL"] = f"{server}/{restored}"
            for part in (["serve", "web"], ["worker"]):
                refused = apart.run(*part)
                assert refused.returncode == 2
                assert "REDIS_URL is in use by the one it was taken from" in refused.stderr
            apart.env["REDIS_URL"] = apart.env["REDIS_URL"].removesuffix("0") + "1"
            apart.open("serve", "web")
            apart.start("worker")
            apart.start("beat")
            apart.put_work(3)
            until(lambda: apart.done() == 3)
            assert apart.emails() == []
            assert apart.run("release", "--forget").returncode == 0
            assert apart.rows().filter(kind="runtime.mail", last_error=held_copies.FORGOTTEN).count() == 2
        finally:
            for each in apart.programs:
                end(each.process)
            connections[ALIAS].close()
            own.execute(f'DROP DATABASE "{restored}" WITH (FORCE)')


@pytest.mark.django_db
def test_a_held_club_is_one_row(now: datetime) -> None:
    held_copies.hold(now=now)
    held_copies.hold(now=now + LATER)
    assert Installation.objects.get().held_at == now
    assert installation.join(is_web=True, now=datetime.now(UTC)) == ""
    assert Installation.objects.get().held_at == now
