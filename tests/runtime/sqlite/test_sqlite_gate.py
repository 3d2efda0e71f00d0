"""The gate around SQLite's write transactions: fair, without "locked", and never left shut."""

from __future__ import annotations

import contextlib
import fcntl
import importlib.util
import json
import os
import signal
import sqlite3 as the_one_in_use
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.db import DatabaseError, IntegrityError, OperationalError, connection, connections, transaction

from config import environment
from runtime import transactions
from runtime.install.checks import FIRST_SOUND_SQLITE
from runtime.sqlite import gate
from tests.runtime.support import ROOT, Undone, clean_environment, together, undone

LOCKS = Path("/proc/locks")
# A separate program on the same file: reads a number, then writes that number plus one.
RIVAL = """
import json, sys
from django.conf import settings
settings.configure(DATABASES={"default": json.loads(sys.argv[1])}, USE_TZ=True)
from django.db import connection, transaction
def add():
    with transaction.atomic(), connection.cursor() as cursor:
        n, = cursor.execute("SELECT n FROM counter").fetchone()
        cursor.execute("UPDATE counter SET n = %s", [n + 1])
"""


@pytest.fixture
def path(tmp_path: Path, django_db_blocker: pytest.FixtureRequest) -> Iterator[Path]:
    """A gated database of the test's own, under the alias "gate", with a counter at 0."""
    path = tmp_path / "gated.sqlite3"
    with django_db_blocker.unblock():  # type: ignore[attr-defined]
        _open(path)
        with connections["gate"].cursor() as cursor:
            cursor.execute("CREATE TABLE counter (n INTEGER)")
            cursor.execute("CREATE TABLE parent (id INTEGER PRIMARY KEY)")
            cursor.execute(
                "CREATE TABLE child (parent INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED)"
            )
            cursor.execute("INSERT INTO counter VALUES (0)")
        yield path
        connections["gate"].close()
    del connections["gate"]
    del connections.settings["gate"]


def _open(path: Path | str, **changes: object) -> None:
    database = {**environment.build_sqlite_settings(path), **changes}  # type: ignore[arg-type]
    connections.settings["gate"] = {
        "ATOMIC_REQUESTS": False, "AUTOCOMMIT": True, "CONN_HEALTH_CHECKS": False, "TIME_ZONE": None,
        "HOST": "", "PORT": "", "USER": "", "PASSWORD": "", "TEST": {}, **database,
    }  # fmt: skip


def _rival(code: str, path: Path) -> subprocess.Popen[str]:
    database = {**environment.build_sqlite_settings(path), "NAME": str(path)}
    return subprocess.Popen(
        [sys.executable, "-c", RIVAL + code, json.dumps(database)],
        cwd=ROOT,
        env=clean_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _is_free(path: Path) -> bool:
    descriptor = os.open(f"{path}.gate", os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True


def _locks_on(path: Path) -> list[list[str]]:
    """Return the locks on a file, each without its number in the list."""
    locks = [line.split()[1:] for line in LOCKS.read_text().splitlines()]
    return [lock for lock in locks if any(part.endswith(f":{path.stat().st_ino}") for part in lock)]


def _add() -> None:
    with transaction.atomic("gate"), connections["gate"].cursor() as cursor:
        (n,) = cursor.execute("SELECT n FROM counter").fetchone()
        cursor.execute("UPDATE counter SET n = %s", [n + 1])


def _count() -> int:
    with connections["gate"].cursor() as cursor:
        return int(cursor.execute("SELECT n FROM counter").fetchone()[0])


def test_nobody_else_on_the_machine_can_read_what_is_in_it(path: Path) -> None:
    _add()
    beside = [path, *(path.with_name(path.name + end) for end in ("-wal", "-shm", ".gate"))]
    assert {file.stat().st_mode & 0o777 for file in beside} == {0o600}
    connections["gate"].close()
    path.chmod(0o644)
    _add()
    assert {file.stat().st_mode & 0o777 for file in beside} == {0o600}


@pytest.mark.skipif(not LOCKS.exists(), reason="Linux alone tells who holds which lock")
def test_whoever_connects_leaves_the_locks_of_those_who_are_connected(path: Path) -> None:
    """SQLite counts connections by the locks: the last one to close the file deletes the write-ahead log."""
    _add()
    before = _locks_on(path)
    together(2, lambda _: (_add(), connections["gate"].close()))
    assert before
    assert _locks_on(path) == before


@pytest.mark.long
def test_eight_threads_that_read_and_then_write_lose_no_increment(path: Path) -> None:
    together(8, lambda _: [_add() for _ in range(40)])
    assert _count() == 8 * 40


def test_without_immediate_transactions_the_same_threads_are_told_that_it_is_locked(path: Path) -> None:
    _open(path, ENGINE="django.db.backends.sqlite3", OPTIONS={"timeout": 1})
    errors = []

    def add_or_note() -> None:
        try:
            with transaction.atomic("gate"), connections["gate"].cursor() as cursor:
                (n,) = cursor.execute("SELECT n FROM counter").fetchone()
                time.sleep(0.001)
                cursor.execute("UPDATE counter SET n = %s", [n + 1])
        except OperationalError as error:
            errors.append(str(error))

    together(8, lambda _: [add_or_note() for _ in range(10)])
    assert "database is locked" in errors


@pytest.mark.long
def test_four_processes_that_open_a_new_file_at_once_lose_no_increment_and_never_find_it_locked(
    path: Path,
) -> None:
    new = path.with_name("new.sqlite3")
    code = (
        "with transaction.atomic(), connection.cursor() as cursor:\n"
        "    cursor.execute('CREATE TABLE IF NOT EXISTS counter (n INTEGER)')\n"
        "    if not cursor.execute('SELECT 1 FROM counter').fetchone():\n"
        "        cursor.execute('INSERT INTO counter VALUES (0)')\n"
        "for _ in range(100): add()\n"
    )
    rivals = [_rival(code, new) for _ in range(4)]
    for rival in rivals:
        _, said = rival.communicate(timeout=60)
        assert rival.returncode == 0, said
    _open(new)
    connections["gate"].close()
    del connections["gate"]
    assert _count() == 400


@pytest.mark.long
def test_a_new_file_is_never_found_locked_by_those_who_open_it_in_the_same_instant(path: Path) -> None:
    # SQLite's busy timeout does not apply while a file becomes a WAL database, so the gate has to serialize
    # this.
    code = (
        "for line in sys.stdin:\n"
        "    connection.settings_dict['NAME'] = line.strip()\n"
        "    with connection.cursor() as cursor:\n"
        "        cursor.execute('CREATE TABLE IF NOT EXISTS counter (n INTEGER)')\n"
        "    connection.close()\n"
        "    print('opened', flush=True)\n"
    )
    rivals = [_rival(code, path) for _ in range(4)]
    try:
        for number in range(200):
            for rival in rivals:
                rival.stdin.write(f"{path.with_name(f'new-{number}.sqlite3')}\n")  # type: ignore[union-attr]
                rival.stdin.flush()  # type: ignore[union-attr]
            assert [rival.stdout.readline() for rival in rivals] == ["opened\n"] * 4  # type: ignore[union-attr]
    finally:
        ends = [(rival.communicate(timeout=60)[1], rival.returncode) for rival in rivals]
    assert [code for _, code in ends] == [0] * 4, ends


def test_the_gate_is_shut_inside_a_transaction_and_open_after_it(path: Path) -> None:
    assert _is_free(path)
    with transaction.atomic("gate"):
        assert not _is_free(path)
    assert _is_free(path)


def test_savepoints_neither_open_nor_shut_the_gate(path: Path) -> None:
    with transaction.atomic("gate"):
        with transaction.atomic("gate"):
            assert not _is_free(path)
        assert not _is_free(path)
        with pytest.raises(KeyError), transaction.atomic("gate"):
            raise KeyError
        assert not _is_free(path)
        with pytest.raises(DatabaseError), transaction.atomic("gate"):
            connections["gate"].cursor().execute("SELECT nonsense")
        assert not _is_free(path)
        _add()
    assert _is_free(path)
    assert _count() == 1


def test_an_exception_opens_the_gate_and_undoes_the_change(path: Path) -> None:
    with pytest.raises(Undone), transaction.atomic("gate"):
        undone(_add)
    assert _is_free(path)
    assert _count() == 0


def test_a_commit_that_fails_opens_the_gate(path: Path) -> None:
    with pytest.raises(IntegrityError), transaction.atomic("gate"):
        connections["gate"].cursor().execute("INSERT INTO child VALUES (7)")
    assert _is_free(path)
    _add()


def test_a_transaction_marked_for_rollback_opens_the_gate(path: Path) -> None:
    with transaction.atomic("gate"):
        _add()
        transaction.set_rollback(True, "gate")
    assert _is_free(path)
    assert _count() == 0


def test_a_connection_closed_inside_a_transaction_opens_the_gate(path: Path) -> None:
    with transaction.atomic("gate"):
        _add()
        connections["gate"].close()
        assert _is_free(path)
    assert _count() == 0
    _add()
    assert _is_free(path)


def test_a_transaction_that_cannot_begin_opens_the_gate(path: Path) -> None:
    _open(path, OPTIONS={"transaction_mode": "IMMEDIATE", "timeout": 0})
    del connections["gate"]
    # By the same library: two in one process do not see each other's locks.
    stranger = connections["gate"].Database.connect(path, isolation_level=None)
    stranger.execute("BEGIN IMMEDIATE")
    try:
        with pytest.raises(OperationalError), transaction.atomic("gate"):
            pass
        assert _is_free(path)
    finally:
        stranger.close()
    _add()


def test_a_process_killed_inside_a_transaction_opens_the_gate(path: Path) -> None:
    code = (
        "import time\n"
        "with transaction.atomic(), connection.cursor() as cursor:\n"
        "    cursor.execute('UPDATE counter SET n = 99')\n"
        "    print('inside', flush=True)\n"
        "    time.sleep(60)\n"
    )
    with _rival(code, path) as rival:
        assert rival.stdout.readline() == "inside\n"
        assert not _is_free(path)
        rival.send_signal(signal.SIGKILL)
    _add()
    assert _count() == 1


def test_a_fork_inside_a_transaction_does_not_open_the_gate(path: Path) -> None:
    """A forked child that drops its inherited connection must not let others in to its parent's transaction."""
    with transaction.atomic("gate"):
        child = os.fork()
        if child == 0:
            connections["gate"].gate.leave()
            os._exit(0)
        os.waitpid(child, 0)
        assert not _is_free(path)


def test_readers_do_not_wait_for_a_writer(path: Path) -> None:
    inside, done = threading.Event(), threading.Event()

    def write_slowly() -> None:
        with transaction.atomic("gate"):
            _add()
            inside.set()
            done.wait(60)
        connections.close_all()

    writer = threading.Thread(target=write_slowly)
    writer.start()
    try:
        assert inside.wait(10)
        assert _count() == 0
        assert writer.is_alive(), "it is still writing"
    finally:
        done.set()
        writer.join()
    assert _count() == 1


@pytest.mark.long
def test_every_writer_gets_its_turn(path: Path) -> None:
    """With SQLite's own busy handler, some of these wait while others write a hundred times."""
    present = threading.Barrier(4)
    let_in = 0

    def write_often(_: int) -> float:
        """Count how many others were let in, as a rule, while this one waited."""
        nonlocal let_in
        _count()
        present.wait(30)
        stop, passed = time.monotonic() + 0.8, list[int]()
        while time.monotonic() < stop or len(passed) < 5:
            before = let_in
            with transaction.atomic("gate"):
                passed.append(let_in - before)
                let_in += 1
                _add()
                time.sleep(0.002)
        # One of them may have been put to sleep by a busy machine on its way to the gate.
        return statistics.median(passed)

    usual = together(4, write_often)
    assert max(usual) <= 2 * 3, usual


def _order_of_entry(path: Path, waiting: list[str], patience: dict[str, float]) -> list[str]:
    """Return in which order threads get in that line up one after the other."""
    order: list[str] = []
    threads = []
    line = gate._lines[f"{path}.gate"]

    def write(kind: str) -> None:
        with (
            transactions.limit_transactions(kind, patience=patience[kind.split(" ")[0]]),
            transactions.hurry() if kind.startswith("move") else contextlib.nullcontext(),
            transaction.atomic("gate"),
        ):
            order.append(kind)
        connections.close_all()

    with transaction.atomic("gate"):
        for number, kind in enumerate(waiting):
            threads.append(threading.Thread(target=write, args=(kind,)))
            threads[-1].start()
            while len(line._waiting) <= number:
                time.sleep(0.001)
    for thread in threads:
        thread.join(10)
    return order


def test_moves_go_before_other_requests_and_these_before_background_work(path: Path) -> None:
    _add()
    waiting = ["job 1", "request 1", "job 2", "request 2", "move 1", "move 2"]
    order = _order_of_entry(path, waiting, {"job": 120.0, "request": 60.0, "move": 60.0})
    assert order == ["move 1", "move 2", "request 1", "request 2", "job 1", "job 2"]


def test_those_who_have_waited_long_are_overtaken_no_more(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One arrives each second."""
    _add()
    monkeypatch.setattr(gate, "time", SimpleNamespace(monotonic=map(float, count()).__next__))
    waiting = ["job 1", "request 1", "move 1", "job 2", "request 2", "move 2"]
    order = _order_of_entry(path, waiting, {"job": 2.5, "request": 1.5, "move": 1.5})
    assert order == ["move 1", "job 1", "request 1", "move 2", "job 2", "request 2"]


@pytest.mark.parametrize("is_let_in", [False, True], ids=["waiting", "let in at that moment"])
def test_a_thread_that_is_interrupted_in_the_line_holds_nobody_up(
    monkeypatch: pytest.MonkeyPatch, is_let_in: bool
) -> None:
    line, real = gate.Line(), threading.Lock

    class InterruptedLock:
        def __init__(self) -> None:
            self.lock = real()

        def acquire(self) -> None:
            if self.lock.acquire(blocking=False):
                return
            if is_let_in:
                line.leave()
            raise KeyboardInterrupt

        def release(self) -> None:
            self.lock.release()

    monkeypatch.setattr(gate.threading, "Lock", InterruptedLock)
    line.enter()
    with pytest.raises(KeyboardInterrupt):
        line.enter()
    assert line._waiting == []
    assert line._is_taken == (not is_let_in)


def test_a_database_in_memory_has_no_gate(tmp_path: Path, django_db_blocker: pytest.FixtureRequest) -> None:
    before = set(ROOT.glob("*.gate"))
    with django_db_blocker.unblock():  # type: ignore[attr-defined]
        _open(":memory:", OPTIONS={"transaction_mode": "IMMEDIATE"})
        try:
            with transaction.atomic("gate"):
                connections["gate"].cursor().execute("CREATE TABLE counter (n)")
                assert connections["gate"].gate._file is None
        finally:
            connections["gate"].close()
            del connections["gate"]
            del connections.settings["gate"]
    assert set(ROOT.glob("*.gate")) == before


@pytest.mark.skipif(
    importlib.util.find_spec("pysqlite3") is None, reason="no wheel of pysqlite3 is installed"
)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite is not the database of this run")
def test_the_sqlite_that_pip_brought_is_the_one_in_use() -> None:
    from django.db.backends.sqlite3.base import Database

    assert the_one_in_use.__name__ == "pysqlite3"
    assert Database.sqlite_version_info >= FIRST_SOUND_SQLITE
