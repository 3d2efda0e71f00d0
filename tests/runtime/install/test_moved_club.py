"""A demonstration club is moved to PostgreSQL, and its evening goes on there."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore

from matches.models import Match
from players.accounts import tokens
from players.models import Scope, User
from runtime.models import Outage
from tests.runtime.install.test_database_move import at, embedded, move, process, served, target
from tests.runtime.premises import Program
from tests.runtime.support import ROOT, answers, end, get, until
from tests.services import free_port
from tests.world import World
from tournaments import demo
from tournaments.models import Pairing

pytestmark = [pytest.mark.slow, pytest.mark.services, pytest.mark.installation]
__all__ = ["target"]


def signed_in(user: User) -> str:
    """The cookie of a user who signed in before the move."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return f"session={session.session_key}"


class Caller:
    """A person with a token."""

    def __init__(self, port: int, token: str) -> None:
        self.port, self.token = port, token

    def post(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        head = {"Authorization": f"Bearer {self.token}", "Content_Type": "application/json"}
        said = json.dumps(body).encode()
        status, told, _ = get(
            self.port, f"/api/v1/{path}", method="POST", body=said, Idempotency_Key="a-key-of-ours-1", **head
        )
        return status, json.loads(told)


def test_the_evening_goes_on_after_the_move(
    migrated_file: Path, static_root: Path, tmp_path: Path, target: str, django_db_blocker: Any
) -> None:
    from tests.runtime.premises import copy_of

    now = datetime.now(UTC) - timedelta(minutes=1)
    folder = copy_of(migrated_file, tmp_path / "var")
    with at(embedded(folder), django_db_blocker):
        world = World(now)
        demo.build_demo(now=now, nights=2, opens=1, formats=1, is_forced=True)
        owner, director = world.users["owner"], world.users["director"]
        assert owner is not None
        assert director is not None
        cookie = signed_in(owner)
        mine = tokens.create(user=owner, name="desk", scope=Scope.PLAY, now=now)
        playing = tokens.create(user=director, name="bot", scope=Scope.PLAY, now=now)
        match, head = world.private.key, world.private.head
        event = world.events["running"]
        open_key = Pairing.objects.filter(tournament=event, key="main/1.2").get().key
        from runtime import nodes

        nodes.deregister(now=now)

    done = move(folder, target)
    assert done.returncode == 0, done.stderr

    port = free_port()
    env = process(
        tmp_path / "elsewhere",
        DATABASE_URL=target,
        SECRET_KEY=settings.SECRET_KEY,
        STATIC_ROOT=str(static_root),
        PORT=str(port),
        LOG_LEVEL="WARNING",
    )["env"]
    server = Program([sys.executable, "manage.py", "serve"], env)
    try:
        until(lambda: answers(port) or server.process.poll() is not None)
        assert server.process.poll() is None, server.text
        status, page, _ = get(port, f"/clubs/{world.club.slug}/", Cookie=cookie)
        assert status == 200
        assert b"Owner" in page, "signed in, with the session from before"
        desk, player = Caller(port, mine), Caller(port, playing)
        status, told = desk.post(
            f"events/{event.key}/acts/", {"act": "result", "key": open_key, "score": [5, 2]}
        )
        assert status in {200, 201}, json.dumps(told)
        status, told = player.post(
            f"matches/{match}/commands/", {"after": head, "command": {"type": "resign", "level": "match"}}
        )
        assert status in {200, 201}, json.dumps(told)
        bot = [sys.executable, "examples/bot.py", f"http://localhost:{port}", playing, "1"]
        played = subprocess.run(bot, cwd=ROOT, capture_output=True, text=True, timeout=300)
        assert played.returncode == 0, played.stdout + played.stderr
    finally:
        end(server.process)
    assert "Traceback" not in server.text
    with at(served(target), django_db_blocker):
        assert Match.objects.get(key=match).status == "finished"
        assert Pairing.objects.get(tournament=event, key=open_key).score_a == 5
        assert Match.objects.filter(white__bot__isnull=False, status="finished").exists() or (
            Match.objects.filter(black__bot__isnull=False, status="finished").exists()
        )
        assert Outage.objects.filter(role="web").exists(), "no clock ran while the club moved"
    verified = subprocess.run(
        [sys.executable, "manage.py", "verify"],
        **process(tmp_path / "elsewhere", DATABASE_URL=target, SECRET_KEY=settings.SECRET_KEY),
        capture_output=True,
    )
    assert verified.returncode == 0, verified.stdout
