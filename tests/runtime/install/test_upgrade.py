"""The upgrade drill: a database of the release before, with a club in it, comes up on the present code, with and without services."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.runtime.premises import premises_apart
from tests.runtime.support import ROOT, answers, clean_environment, get, until
from tests.services import free_port

if TYPE_CHECKING:
    from pytest_django import DjangoDbBlocker

pytestmark = [pytest.mark.installation, pytest.mark.slow]


def git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def release_before() -> str:
    """Return the last release if there are migrations since, else the state of main before the latest migration came."""
    migrations = "*/migrations/0*.py"
    tagged = git("describe", "--tags", "--match", "v[0-9]*", "--abbrev=0", "HEAD^")
    if tagged and git("diff", "--name-only", "--diff-filter=A", tagged, "HEAD", "--", migrations):
        return tagged
    latest = git("log", "-1", "--first-parent", "--format=%H", "--diff-filter=A", "--", migrations)
    return f"{latest}^" if latest else ""


def unpacked(commit: str, folder: Path) -> Path:
    """Lay out the code of a commit."""
    folder.mkdir()
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, check=True)
    return folder


def manage(code: Path, env: dict[str, str], *words: str) -> str:
    command = [sys.executable, "manage.py", *words]
    done = subprocess.run(command, cwd=code, env=env, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


def bring_up_a_year(folder: Path, env: dict[str, str]) -> bool:
    """Fill the database of *env* with the demo's year of play by the release before, and say whether it has to be changed.

    It has not where the first release's migrations only replace those that made it.
    """
    before = release_before()
    if not before:
        pytest.skip("no history of releases here")
    old = unpacked(before, folder / "old")
    manage(old, env, "migrate", "--verbosity", "0")
    manage(old, env, "demo")
    now, then = (manage(code, env, "showmigrations", "--plan") for code in (ROOT, old))
    assert now != then, "the present code brings no migration: then this shows nothing"
    return "[ ]" in now


def test_a_club_of_the_release_before_comes_up(tmp_path: Path) -> None:
    port = free_port()
    env = {**clean_environment(), "DATA_DIR": str(tmp_path / "data"), "PORT": str(port)}
    (tmp_path / "data").mkdir()
    is_changed = bring_up_a_year(tmp_path, env)

    server = subprocess.Popen([sys.executable, "manage.py", "serve"], cwd=ROOT, env=env)
    try:
        until(lambda: answers(port) or server.poll() is not None, within=300)
        status, page, _ = get(port, "/clubs/")
    finally:
        server.terminate()
        server.wait(60)

    assert status == 200
    assert "Harbour" in str(page)
    assert manage(ROOT, env, "showmigrations", "--plan").count("[ ]") == 0
    # Anyone who is brought up to date keeps a copy from before.
    assert is_changed == bool([*(tmp_path / "data" / "backups").glob("before-upgrade-*.sqlite3")])
    manage(ROOT, env, "verify")
    assert os.path.getsize(tmp_path / "data" / "barpoint.sqlite3") > 0


@pytest.mark.services
def test_a_club_with_services_comes_up(
    static_root: Path, tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    """As operations.md says: the database is brought up to date first, then web, worker and beat begin."""
    with django_db_blocker.unblock(), premises_apart("template1", tmp_path, static_root=static_root) as place:
        place.folder.mkdir(exist_ok=True)
        bring_up_a_year(tmp_path, {**place.env, "PYTHONPATH": ""})

        manage(ROOT, place.env, "migrate", "--verbosity", "0")
        place.open("serve", "web")
        parts = [place.start("worker"), place.start("beat")]
        status, page, _ = get(place.port, "/clubs/")
        assert status == 200
        assert "Harbour" in str(page)
        assert all(part.process.poll() is None for part in parts)
        assert manage(ROOT, place.env, "showmigrations", "--plan").count("[ ]") == 0
        manage(ROOT, place.env, "verify")
