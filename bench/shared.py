"""Public pages that many ask for, and pages made for one reader: this checkout against another, in turns.

    python -m bench.shared --also FOLDER [--seconds 3] [--rounds 3]

Both installations stand on copies of one demo club, each one process with its worker; page after page is asked of one and then of
the other by 16 connections. "Many" is a visitor's page as it is; "anew" is the same with a parameter that nobody
knows, so that nothing is kept; "member" is asked by somebody who has signed in. Beside pages a second stands what the
server's processor spent on a page, which a busy machine changes less.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from bench import installations, pages
from bench.live import cpu_seconds

if TYPE_CHECKING:
    from collections.abc import Iterator

# Run inside an installation: a running event, its club, and the session of somebody who directs there.
WHO = """
import json
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db.models import Count
from players.models import User
from tournaments.models import Tournament
event = Tournament.objects.filter(status="RUNNING", stages__isnull=False).annotate(n=Count("entries")).order_by("-n").first()
user = User.objects.filter(player__memberships__club=event.club, player__memberships__role="member").first()
session = SessionStore()
session[SESSION_KEY], session[HASH_SESSION_KEY] = str(user.pk), user.get_session_auth_hash()
session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
session.save()
print("FOUND " + json.dumps([event.key, event.club.slug, session.session_key]))
"""


@dataclass(slots=True)
class Found:
    """What one page came to, round by round."""

    rates: list[float] = field(default_factory=list)
    p99: list[float] = field(default_factory=list)
    computing: list[float] = field(default_factory=list)


def main() -> None:
    """Ask for everything in turns, and print it side by side."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--also", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    with (
        installations.with_demo({"DATABASE_URL": "", "REDIS_URL": ""}) as env,
        contextlib.ExitStack() as stack,
    ):
        event, club, session = who(env)
        asked = {
            "event": f"/events/{event}/",
            "bracket": f"/events/{event}/bracket/",
            "standings": f"/events/{event}/standings/",
            "club": f"/clubs/{club}/",
            "club's events": f"/clubs/{club}/events/",
            "calendar": "/events/",
            "front page": "/",
            "clubs": "/clubs/",
        }
        urls = [stack.enter_context(started(folder, env)) for folder in (args.also, installations.ROOT)]
        found: dict[tuple[str, str, int], Found] = {}
        for _ in range(args.rounds):
            for name, address in asked.items():
                for how in ("many", "anew", "member"):
                    for number, url in enumerate(urls):
                        one = found.setdefault((name, how, number), Found())
                        ask(one, url, address, how, session, args.seconds)
    show(found, list(asked), args)


def who(env: dict[str, str]) -> tuple[str, str, str]:
    """Return the event and the club to look at, and a member's session."""
    command = [sys.executable, "manage.py", "shell", "-v", "0", "-c", WHO]
    text = subprocess.run(
        command, cwd=installations.ROOT, env=env, check=True, capture_output=True, text=True
    ).stdout
    line = next(line for line in text.splitlines() if line.startswith("FOUND "))
    event, club, session = json.loads(line.removeprefix("FOUND "))
    return event, club, session


@contextlib.contextmanager
def started(folder: Path, env: dict[str, str]) -> Iterator[str]:
    """Give the address of a checkout's server on a copy of the data."""
    with tempfile.TemporaryDirectory(prefix="barpoint-bench-") as data:
        shutil.copytree(env["DATA_DIR"], data, dirs_exist_ok=True)
        with installations.running(
            installations.EMBEDDED, env, folder=folder, DATA_DIR=data, PYTHONPATH=str(folder)
        ) as url:
            yield url


def ask(one: Found, url: str, address: str, how: str, session: str, seconds: int) -> None:
    """Ask for one page as fast as it comes, after it was asked for a moment."""
    address += "?anew=1" if how == "anew" else ""
    cookie = f"session={session}" if how == "member" else ""
    asyncio_run = "import asyncio; from bench.pages import ask_for; "
    for length in (1, seconds):
        before = cpu_seconds(installations.pid_of(url))
        code = f"{asyncio_run}asyncio.run(ask_for({url + address!r}, {length}, {cookie!r}))"
        text = subprocess.run(
            [sys.executable, "-c", code], cwd=installations.ROOT, capture_output=True, text=True, check=True
        ).stdout
        figures = pages.Figures(*map(float, text.split()))
        after = cpu_seconds(installations.pid_of(url))
    one.rates.append(figures.per_second)
    one.p99.append(figures.p99_ms)
    one.computing.append(1_000 * (after - before) / (figures.per_second * seconds))


def show(found: dict[tuple[str, str, int], Found], names: list[str], args: argparse.Namespace) -> None:
    """Print medians, and how many times as many pages a second this checkout gives."""
    print(f"{args.rounds} rounds of {args.seconds} s, medians; before is {args.also}")
    print(f"{'':24}{'pages/s before, after':>24}{'':>8}{'p99 ms':>16}{'CPU ms a page':>18}{'':>8}")
    for how in ("many", "anew", "member"):
        for name in names:
            before, after = (found[name, how, number] for number in (0, 1))
            rates, p99, computing = (
                [statistics.median(getattr(one, what)) for one in (before, after)]
                for what in ("rates", "p99", "computing")
            )
            print(
                f"{how + ': ' + name:24}{rates[0]:12.0f}{rates[1]:12.0f}{rates[1] / rates[0]:7.1f}x"
                f"{p99[0]:8.0f}{p99[1]:8.0f}{computing[0]:9.2f}{computing[1]:9.2f}{computing[0] / computing[1]:7.1f}x"
            )


if __name__ == "__main__":
    main()
