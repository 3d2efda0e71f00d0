"""The people of `bench.weekend`: directors, spectators, watchers and players, who know nothing but what HTTP tells them.

python -m bench.weekend_people watch URL FILE    opens the streams that FILE lists until a line on stdin, writes FILE.heard
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import itertools
import json
import re
import sys
import threading
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlsplit

if TYPE_CHECKING:
    import random

LIVE: Final = re.compile(rb'<meta name="live" content="([^"]+)">')
PAGES: Final = ("", "bracket/", "standings/", "players/", "schedule/")
# Answers after which the same request is sent again: the server is overloaded, or it did not get that far.
TRY_AGAIN: Final = frozenset({0, 429, 500, 502, 503, 504})
ATTEMPTS: Final = 200
# Never right, whatever has been killed.
FAULT: Final = 500


@dataclass
class Journal:
    """What was asked and answered, written outside of the product."""

    # By kind of request: seconds of each that was answered.
    times: dict[str, list[float]] = field(default_factory=dict)
    # By kind and status or code of a refusal.
    refusals: Counter[str] = field(default_factory=Counter)
    # Answers that are no refusal and no success.
    errors: list[str] = field(default_factory=list)
    # Acknowledged acts in the order of their answers: event, body, what was answered.
    acts: list[tuple[str, dict[str, Any], dict[str, Any]]] = field(default_factory=list)
    # Requests that had to be sent again under their key.
    repeated: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, kind: str, seconds: float) -> None:
        with self.lock:
            self.times.setdefault(kind, []).append(seconds)


class Hand:
    """Somebody's browser or program: one connection, which is opened again when it breaks."""

    def __init__(self, url: str, journal: Journal, token: str = "", name: str = "") -> None:
        parts = urlsplit(url)
        self._address = (parts.hostname or "", parts.port or 80)
        self._line: http.client.HTTPConnection | None = None
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.journal = journal
        self.name = name
        # Pages are asked for with the tag of the copy that the browser has.
        self._tags: dict[str, str] = {}

    def send(self, method: str, path: str, body: Any = None, key: str = "") -> tuple[int, bytes, Any]:
        """Send a request once; return the status (0 without an answer), the body and the headers."""
        headers = dict(self._headers)
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            headers |= {"Content-Type": "application/json", "Idempotency-Key": key}
        if tag := self._tags.get(path):
            headers["If-None-Match"] = tag
        try:
            if self._line is None:
                self._line = http.client.HTTPConnection(*self._address, timeout=30)
            self._line.request(method, path, data, headers)
            answer = self._line.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException):
            self.close()
            return 0, b"", {}
        if method == "GET" and (tag := answer.headers.get("ETag")):
            self._tags[path] = tag
        return answer.status, text, answer.headers

    def read(self, kind: str, path: str) -> bytes:
        """Read a page or an answer of the API as often as it takes; b"" for a copy that is still right."""
        for attempt in range(ATTEMPTS):
            began = time.perf_counter()
            status, text, _headers = self.send("GET", path)
            if status in TRY_AGAIN:
                self._wait(kind, status, attempt)
                if status == FAULT:
                    self._note_error(f"{kind} {path} answered {status}")
                continue
            self.journal.note(kind, time.perf_counter() - began)
            if status not in {200, 304}:
                self._note_error(f"{kind} {path} answered {status}: {text[:160]!r}")
            return text
        self._note_error(f"{kind} {path} has no answer")
        return b""

    def act(self, event: str, name: str, **fields: Any) -> dict[str, Any] | None:
        """Ask for an act until it is answered; return the answer, or None if it was refused."""
        body = {"act": name, **fields}
        key = uuid.uuid4().hex
        for attempt in range(ATTEMPTS):
            began = time.perf_counter()
            status, text, _headers = self.send("POST", f"/api/v1/events/{event}/acts/", body, key)
            if status in TRY_AGAIN:
                with self.journal.lock:
                    self.journal.repeated += 1
                self._wait(name, status, attempt)
                if status == FAULT:
                    self._note_error(f"{body} at {event} answered {status}")
                continue
            self.journal.note(f"act {name}", time.perf_counter() - began)
            if status == 200:
                answer: dict[str, Any] = json.loads(text)
                with self.journal.lock:
                    self.journal.acts.append((event, body, answer))
                return answer
            if 400 <= status < 500:
                with self.journal.lock:
                    self.journal.refusals[f"{name} {json.loads(text).get('code', status)}"] += 1
                return None
            self._note_error(f"{name} answered {status}: {text[:160]!r}")
            return None
        self._note_error(f"{name} has no answer")
        return None

    def list(self, path: str) -> list[Any]:
        """Return all rows of a list of the API."""
        found: list[Any] = []
        for page in itertools.count(1):
            self._tags.clear()
            answer = json.loads(
                self.read("API list", f"/api/v1/{path}{'&' if '?' in path else '?'}page={page}&page_size=200")
            )
            found += answer["results"]
            if answer["next"] is None:
                return found
        return found

    def _wait(self, kind: str, status: int, attempt: int) -> None:
        with self.journal.lock:
            self.journal.refusals[f"{kind} {status or 'no answer'}"] += 1
        time.sleep(min(0.05 * 2 ** min(attempt, 5), 1.0))

    def _note_error(self, sentence: str) -> None:
        with self.journal.lock:
            self.journal.errors.append(sentence)

    def close(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None


def direct(hand: Hand, events: list[str], pace: float, over: threading.Event, chance: random.Random) -> None:
    """Enter results of these events by turns, now and then with what goes wrong on a night, until all are over."""
    going = list(events)
    while going and not over.is_set():
        event = chance.choice(going)
        ready = [row for row in hand.list(f"events/{event}/pairings/?state=ready") if row["opened_at"]]
        if not ready:
            if is_over(hand, event):
                going.remove(event)
            else:
                go_on(hand, event)
            continue
        row = chance.choice(ready)
        play(hand, event, row, chance)
        time.sleep(chance.expovariate(1 / pace))


def play(hand: Hand, event: str, row: dict[str, Any], chance: random.Random) -> None:
    """Decide a match as a night does: mostly by its result."""
    length, roll = row["length"], chance.random()
    points = chance.randrange(length)
    score = [length, points] if chance.random() < 0.5 else [points, length]
    loser = chance.choice([row["a"]["entry"], row["b"]["entry"]])
    if roll < 0.06:
        hand.act(event, "call", key=row["key"], table=str(chance.randint(1, 40)))
    elif roll < 0.08:
        hand.act(event, "walkover", key=row["key"], loser=loser)
    elif roll < 0.09:
        hand.act(event, "no-show", key=row["key"], loser=loser)
    elif roll < 0.10:
        hand.act(event, "withdraw", entry=loser, after=False)
    elif hand.act(event, "result", key=row["key"], score=score) and chance.random() < 0.04:
        hand.act(event, "correct", key=row["key"], kind="played", score=score[::-1], reason="misread")


def is_over(hand: Hand, event: str) -> bool:
    return json.loads(hand.read("API event", f"/api/v1/events/{event}/") or b"{}").get("status") == "FINISHED"


def go_on(hand: Hand, event: str) -> None:
    """Give an event what it may wait for: an answer who is level, a drafted round, the draw of the next stage."""
    for stage in (1, 2, 3):
        hand.act(event, "break-ties", stage=stage, playoff=False, reason="by lot")
        hand.act(event, "publish-draw", stage=stage)
    time.sleep(0.5)


def look(
    hand: Hand, events: list[str], clubs: list[str], pace: float, over: threading.Event, chance: random.Random
) -> None:
    """Read pages as spectators do, until it is over."""
    while not over.is_set():
        if chance.random() < 0.8:
            page = chance.choice(PAGES)
            hand.read(f"page {page.strip('/') or 'event'}", f"/events/{chance.choice(events)}/{page}")
        elif chance.random() < 0.7:
            hand.read("page club", f"/clubs/{chance.choice(clubs)}/")
        else:
            hand.read("page home", "/")
        time.sleep(chance.expovariate(1 / pace))


def find_token(url: str, path: str) -> str:
    """Return the token of the stream that a page follows."""
    hand = Hand(url, Journal())
    found = LIVE.search(hand.read("page", path))
    hand.close()
    return unescape(found[1].decode()) if found else ""


class Watchers:
    """Open streams, one for each page that is followed.

    A stream that breaks is opened again after the last number it has heard, as browsers do.
    """

    def __init__(self, url: str, pages: list[str]) -> None:
        self._url = url
        self._pages = pages
        self._opening = asyncio.Semaphore(50)
        self._connected: set[int] = set()
        self._are_open = asyncio.Event()
        self.events = self.broken = 0
        self.gaps: list[str] = []

    async def watch(self) -> None:
        """Follow all pages until there is a line on stdin."""
        tokens = {page: await self._find_token(page) for page in sorted({*self._pages})}
        tasks = [
            asyncio.create_task(self._follow(number, page, tokens[page]))
            for number, page in enumerate(self._pages)
        ]
        if tasks:
            await asyncio.wait_for(self._are_open.wait(), 120)
        print("open", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        for task in tasks:
            task.cancel()

    async def _find_token(self, page: str) -> str:
        return await asyncio.to_thread(find_token, self._url, page)

    async def _follow(self, number: int, page: str, token: str) -> None:
        last: dict[str, int] = {}
        position = ""
        while True:
            with contextlib.suppress(OSError, ValueError):
                # The writer is kept: without it the connection is closed.
                reader, _writer = await self._open(token, position)
                while line := await reader.readline():
                    if line.startswith(b"id: "):
                        position = line[4:].strip().decode()
                    if line.startswith(b"data: "):
                        self._hear(number, json.loads(line[6:]), last)
            self.broken += 1
            await asyncio.sleep(0.5)
            # A token is good for some minutes.
            token = await self._find_token(page) or token

    async def _open(self, token: str, position: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        parts = urlsplit(self._url)
        more = f"Last-Event-ID: {position}\r\n" if position else ""
        async with self._opening:
            reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
            writer.write(
                f"GET /live/?t={quote(token)} HTTP/1.1\r\nHost: {parts.netloc}\r\n{more}\r\n".encode()
            )
        return reader, writer

    def _hear(self, number: int, event: dict[str, Any], last: dict[str, int]) -> None:
        if event.get("name") == "hello":
            self._connected.add(number)
            if len(self._connected) == len(self._pages):
                self._are_open.set()
        elif "seq" in event:
            topic, seq = str(event.get("topic", "")), int(event["seq"])
            if topic in last and seq > last[topic] + 1:
                self.gaps.append(f"{topic}: {seq} after {last[topic]}")
            last[topic] = max(seq, last.get(topic, 0))
            self.events += 1


def main(arguments: list[str]) -> None:
    """Run the watchers in a process of their own."""
    _watch, url, file = arguments
    watchers = Watchers(url, json.loads(Path(file).read_text()))
    asyncio.run(watchers.watch())
    heard = {"gaps": watchers.gaps, "events": watchers.events, "broken": watchers.broken}
    Path(f"{file}.heard").write_text(json.dumps(heard))


if __name__ == "__main__":
    main(sys.argv[1:])
