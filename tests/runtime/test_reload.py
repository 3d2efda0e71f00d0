"""Web processes are replaced under load without a failed request."""

from __future__ import annotations

import http.client
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import connections

from runtime.models import Node
from tests.runtime.premises import ALIAS, Premises, Program
from tests.runtime.support import Listener, get, until

pytestmark = [pytest.mark.services, pytest.mark.slow]

# Numbers, until a person lays a file there; then how many.
PUBLISH = """
import os, pathlib, sys, time
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
import django
django.setup()
from django.utils import timezone
from runtime import stream
number = 0
while not pathlib.Path(sys.argv[1]).exists():
    stream.publish("club.a", "n", {"n": number}, now=timezone.now())
    number += 1
    time.sleep(0.05)
time.sleep(1)
print(number, flush=True)
"""

# A release in which one module cannot be loaded, for as long as a file lies there.
BROKEN = """
import os, sys
if os.path.exists(os.environ["BROKEN_WHERE"]):
    sys.modules["players.access.public_pages"] = None
"""


class Load:
    """Visitors in separate threads that send requests until they are stopped, and the errors they met."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.answered = 0
        self.wrong: list[str] = []
        self.longest = 0.0
        self.heard: list[list[int]] = []
        self.reopened = 0
        self._is_over = threading.Event()
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []

    def add(self, visit: Callable[[], None], *, is_visit: bool = True) -> None:
        thread = threading.Thread(target=visit, daemon=True)
        if is_visit:
            self._threads.append(thread)
        thread.start()

    def end(self) -> None:
        """Stop the visitors; those that follow a stream read it to its end."""
        self._is_over.set()
        for thread in self._threads:
            thread.join(30)
        assert not any(thread.is_alive() for thread in self._threads)

    def _ask(self, line: http.client.HTTPConnection, path: str) -> bool:
        """Ask for one page; say whether the connection stays open."""
        began = time.monotonic()
        try:
            line.request("GET", path)
            answer = line.getresponse()
            body = answer.read()
            if answer.status != 200 or not body:
                self.wrong.append(f"{path}: {answer.status}")
        except (OSError, http.client.HTTPException) as error:
            self.wrong.append(f"{path}: {type(error).__name__}: {error}")
            return False
        with self._lock:
            self.answered += 1
            self.longest = max(self.longest, time.monotonic() - began)
        return not answer.will_close

    def fresh(self) -> None:
        """Open a connection for each page."""
        while not self._is_over.wait(0.05):
            line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            self._ask(line, "/clubs/")
            line.close()

    def kept(self) -> None:
        """Keep a connection as long as the server does; ask once more where it has just ended, as a browser does."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        while not self._is_over.wait(0.1):
            before = len(self.wrong)
            if not self._ask(line, "/accounts/login/"):
                line.close()
                line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            if len(self.wrong) > before and "RemoteDisconnected" in self.wrong[-1]:
                self.wrong.pop()
                self._ask(line, "/accounts/login/")
        line.close()

    def follow(self, token: str) -> None:
        """Read a stream; come back to where it ended."""
        heard: list[int] = []
        self.heard.append(heard)
        position = None
        while not self._is_over.is_set():
            try:
                with Listener(self.port, token, last_event_id=position) as listener:
                    if listener.answer.status != 200:
                        self.wrong.append(f"/live/: {listener.answer.status}")
                        return
                    position = self._read(listener, heard, position)
            except OSError as error:
                if not self._is_over.is_set():
                    self.wrong.append(f"/live/: {type(error).__name__}: {error}")
            with self._lock:
                self.reopened += 1

    def _read(self, listener: Listener, heard: list[int], position: str | None) -> str | None:
        try:
            while not self._is_over.is_set():
                event = listener.event(within=60)
                position = listener.last_id
                if event["name"] == "n":
                    heard.append(event["data"]["n"])
                elif event["name"] != "hello":
                    self.wrong.append(f"/live/: {event}")
        except EOFError:
            pass
        return position


def children_of(pid: int) -> set[int]:
    """Return the web processes of a server."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
            command = stat.with_name("cmdline").read_bytes()
        except OSError:
            # The process has ended.
            continue
        if int(fields[1]) == pid and fields[0] != "Z" and b"spawn_main" in command:
            found.add(int(stat.parent.name))
    return found


def open_web(premises: Premises, **extra: str) -> tuple[Program, set[int]]:
    server = premises.open("serve", "web", "--processes", "2", **extra)
    until(lambda: Node.objects.using(ALIAS).filter(role="web").count() == 2)
    return server, children_of(server.process.pid)


def reload(server: Program) -> None:
    server.process.send_signal(signal.SIGHUP)


def publisher(premises: Premises, stop: Path) -> Program:
    import sys

    program = Program([sys.executable, "-c", PUBLISH, str(stop)], premises.env)
    premises.programs.append(program)
    return program


def test_a_reload_under_load_refuses_nobody_and_loses_nothing(apart: Premises, tmp_path: Path) -> None:
    server, before = open_web(apart)
    assert len(before) == 2
    numbers = publisher(apart, tmp_path / "stop")
    load = Load(apart.port)
    for visit in (load.fresh, load.fresh, load.kept, load.kept):
        load.add(visit)
    for _ in range(4):
        load.add(lambda: load.follow(apart.token("club.a")), is_visit=False)
    until(lambda: load.answered > 20 and len(load.heard) == 4 and all(load.heard))
    at_first = load.answered

    reload(server)
    until(lambda: not before & children_of(server.process.pid))

    assert len(children_of(server.process.pid)) == 2
    during = load.answered - at_first
    (tmp_path / "stop").touch()
    assert numbers.wait(30) == 0, numbers.text
    last = int(numbers.text.split()[-1]) - 1
    until(lambda: all(heard and heard[-1] == last for heard in load.heard))
    load.end()
    assert load.wrong == []
    assert during > 20
    # Nothing twice and nothing left out, from the first that each has heard.
    for heard in load.heard:
        assert heard == list(range(heard[0], last + 1))
    assert load.reopened >= 4
    print(f"{during} answers during the reload, the slowest after {load.longest:.2f} s")
    assert "Traceback" not in server.text
    assert server.stop() == 0, server.text


def test_a_release_that_does_not_come_up_leaves_the_old_one_serving(apart: Premises, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(BROKEN)
    path = os.pathsep.join([str(tmp_path / "site"), apart.env["PYTHONPATH"]])
    server, before = open_web(apart, PYTHONPATH=path, BROKEN_WHERE=str(broken))

    broken.touch()
    reload(server)
    until(lambda: server.text.count("aborting the restart") == 1)
    assert "players.access.public_pages" in server.text
    broken.unlink()

    # The migration was forgotten.
    with connections[ALIAS].cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'runtime' RETURNING name, applied")
        forgotten = cursor.fetchall()
    reload(server)
    until(lambda: server.text.count("aborting the restart") == 2)
    assert "make migrate" in server.text
    assert children_of(server.process.pid) == before
    assert [get(apart.port, "/clubs/")[0] for _ in range(10)] == [200] * 10

    with connections[ALIAS].cursor() as cursor:
        for row in forgotten:
            cursor.execute(
                "INSERT INTO django_migrations (app, name, applied) VALUES ('runtime', %s, %s)", row
            )
    reload(server)
    until(lambda: not before & children_of(server.process.pid))
