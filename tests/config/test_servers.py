"""Options of `serve` that cannot work are refused in a sentence, before anything is changed."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
from contextlib import nullcontext
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from config import asgi, front, preparation, servers
from config.preparation import Refusal
from runtime import nodes
from runtime.install import instance_lock
from runtime.models import Node
from runtime.stream.relay import Relay
from tests.runtime.support import ROOT, clean_environment, python

SERVE = [sys.executable, "manage.py", "serve"]
CELERY = [sys.executable, "-m", "celery", "-A", "config"]


def run(command: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a clean environment, which is expected to end soon."""
    return subprocess.run(
        command,
        cwd=ROOT,
        env=clean_environment(**environment),
        capture_output=True,
        text=True,
        timeout=60,
    )


def asked(*arguments: str) -> tuple[int, str]:
    """Return status and words of a `serve` that is expected to refuse."""
    said = StringIO()
    with pytest.raises(SystemExit) as left:
        call_command("serve", *arguments, stdout=said, stderr=said)
    return int(left.value.code or 0), said.getvalue()


@pytest.fixture
def _no_redis(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.REDIS_URL = ""
    monkeypatch.setattr(preparation, "prepare_all", lambda: None)
    monkeypatch.setattr(preparation, "prepare_web", lambda: None)


@pytest.mark.usefixtures("_no_redis")
@pytest.mark.parametrize("arguments", [("web", "--processes", "2"), ("all", "--processes", "2")])
def test_a_second_web_process_needs_redis(arguments: tuple[str, ...]) -> None:
    status, words = asked(*arguments)
    assert status == 2
    assert "REDIS_URL" in words


def test_everything_in_one_process_is_one_process_even_with_redis(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """WEB_PROCESSES is not silently forgotten."""
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(preparation, "prepare_all", lambda: pytest.fail("went on"))
    status, words = asked("all", "--processes", "4")
    assert status == 2
    assert "serve web" in words


def test_an_installation_that_is_not_fit_is_refused_in_its_words(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    def refuse() -> None:
        raise Refusal("The roof is open.")

    with socket.create_server((settings.HOST, 0)) as other:
        settings.PORT = other.getsockname()[1]
    monkeypatch.setattr(preparation, "prepare_all", refuse)
    assert asked("all") == (2, "barpoint: The roof is open.\n")


@pytest.mark.parametrize("part", ["all", "web"])
def test_a_taken_port_is_refused_before_anything_is_prepared(
    monkeypatch: pytest.MonkeyPatch, settings: Any, part: str
) -> None:
    monkeypatch.setattr(
        preparation, "prepare_all" if part == "all" else "prepare_web", lambda: pytest.fail("went on")
    )
    monkeypatch.setattr(instance_lock, "claim", object)
    with socket.create_server((settings.HOST, 0)) as other:
        settings.PORT = other.getsockname()[1]
        status, words = asked(part)
    assert status == 2
    assert f"Port {settings.PORT} of {settings.HOST} is taken" in words


def test_a_free_port_is_left_free(settings: Any) -> None:
    with socket.create_server((settings.HOST, 0)) as other:
        settings.PORT = other.getsockname()[1]
    servers.require_free_port()
    socket.create_server((settings.HOST, settings.PORT)).close()


def test_a_folder_that_cannot_be_made_is_named_with_what_to_do(settings: Any) -> None:
    settings.DATA_DIR = Path("/proc/clubs/barpoint")
    with pytest.raises(Refusal) as caught:
        preparation.create_data_folder()
    assert str(caught.value) == (
        "DATA_DIR is /proc/clubs/barpoint, which does not exist and cannot be made in /proc (No such file or directory)."
        " Set DATA_DIR to a folder in which this account may write."
    )


@pytest.mark.slow
def test_a_database_that_does_not_answer_is_told_in_a_sentence(tmp_path: Path) -> None:
    done = run(SERVE, DATA_DIR=str(tmp_path), DATABASE_URL="postgresql://kit:hunter2@127.0.0.1:1/club")
    assert done.returncode == 2
    assert "The database does not answer" in done.stderr
    assert "Traceback" not in done.stderr
    assert "hunter2" not in done.stderr + done.stdout


@pytest.mark.long
@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"PORT": "eighty"}, "PORT must be a whole number, not 'eighty'."),
        ({"TIME_ZONE": "Berlin"}, "TIME_ZONE must name a time zone like Europe/Berlin, not 'Berlin'."),
        ({"DATA_DIR": "/etc/hostname"}, "DATA_DIR cannot be used: Not a directory: /etc/hostname"),
        (
            {"DATA_DIR": "/etc/hostname", "SECRET_KEY": "k" * 60},
            "DATA_DIR cannot be used: File exists: /etc/hostname",
        ),
    ],
)
def test_a_wrong_variable_is_told_in_a_sentence(tmp_path: Path, wrong: dict[str, str], sentence: str) -> None:
    done = run(SERVE, **{"DATA_DIR": str(tmp_path), **wrong})
    assert done.returncode == 2
    assert done.stderr.strip() == f"barpoint: {sentence}"


@pytest.mark.slow
@pytest.mark.parametrize("part", ["web", "worker", "beat"])
def test_a_part_refuses_a_database_that_nobody_has_made(tmp_path: Path, part: str) -> None:
    command = SERVE if part == "web" else CELERY
    done = run([*command, part], DATA_DIR=str(tmp_path), REDIS_URL="redis://127.0.0.1:1/0")
    assert done.returncode == 2
    assert "make migrate" in done.stderr
    assert "DATABASE_URL is not set" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.long
@pytest.mark.parametrize("part", ["worker", "beat"])
def test_a_part_of_its_own_needs_redis(tmp_path: Path, part: str) -> None:
    done = run([*CELERY, part], DATA_DIR=str(tmp_path))
    assert done.returncode == 2
    assert "barpoint: Worker and beat need REDIS_URL" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_queue_that_does_not_exist_is_refused_by_name() -> None:
    from config.celery import app

    with pytest.raises(KeyError, match="slwo"):
        app.amqp.Queues(app.conf.task_queues).select(["clocks", "slwo"])


# The one place


@pytest.fixture
def _own_folder(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path / "var"


@pytest.mark.usefixtures("_own_folder")
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL holds the claim itself")
def test_the_place_can_be_claimed_once_and_again_when_its_holder_is_gone() -> None:
    held = instance_lock.claim()
    with pytest.raises(instance_lock.AlreadyServed):
        instance_lock.claim()
    held.close()
    instance_lock.claim().close()


@pytest.mark.long
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL holds the claim itself")
def test_the_claim_of_a_process_that_is_killed_ends_with_it(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    done = python(
        "import django; django.setup(); import os; from runtime.install import instance_lock; instance_lock.claim(); os.kill(os.getpid(), 9)",
        DATA_DIR=str(tmp_path),
        DJANGO_SETTINGS_MODULE="config.settings",
    )
    assert done.returncode == -9
    instance_lock.claim().close()


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_on_postgresql_the_place_is_claimed_in_the_database() -> None:
    held = instance_lock.claim()
    with pytest.raises(instance_lock.AlreadyServed):
        instance_lock.claim()
    held.close()
    instance_lock.claim().close()


def test_the_claim_in_postgresql_connects_like_all_else(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"service": "club", "sslmode": "verify-full", "sslcert": "/etc/club.crt"}
    database = SimpleNamespace(get_connection_params=lambda: asked, wrap_database_errors=nullcontext())
    monkeypatch.setattr(instance_lock, "connection", database)
    opened: dict[str, Any] = {}

    def connect(**parameters: Any) -> Any:
        opened.update(parameters)
        return SimpleNamespace(execute=lambda *_: SimpleNamespace(fetchone=lambda: (True,)))

    monkeypatch.setattr("psycopg.connect", connect)
    instance_lock._claim_in_postgresql()
    assert opened == {**asked, "autocommit": True}


def test_with_redis_there_may_be_many(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert servers._claim_instance_lock() is None
    assert servers._claim_instance_lock() is None


@pytest.mark.django_db(transaction=True)
def test_one_of_several_web_processes_signs_off_when_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("multiprocessing.parent_process", object)
    monkeypatch.setattr(asgi, "bridge", SimpleNamespace(close=lambda: None))
    monkeypatch.setattr(Relay, "start", lambda _relay: None)
    for name in ("_close_streams_on_signals", "fit_limits"):
        monkeypatch.setattr(asgi, name, lambda: None)
    monkeypatch.setattr(
        servers, "begin_worker", lambda: nodes.record_heartbeat(role="web", now=timezone.now())
    )
    said = []
    asked = iter(["lifespan.startup", "lifespan.shutdown"])

    async def receive() -> Any:
        return {"type": next(asked)}

    async def send(message: Any) -> None:
        said.append(message["type"])

    asyncio.run(asgi._run_lifespan(receive, send))
    assert said == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
    assert not Node.objects.exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_comes_before_the_server_handles_it_ends_it(
    number: int, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PORT = 0
    leaves = []

    def start(server: uvicorn.Server, sockets: list[socket.socket]) -> None:
        signal.raise_signal(number)
        leaves.append(server.should_exit)
        sockets[0].close()

    monkeypatch.setattr(uvicorn.Server, "run", start)
    handlers = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        front.run(when_open=lambda: None)
    finally:
        for each, handler in handlers.items():
            signal.signal(each, handler)
    assert leaves == [True]
