"""The real servers, killed while they work: nothing is lost and nothing in the database happens twice."""

from __future__ import annotations

import contextlib
import os
import pty
import signal
import subprocess
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from runtime.models import Node, Outage, Pulse
from tests.runtime.premises import ALIAS, Premises
from tests.runtime.support import ROOT, Listener, answers, end, until
from tests.services import free_port


def test_a_killed_server_loses_nothing(premises: Premises) -> None:
    """The quick one: killed once, and the lease of what it held is not waited for."""
    server = premises.open()
    premises.put_work(12, seconds=0.06)
    premises.put_emails(6)
    until(lambda: premises.done() >= 2)
    server.kill()
    in_between = premises.rows().filter(done_at__isnull=True, attempts__gt=0).count()
    done = premises.done()
    assert done < 18
    assert premises.effects() <= done, "what was not marked done has had no effect"

    premises.let_time_pass()
    premises.open()
    until(lambda: premises.left() == 0)
    assert premises.effects() == 12
    assert set(premises.emails()) == {f"mail {n}" for n in range(6)}
    assert len(premises.emails()) <= 6 + in_between
    until(lambda: Outage.objects.using(ALIAS).exists())


def test_a_server_that_ends_politely_leaves_a_silence_that_counts(premises: Premises) -> None:
    """Like an upgrade: the server is unreachable, so the time counts as an outage."""
    server = premises.open()
    until(lambda: Pulse.objects.using(ALIAS).exists())
    assert server.stop() == 0
    assert not Node.objects.using(ALIAS).exists()
    left_at = Pulse.objects.using(ALIAS).get(role="web").seen_at
    premises.let_time_pass()
    premises.open()
    outage = until(lambda: Outage.objects.using(ALIAS).first())
    assert outage.from_at == left_at - timedelta(seconds=10)
    assert outage.to_at - outage.from_at > timedelta(seconds=10)


def test_whoever_listened_to_a_killed_server_is_gone_when_the_next_one_looks(premises: Premises) -> None:
    server = premises.open()
    with (
        Listener(premises.port, premises.token("seat.a", "club.a")),
        Listener(premises.port, premises.token("seat.a", "seat.b")),
    ):
        until(lambda: set(premises.list_told()) == {("seat.a", True), ("seat.b", True)})
        server.kill()
    premises.let_time_pass()
    premises.open()
    until(lambda: set(premises.list_told()[2:]) == {("seat.a", False), ("seat.b", False)})
    with Listener(premises.port, premises.token("seat.a")):
        until(lambda: premises.list_told()[4:] == [("seat.a", True)])


@pytest.mark.share
@pytest.mark.slow
def test_a_server_killed_five_times_loses_nothing(premises: Premises) -> None:
    premises.put_work(150, seconds=0.05)
    premises.put_emails(60)
    begun = premises.rows().filter(done_at__isnull=True, attempts__gt=0)
    interrupted = 0
    for _ in range(5):
        server = premises.open()
        before = premises.done()
        until(lambda before=before: premises.done() >= min(before + 12, 205) and begun.exists())
        server.kill()
        interrupted += begun.count()
    assert interrupted, "no kill came in the middle of anything: this proved nothing"
    server = premises.open()
    until(lambda: premises.left() == 0)
    assert premises.effects() == 150
    emails = premises.emails()
    assert set(emails) == {f"mail {n}" for n in range(60)}
    assert len(emails) <= 60 + interrupted
    assert server.stop() == 0
    verified = premises.run("verify")
    assert verified.returncode == 0, verified.stdout + verified.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_open_streams_do_not_keep_a_server_from_ending(premises: Premises, number: int) -> None:
    server = premises.open()
    until(lambda: "Ctrl-C" in server.text)
    assert f"http://localhost:{premises.port}/" in server.text
    assert "/welcome/" in server.text, "the first lines say how the first director comes in"
    listeners = [Listener(premises.port, premises.token("club.a")) for _ in range(3)]
    for listener in listeners:
        assert listener.event() == {"name": "hello"}
    assert server.stop(number) == 0, server.text
    for listener in listeners:
        assert listener.block()[0].startswith("retry: ")
        listener.close()
    assert "Traceback" not in server.text
    assert not Node.objects.using(ALIAS).exists(), "who ends politely signs off"


def test_a_second_server_on_the_same_data_is_refused_and_the_first_goes_on(premises: Premises) -> None:
    first = premises.open()
    second = premises.run("serve", PORT=str(free_port()))
    assert second.returncode == 2
    assert "already serves this database" in second.stderr
    assert "Traceback" not in second.stderr + second.stdout
    assert "is open at" not in second.stdout
    assert answers(premises.port)
    assert first.process.poll() is None


@pytest.mark.slow
def test_a_port_that_is_taken_is_told_in_a_sentence(premises: Premises) -> None:
    import socket

    with socket.create_server(("127.0.0.1", premises.port)):
        done = premises.run("serve")
    assert done.returncode == 2
    assert f"Port {premises.port} " in done.stderr
    assert "Traceback" not in done.stderr + done.stdout
    assert "is open at" not in done.stdout


# At a terminal


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    ours = Terminal()
    yield ours
    ours.close()


class Terminal:
    """A terminal with a program in its foreground, as a shell would have started it."""

    def __init__(self) -> None:
        self.ours, self.theirs = pty.openpty()
        self.process: subprocess.Popen[bytes] | None = None
        os.set_blocking(self.ours, False)
        self.text = ""

    def run(self, command: list[str], env: dict[str, str]) -> subprocess.Popen[bytes]:
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=env,
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
            start_new_session=True,
            preexec_fn=_take_terminal,
        )
        return self.process

    def press(self, key: bytes) -> None:
        os.write(self.ours, key)

    def wait(self, within: float) -> int:
        assert self.process is not None
        deadline = time.monotonic() + within
        while self.process.poll() is None:
            # The process would block if its output were not read.
            self.read()
            assert time.monotonic() < deadline, f"does not end: {self.text}"
            time.sleep(0.02)
        self.read()
        return int(self.process.returncode)

    def read(self) -> str:
        try:
            while piece := os.read(self.ours, 65536):
                self.text += piece.decode(errors="replace")
        except OSError:
            pass
        return self.text

    def close(self) -> None:
        if self.process is not None:
            end(self.process)
        os.close(self.ours)
        os.close(self.theirs)


def _take_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def make_run(premises: Premises) -> list[str]:
    # The environment exists: `true` replaces the bootstrap, which has separate tests.
    return ["make", "run", "PYTHON=true", f"PORT={premises.port}", f"DATA_DIR={premises.folder}"]


def test_ctrl_c_ends_make_run_without_a_complaint(premises: Premises, terminal: Terminal) -> None:
    terminal.run(make_run(premises), premises.env)
    until(lambda: terminal.read() and answers(premises.port))
    terminal.press(b"\x03")
    assert terminal.wait(10) == 0, terminal.text
    assert "Traceback" not in terminal.text
    assert "Error" not in terminal.text


@pytest.mark.slow
def test_ctrl_z_does_not_freeze_the_terminal(premises: Premises, terminal: Terminal) -> None:
    """The shell watches make, which is not the one that would be stopped."""
    terminal.run(make_run(premises), premises.env)
    until(lambda: terminal.read() and answers(premises.port))
    time.sleep(0.5)
    terminal.press(b"\x1a")
    time.sleep(0.5)
    assert answers(premises.port)
    terminal.press(b"\x03")
    assert terminal.wait(10) == 0, terminal.text


@pytest.mark.slow
def test_a_server_in_the_background_leaves_the_terminal_to_its_shell(
    premises: Premises, terminal: Terminal
) -> None:
    """`make run &`: a background process must not take the terminal."""
    # -m: with job control, as an interactive shell has it; who reads from behind would be stopped.
    script = f"set -m\n{' '.join(make_run(premises))} &\nwhile read line; do echo got:$line; done\n"
    terminal.run(["bash", "-c", script], premises.env)
    until(lambda: terminal.read() and answers(premises.port))
    for word in ("one", "two", "three"):
        terminal.press(word.encode() + b"\n")
        until(lambda word=word: f"got:{word}" in terminal.read())
    terminal.press(b"\x04")
    terminal.wait(10)


# Apart: PostgreSQL, Redis, and a program for each part


@pytest.mark.services
def test_a_killed_worker_loses_nothing(apart: Premises) -> None:
    apart.open("serve", "web")
    apart.start("beat")
    worker = apart.start("worker")
    apart.put_work(60, seconds=0.05)
    apart.put_emails(20)
    until(lambda: apart.done() >= 10)
    worker.kill()
    interrupted = apart.rows().filter(done_at__isnull=True, attempts__gt=0).count()
    assert apart.left() > 0
    apart.start("worker")
    until(lambda: apart.left() == 0)
    assert apart.effects() == 60
    assert set(apart.emails()) == {f"mail {n}" for n in range(20)}
    assert len(apart.emails()) <= 20 + interrupted


@pytest.mark.services
@pytest.mark.slow
def test_workers_killed_again_and_again_with_all_their_children_lose_nothing(apart: Premises) -> None:
    apart.open("serve", "web")
    apart.start("beat")
    apart.put_work(200, seconds=0.05)
    begun = apart.rows().filter(done_at__isnull=True, attempts__gt=0)
    interrupted = 0
    for _ in range(4):
        worker = apart.start("worker")
        before = apart.done()
        until(lambda before=before: apart.done() >= min(before + 15, 195) and begun.exists())
        os.killpg(worker.process.pid, signal.SIGKILL)
        interrupted += begun.count()
    assert interrupted
    apart.start("worker")
    until(lambda: apart.left() == 0)
    assert apart.effects() == 200
    verified = apart.run("verify")
    assert verified.returncode == 0, verified.stdout


@pytest.mark.services
@pytest.mark.share
@pytest.mark.slow
def test_without_worker_and_beat_the_pages_do_the_work_themselves(apart: Premises) -> None:
    apart.open("serve", "web")
    apart.put_work(20)
    until(lambda: apart.left() == 0)
    assert apart.effects() == 20


@pytest.mark.services
@pytest.mark.slow
def test_with_redis_killed_and_emptied_the_work_is_done_all_the_same(apart: Any) -> None:
    apart.open("serve", "web")
    apart.start("beat")
    apart.start("worker")
    apart.put_work(40, seconds=0.02)
    until(lambda: apart.done() >= 5)
    apart.redis.kill()
    apart.redis.wait()
    apart.put_work(20, name="more")
    until(lambda: apart.left() == 0)
    assert apart.effects() == 60


@pytest.mark.services
@pytest.mark.share
@pytest.mark.slow
def test_a_worker_does_what_the_database_says_while_redis_is_away_and_uses_it_again(apart: Any) -> None:
    """A worker that loses Redis takes its work from the database, without help from a web process."""
    import redis

    apart.start("beat")
    worker = apart.start("worker")
    until(lambda: Node.objects.using(ALIAS).filter(role="worker").exists())
    apart.redis.kill()
    apart.redis.wait()
    apart.put_work(20)
    until(lambda: apart.left() == 0)
    assert apart.effects() == 20

    apart.redis = subprocess.Popen(apart.redis.args, stdout=subprocess.DEVNULL)
    client = redis.Redis.from_url(apart.env["REDIS_URL"])

    def is_asked() -> bool:
        with contextlib.suppress(redis.ConnectionError):
            return any(each["cmd"] == "brpop" for each in client.client_list())
        return False

    until(is_asked)
    assert worker.process.poll() is None


@pytest.mark.services
@pytest.mark.parametrize("part", [("worker",), ("beat",), ("serve", "web")])
def test_each_part_ends_when_asked(apart: Premises, part: tuple[str, ...]) -> None:
    program = apart.start(*part)
    until(lambda: Node.objects.using(ALIAS).exists())
    assert program.stop() == 0, program.text
    assert "Traceback" not in program.text


@pytest.mark.services
@pytest.mark.share
@pytest.mark.slow
@pytest.mark.parametrize("is_stopped_first", [False, True])
def test_two_web_processes_at_one_socket_replace_the_one_that_dies(
    apart: Premises, *, is_stopped_first: bool
) -> None:
    server = apart.open("serve", "web", "--processes", "2")
    until(lambda: Node.objects.using(ALIAS).filter(role="web").count() == 2)
    names = set(Node.objects.using(ALIAS).values_list("name", flat=True))
    victim = next(int(name.split("-")[-2]) for name in names)
    if is_stopped_first:
        os.kill(victim, signal.SIGSTOP)
        # The supervisor asks it every half second whether it is alive, and waits for the answer.
        time.sleep(2)
    os.kill(victim, signal.SIGKILL)
    assert answers(apart.port), "the other goes on"
    until(lambda: Node.objects.using(ALIAS).exclude(name__in=names).exists(), within=60)
    assert server.stop() == 0, server.text


@pytest.mark.services
@pytest.mark.slow
def test_when_the_one_who_supervises_is_killed_nobody_is_left_at_the_socket(apart: Premises) -> None:
    server = apart.open("serve", "web", "--processes", "2")
    server.kill()
    until(lambda: not answers(apart.port))
    apart.open("serve", "web")
