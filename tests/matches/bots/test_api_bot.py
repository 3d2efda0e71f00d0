"""The example client of the documentation plays whole matches against the server's bot over HTTP.

The journal is checked by the server's verifier, the dice by the engine's, the record by the adjudicator and,
where it is installed, by GNU Backgammon.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.runtime.conftest import apart, migrated_file, premises, static_root  # noqa: F401
from tests.runtime.premises import Premises
from tests.runtime.support import ROOT, get

GNUBG = shutil.which("gnubg") or shutil.which("/usr/games/gnubg")
# The proof of the issue: BOT_MATCHES=50 pytest -m slow tests/matches/bots/test_api_bot.py
MATCHES = int(os.environ.get("BOT_MATCHES", "3"))

NEWCOMER = """
from django.utils import timezone
from players.models import Scope
from players.accounts import accounts, tokens
now = timezone.now()
user = accounts.register(email="bot@example.org", password="three old pennies", name="Example bot", now=now)
print(tokens.create(user=user, name="An example", scope=Scope.PLAY, now=now))
"""


@pytest.fixture
def token(premises: Premises) -> str:  # noqa: F811
    """A server that runs, and the token of a person new in it."""
    premises.open("serve")
    done = premises.run("shell", "-c", NEWCOMER)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()[-1]


def engine(*arguments: str | Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "engine", *map(str, arguments)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def play(premises: Premises, token: str, length: int) -> tuple[str, int, int]:  # noqa: F811
    """Play one match with the example client; the result is its key and the score."""
    server = f"http://127.0.0.1:{premises.port}"
    command = [sys.executable, str(ROOT / "examples" / "bot.py"), server, token, str(length)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    key, white, black, winner, _how = done.stdout.split()
    assert max(int(white), int(black)) >= length
    assert (int(white) > int(black)) is (winner == "white")
    return key, int(white), int(black)


def judge(premises: Premises, folder: Path, key: str, score: tuple[int, int]) -> None:  # noqa: F811
    """Download the match and check it with programs that have not seen it played."""
    files = {}
    for name in ("record.mat", "dice.json", "journal.json", "record.sgf", "record.json"):
        status, body, _ = get(premises.port, f"/api/v1/matches/{key}/{name}")
        assert status == 200
        files[name] = folder / f"{key}.{name}"
        files[name].write_bytes(body)
    for name in ("record.mat", "record.sgf", "record.json"):
        verdict = engine("adjudicate", files[name])
        assert "accepted" in verdict or "noted" in verdict, verdict
        told = re.search(r" (\d+), .* (\d+), match to", verdict)
        assert told is not None, verdict
        assert (int(told[1]), int(told[2])) == score
    assert "Every roll holds" in engine("verify-dice", files["dice.json"], "--record", files["record.mat"])
    engine_free = [sys.executable, str(ROOT / "examples" / "verify_journal.py"), str(files["journal.json"])]
    assert subprocess.run(engine_free, capture_output=True, check=False).returncode == 0
    if GNUBG:
        assert by_gnubg(files["record.mat"]) == score


def by_gnubg(file: Path) -> tuple[int, int]:
    """Return the score as GNU Backgammon reads it."""
    orders = file.with_suffix(".txt")
    orders.write_text(f"set sound enable no\nimport mat {file}\nshow score\n")
    done = subprocess.run(
        [str(GNUBG), "-t", "-q", "-r", "-c", str(orders)],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    told = re.findall(r"The score \(after \d+ games?\) is: .*? (\d+), .*? (\d+) \(match to", done.stdout)
    assert told, done.stdout[-2000:]
    return int(told[-1][0]), int(told[-1][1])


def prove(premises: Premises, token: str, folder: Path, *, matches: int, length: int) -> None:  # noqa: F811
    for _ in range(matches):
        key, *score = play(premises, token, length)
        judge(premises, folder, key, (score[0], score[1]))
    done = premises.run("verify_journals")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_the_example_plays_a_match(premises: Premises, token: str, tmp_path: Path) -> None:  # noqa: F811
    prove(premises, token, tmp_path, matches=1, length=3)


@pytest.mark.slow
def test_the_example_plays_many_matches(premises: Premises, token: str, tmp_path: Path) -> None:  # noqa: F811
    prove(premises, token, tmp_path, matches=MATCHES, length=5)


def test_the_documentation_shows_the_example() -> None:
    text = (ROOT / "docs" / "bot.md").read_text()
    for name in ("bot.py", "verify_journal.py"):
        shown = re.search(rf"<!-- examples/{name} -->\n```python\n(.*?)```\n", text, re.DOTALL)
        assert shown[1] == (ROOT / "examples" / name).read_text(), f"copy examples/{name} into docs/bot.md"


def test_the_example_needs_nothing_but_python() -> None:
    text = (ROOT / "examples" / "bot.py").read_text()
    modules = re.findall(r"^(?:import|from) (\w+)", text, re.M)
    assert set(modules) <= sys.stdlib_module_names
    assert len([line for line in text.splitlines() if line.strip()]) <= 80
