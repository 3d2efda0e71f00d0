"""Thirty phones at the door within a minute: python -m bench.check_in [--phones 30] [--seconds 60]

A club night whose players have entered already. At times drawn over the minute each of them opens the event on the phone, with
the files that a first visit needs, follows its news, checks in, and reads the page that comes back; with every news
that is heard the phone reads the event again, as the page does. A director has the roster open and does the same. Printed is what a
phone waits: from sending the check-in until the page behind it is there. The clients share the cores with the server.
"""

from __future__ import annotations

import argparse
import html
import http.client
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from bench import installations
from bench.live import cpu_seconds

# Run inside an empty installation: an evening that is announced, its players and their sessions.
SETTING = """
import json, sys
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone
from players.accounts import accounts
from players.clubs import clubs
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.play import entering
from tournaments.base.settings import Settings
def session_of(user):
    session = SessionStore()
    session[SESSION_KEY], session[HASH_SESSION_KEY] = str(user.pk), user.get_session_auth_hash()
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session.save()
    return session.session_key
now = timezone.now()
desk = Desk(now)
event = desk.announce(a_plan("progressive-consolation", settings=Settings(needs_check_in=True)))
sessions = []
for number in range(int(sys.argv[1])):
    user = accounts.register(email=f"player{number}@example.org", password=None, name=f"Player {number}", now=now)
    clubs.join(club=desk.club, player=user.player, now=now)
    entering.enter(tournament_id=event.pk, user=user, now=now)
    sessions.append(session_of(user))
print("FOUND " + json.dumps([event.key, session_of(desk.director), sessions]))
"""

CSRF = "b" * 32
RESTS = 20.0
FILES = re.compile(r'(?:href|src)="(/static/[^"]+)"')


@dataclass(slots=True)
class Night:
    """What all phones saw."""

    url: str
    event: str
    waits: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    heard: int = 0
    wrong: list[str] = field(default_factory=list)
    is_over: threading.Event = field(default_factory=threading.Event)


class Phone:
    """A browser of one person: a connection for pages, and one that listens."""

    def __init__(self, night: Night, session: str) -> None:
        self.night, self.place = night, urlsplit(night.url).netloc
        self.headers = {
            "Cookie": f"session={session}; csrf={CSRF}",
            "Accept-Encoding": "gzip",
            "Referer": night.url,
        }
        self.line = http.client.HTTPConnection(self.place, timeout=30)
        self.turn = threading.Lock()
        self.asked_at = time.monotonic()

    def ask(self, path: str, form: str | None = None, *, is_part: bool = False) -> tuple[int, str, bytes]:
        """Send a request, or ask as a page does for what has changed; return the status, where it leads, and the body."""
        headers = self.headers | ({"Content-Type": "application/x-www-form-urlencoded"} if form else {})
        headers |= {"HX-Request": "true"} if is_part else {}
        with self.turn:
            # The server closes a connection that has rested for half a minute.
            if time.monotonic() - self.asked_at > RESTS:
                self.line.close()
            self.asked_at = time.monotonic()
            self.line.request("POST" if form else "GET", path, form, headers)
            answer = self.line.getresponse()
            return answer.status, answer.headers.get("Location", ""), answer.read()

    def open(self, path: str) -> str:
        """Open a page for the first time, with its files; return its text."""
        del self.headers["Accept-Encoding"]
        text = self.ask(path)[2].decode()
        self.headers["Accept-Encoding"] = "gzip"
        for file in sorted(set(FILES.findall(text))):
            self.ask(file)
        return text

    def follow(self, text: str, path: str) -> None:
        """Read *path* again with each news, until the night is over."""
        found = re.search(r'name="live" content="([^"]+)"', text)
        if found is None:
            self.night.wrong.append("a page without a stream")
            return
        token = html.unescape(found.group(1))
        threading.Thread(target=self._listen, args=(token, path), daemon=True).start()

    def _listen(self, token: str, path: str) -> None:
        line = http.client.HTTPConnection(self.place, timeout=120)
        line.request("GET", f"/live/?t={token}", headers=self.headers)
        answer = line.getresponse()
        while not self.night.is_over.is_set():
            text = answer.readline()
            if not text:
                return
            if text.startswith(b"data: ") and b'"seq"' in text:
                self.night.heard += 1
                began = time.perf_counter()
                self.ask(path, is_part=True)
                self.night.pages.append(time.perf_counter() - began)


def check_in(night: Night, session: str, at: float) -> None:
    """Come at a time, open the event, and check in."""
    time.sleep(at)
    phone, page = Phone(night, session), f"/events/{night.event}/"
    text = phone.open(page)
    phone.follow(text, page)
    began = time.perf_counter()
    status, where, body = phone.ask(f"{page}check-in/", f"csrfmiddlewaretoken={CSRF}")
    if status == 302:
        status, _, body = phone.ask(where)
    night.waits.append(time.perf_counter() - began)
    if status != 200 or not body:
        night.wrong.append(f"{status}")


def main() -> None:
    """Let them come, and print what they waited."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phones", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=60)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="barpoint-bench-") as folder:
        env = {
            **os.environ,
            "DATA_DIR": folder,
            "DATABASE_URL": "",
            "REDIS_URL": "",
            "LOG_LEVEL": "WARNING",
            # All phones come from this machine.
            "CONNECTIONS_PER_ADDRESS": "1000",
            "STREAMS_PER_ADDRESS": "1000",
        }
        manage = [sys.executable, "manage.py"]
        subprocess.run([*manage, "migrate", "--verbosity", "0"], cwd=installations.ROOT, env=env, check=True)
        code = f"import sys; sys.argv = ['', '{args.phones}']\n{SETTING}"
        made = subprocess.run(
            [*manage, "shell", "--no-imports", "-c", code],
            cwd=installations.ROOT, env=env, check=True, capture_output=True, text=True,
        ).stdout  # fmt: skip
        event, desk, sessions = json.loads(made.partition("FOUND ")[2])
        with installations.running(installations.EMBEDDED, env) as url:
            come(Night(url, event), desk, sessions, args.seconds)


def come(night: Night, desk: str, sessions: list[str], seconds: float) -> None:
    """Have everybody come, and say what they waited."""
    rng = random.Random("door")
    director, roster = Phone(night, desk), f"/events/{night.event}/roster/"
    director.follow(director.open(roster), roster)
    spent = cpu_seconds(installations.pid_of(night.url))
    coming = [
        threading.Thread(target=check_in, args=(night, session, rng.uniform(0, seconds)))
        for session in sessions
    ]
    for thread in coming:
        thread.start()
    for thread in coming:
        thread.join()
    spent = cpu_seconds(installations.pid_of(night.url)) - spent
    night.is_over.set()
    del director.headers["Accept-Encoding"]
    here = count_here(director, night.event)
    print(f"{len(sessions)} check-ins in {seconds:.0f} s, {night.heard} news heard, {spent:.1f} s of CPU")
    for what, times in (("check-in", night.waits), ("event read again", night.pages)):
        print(f"{what:>18} {said(times)}")
    print(f"{here} are here; wrong: {', '.join(night.wrong) or 'nothing'}")


def count_here(director: Phone, event: str) -> int:
    """Count the entries that are checked in, page by page."""
    here, page = 0, f"/api/v1/events/{event}/entries/?page_size=200"
    while page:
        body = json.loads(director.ask(page)[2])
        here += sum(entry["checked_in"] for entry in body["results"])
        where = urlsplit(body["next"] or "")
        page = f"{where.path}?{where.query}" if where.path else ""
    return here


def said(times: list[float]) -> str:
    """Return the middle, the 95th and the 100th of a hundred times."""
    found = sorted(1000 * one for one in times) or [0.0]
    middle, late = found[len(found) // 2], found[min(len(found) - 1, len(found) * 95 // 100)]
    return f"median {middle:.0f} ms, p95 {late:.0f} ms, slowest {found[-1]:.0f} ms"


if __name__ == "__main__":
    main()
