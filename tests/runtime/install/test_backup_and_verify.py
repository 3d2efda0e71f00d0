"""Copies made under load, and the questions asked of every row afterwards."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections

from runtime import hooks, stream
from runtime.hooks import Hook
from runtime.install import held_copies, readiness, verifiers
from runtime.models import Installation, Outbox, Topic, TopicEvent
from runtime.work import outbox
from tests.runtime.support import ROOT, clean_environment

on_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has pg_dump")


@pytest.fixture
def writers(now: datetime) -> Iterator[list[int]]:
    """Two threads that publish without a pause, and the number of their events."""
    stop = threading.Event()
    written: list[int] = []

    def write(place: int) -> None:
        while not stop.is_set():
            stream.publish(f"club.{place}", "n", {"text": "x" * 200}, now=now)
            written.append(place)
        connections.close_all()

    threads = [threading.Thread(target=write, args=(place,)) for place in range(2)]
    for thread in threads:
        thread.start()
    yield written
    stop.set()
    for thread in threads:
        thread.join()


def topics_of(path: Path) -> dict[str, tuple[int, int, int]]:
    copy = sqlite3.connect(path)
    try:
        assert copy.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return {
            name: (head, count, last)
            for name, head, count, last in copy.execute(
                "SELECT t.name, t.head, count(e.id), max(e.seq) FROM runtime_topic t"
                " LEFT JOIN runtime_topicevent e ON e.topic = t.name GROUP BY t.name"
            )
        }
    finally:
        copy.close()


# What the copy needs more than this does not fit: the kernel refuses it as a full disk does.
LITTLE_ROOM = """
import resource, signal, sys
from django.core.management import execute_from_command_line
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))
execute_from_command_line(["manage.py", "backup", sys.argv[1]])
"""


@on_sqlite
@pytest.mark.long
def test_a_copy_that_does_not_fit_is_refused_in_a_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    target = tmp_path / "copies" / "club.sqlite3"
    whole = sqlite3.connect(tmp_path / "barpoint.sqlite3")
    whole.execute("CREATE TABLE much AS SELECT randomblob(300000) AS x")
    whole.close()
    done = subprocess.run(
        [sys.executable, "-c", LITTLE_ROOM, str(target)],
        cwd=ROOT,
        env=clean_environment(DATA_DIR=str(tmp_path), DJANGO_SETTINGS_MODULE="config.settings"),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 1
    # Above it may stand what the start warns of.
    assert done.stderr.splitlines()[-1].startswith(f"CommandError: Nothing was copied to {target}: ")
    assert list(target.parent.iterdir()) == []


@pytest.mark.long
@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_a_copy_made_while_others_write_is_whole_and_of_one_moment(
    tmp_path: Path, writers: list[int]
) -> None:
    while len(writers) < 20:
        pass
    for number in range(4):
        path = tmp_path / "deeper" / f"copy-{number}.sqlite3"
        before = len(writers)
        out = StringIO()
        call_command("backup", str(path), stdout=out)
        assert str(path) in out.getvalue()
        topics = topics_of(path)
        assert topics
        for head, count, last in topics.values():
            assert head == count == last, "number and event were written together"
        # Those of the last moment may be missing; all that were acknowledged before it are there.
        assert sum(head for head, *_ in topics.values()) >= before - 2
    assert [each.suffix for each in (tmp_path / "deeper").iterdir()] == [".sqlite3"] * 4


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_a_copy_replaces_an_older_one_whole_or_not_at_all(tmp_path: Path, now: datetime) -> None:
    path = tmp_path / "copy.sqlite3"
    path.write_bytes(b"the old copy")
    (tmp_path / "copy.sqlite3.part").write_bytes(b"what a crash left")
    stream.publish("club.a", "n", {}, now=now)
    held_copies.copy_sqlite(path, now=now)
    assert topics_of(path) == {"club.a": (1, 1, 1)}


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_a_copy_is_for_its_owner_alone(tmp_path: Path, now: datetime) -> None:
    """It contains e-mail addresses, sessions, and e-mails with sign-in links."""
    before = os.umask(0o022)
    try:
        path = held_copies.copy_sqlite(tmp_path / "copy.sqlite3", now=now)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.django_db
def test_postgresql_is_told_to_use_its_own_means(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(held_copies, "connection", SimpleNamespace(vendor="postgresql"))
    with pytest.raises(CommandError, match="pg_dump"):
        call_command("backup", str(tmp_path / "x"))
    assert list(tmp_path.iterdir()) == []


# Verify


def verified() -> tuple[int, str]:
    out = StringIO()
    try:
        call_command("verify", stdout=out, stderr=out)
    except SystemExit as exit_:
        return int(exit_.code or 0), out.getvalue()
    return 0, out.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize("command", ["verify", "hold", "release", "accept_key"])
def test_a_database_of_another_version_is_refused_in_a_sentence(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A backup from before an upgrade is what a drill often has."""
    monkeypatch.setattr(
        readiness, "find_problem", lambda: "The database is not up to date. Run `make migrate`."
    )
    with pytest.raises(SystemExit) as ended:
        call_command(command)
    assert ended.value.code == 2
    assert capsys.readouterr().err == "barpoint: The database is not up to date. Run `make migrate`.\n"
    assert not Installation.objects.exists()


@pytest.mark.django_db
def test_a_good_database_is_said_to_be_well(now: datetime) -> None:
    for n in range(3):
        stream.publish("club.a", "n", {"n": n}, now=now)
    TopicEvent.objects.filter(seq=1).delete()
    outbox.queue_mail(to="kit@club.example", subject="s", body="b", dedupe_key="m", now=now)
    outbox.drain(queue="default", now=now)
    code, said = verified()
    assert code == 0, said
    for name in ("database", "outbox", "topics"):
        assert name in said


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda: TopicEvent.objects.filter(seq=2).delete(), "topic club.a has a gap between 1 and 3"),
        (lambda: TopicEvent.objects.filter(seq=3).delete(), "topic club.a ends at 2, its head says 3"),
        (lambda: Topic.objects.all().delete(), "topic club.a ends at 3, its head says None"),
        (lambda: Topic.objects.update(head=9), "topic club.a ends at 3, its head says 9"),
    ],
)
def test_what_is_wrong_with_a_topic_is_found(now: datetime, spoil: object, sentence: str) -> None:
    for n in range(3):
        stream.publish("club.a", "n", {"n": n}, now=now)
    spoil()  # type: ignore[operator]
    code, said = verified()
    assert code == 1
    assert sentence in said


@pytest.mark.django_db
def test_work_done_before_it_was_written_is_found(now: datetime) -> None:
    outbox.queue_mail(to="kit@club.example", subject="s", body="b", dedupe_key="m", now=now)
    Outbox.objects.update(done_at=now - timedelta(seconds=1))
    code, said = verified()
    assert code == 1
    assert "before it was written" in said


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_a_row_that_points_nowhere_is_found() -> None:
    with connection.constraint_checks_disabled(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO players_membership (club_id, player_id, role, joined_at)"
            " VALUES (999, 999, 'member', '2026-03-05 19:00:00')"
        )
    code, said = verified()
    assert code == 1
    assert "players_membership" in said


@pytest.mark.long
@pytest.mark.share
@pytest.mark.django_db(transaction=True)
def test_nothing_is_found_while_the_club_is_open_and_others_write(writers: list[int]) -> None:
    """Head and events are read at one moment: what is written in between is not broken."""
    while len(writers) < 20:
        pass
    for _ in range(60):
        assert list(verifiers.verify_topics()) == []


@pytest.mark.django_db
def test_a_package_may_have_its_own_rows_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hooks, "VERIFIERS", Hook())
    hooks.VERIFIERS.add("ours", lambda: iter(["the sky is green"]))
    assert verified()[0] == 1
    assert "ours: the sky is green" in verified()[1]
