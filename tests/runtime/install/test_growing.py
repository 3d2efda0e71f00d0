"""The commands of README's *Growing*, on two machines with an empty PostgreSQL and an empty Redis."""

from __future__ import annotations

import os
import re
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from runtime.models import Node
from tests.runtime.premises import ALIAS, Premises, Program, premises_apart
from tests.runtime.support import ROOT, answers, clean_environment, end, get, until
from tests.services import free_port

pytestmark = [pytest.mark.slow, pytest.mark.services]

GROWING = (ROOT / "README.md").read_text().partition("## Growing\n")[2].partition("\n## ")[0]
BLOCK = re.findall(r"^```sh\n(.*?)^```", GROWING, re.M | re.S)[0]
EXPORT, *COMMANDS = [line.partition("#")[0].strip() for line in BLOCK.splitlines()]
MIGRATE, WEB, WORKER, BEAT = COMMANDS
CSRF = "c" * 32
KEY = "the key of the federation, on each machine the same"


class Machine:
    """A computer with a checkout: a data folder and its own port."""

    def __init__(self, folder: Path, place: Premises, *, key: str = KEY) -> None:
        self.port = free_port()
        self.programs: dict[str, Program] = {}
        self.env = clean_environment(
            DATA_DIR=str(folder),
            PORT=str(self.port),
            STATIC_ROOT=place.env["STATIC_ROOT"],
            LOG_LEVEL="WARNING",
        )
        instead = {
            "postgresql://barpoint:secret@db/barpoint": place.env["DATABASE_URL"],
            "redis://cache/0": place.env["REDIS_URL"],
            "SECRET_KEY=...": f"SECRET_KEY='{key}'",
        }
        self.export = EXPORT
        for there, here in instead.items():
            assert there in self.export
            self.export = self.export.replace(there, here)

    def type(self, command: str) -> Program:
        """Type a line of the page."""
        if before := self.programs.get(command):
            end(before.process)
        self.programs[command] = Program(["sh", "-c", f"cd {ROOT} && {self.export} && {command}"], self.env)
        return self.programs[command]

    def open(self) -> None:
        """Type the line for the pages, and wait until they answer."""
        web = self.type(WEB)
        until(lambda: answers(self.port) or web.process.poll() is not None)
        assert web.process.poll() is None, web.text

    def refusal(self, command: str) -> str:
        """Type a line that should not work; return what it says."""
        program = self.type(command)
        assert program.wait(60) != 0, program.text
        return program.text

    def close(self) -> None:
        """Press Ctrl-C where the pages were opened."""
        web = self.programs[WEB]
        os.killpg(web.process.pid, signal.SIGINT)
        web.wait(60)
        until(lambda: not answers(self.port))


@pytest.fixture
def empty(tmp_path: Path, static_root: Path, django_db_blocker: Any) -> Iterator[Premises]:
    """A PostgreSQL database in which nothing is, and a Redis."""
    with (
        django_db_blocker.unblock(),
        premises_apart("template1", tmp_path, static_root=static_root) as place,
    ):
        yield place


class Crowd:
    """Visitors behind a proxy that tries the next machine when one does not answer."""

    def __init__(self, *machines: Machine) -> None:
        self.machines, self.met = machines, Counter[int]()
        self.over = threading.Event()
        self.threads = [threading.Thread(target=self.look, args=(place,)) for place in range(4)]

    def look(self, place: int) -> None:
        turn = place
        while not self.over.wait(0.02):
            self.met[self.send_request(turn)] += 1
            turn += 1

    def send_request(self, turn: int) -> int:
        for machine in (self.machines[turn % 2], self.machines[(turn + 1) % 2]):
            with suppress(OSError):
                return get(machine.port, "/clubs/")[0]
        return 0

    def __enter__(self) -> Crowd:
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        for thread in self.threads:
            thread.join(30)


def press(machine: Machine, path: str, session: str = "", **fields: str) -> tuple[int, dict[str, str]]:
    status, _, headers = get(
        machine.port, path, method="POST", body=urlencode({**fields, "csrfmiddlewaretoken": CSRF}).encode(),
        Cookie=f"csrf={CSRF}; session={session}", Content_Type="application/x-www-form-urlencoded",
    )  # fmt: skip
    return status, headers


def test_a_club_grows_to_two_machines(empty: Premises, tmp_path: Path) -> None:
    one, two = Machine(tmp_path / "one", empty), Machine(tmp_path / "two", empty)
    try:
        assert "Run `make migrate`" in one.refusal(WEB)
        assert one.type(MIGRATE).wait(120) == 0
        one.open()
        one.type(WORKER)
        one.type(BEAT)
        two.open()
        until(lambda: Counter(roles()) == {"web": 8, "worker": 1, "beat": 1})

        a_stranger = Machine(tmp_path / "three", empty, key="made by this machine for itself")
        assert "SECRET_KEY is not the one" in a_stranger.refusal(WEB)

        session = the_first_director_comes_in(one, two)
        status, page, _ = get(one.port, "/settings/", Cookie=f"session={session}")
        assert status == 200
        assert b"Kit Federation" in page

        with Crowd(one, two) as crowd:
            for machine in (one, two):
                machine.close()
                machine.open()
        assert set(crowd.met) == {200}, crowd.met
        verified = empty.run("verify", SECRET_KEY=KEY)
        assert verified.returncode == 0, verified.stdout + verified.stderr
    finally:
        empty.programs += [*one.programs.values(), *two.programs.values()]


def roles() -> list[str]:
    return list(Node.objects.using(ALIAS).values_list("role", flat=True))


def the_first_director_comes_in(printed: Machine, other: Machine) -> str:
    """The link that one machine prints opens the other's welcome page too; return the session."""
    link = re.search(r"/welcome/\w+/", printed.programs[WEB].text)
    assert link is not None, printed.programs[WEB].text
    status, headers = press(
        other, link[0], name="Kit Federation", email="kit@club.example", password="three old pennies",
        club_name="Here", time_zone="UTC",
    )  # fmt: skip
    assert status == 302
    session = re.search(r"session=(\w+)", headers["set-cookie"])
    return session[1]
