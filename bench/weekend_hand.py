"""A browser or a program in `bench.weekend`, and the journal of what it was answered."""

from __future__ import annotations

import http.client
import itertools
import json
import random
import threading
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode, urlsplit

from tests.attack.client import ADDRESS, CSRF, FORM

# Answers after which the same request is sent again: the server is overloaded, or it did not get that far.
TRY_AGAIN: Final = frozenset({0, 429, 500, 502, 503, 504, 507})
ATTEMPTS: Final = 200
# A server error is always a failure of the run, even if a process was killed.
FAULT: Final = 500
JSON: Final = "application/json"
LONGEST_DELAY: Final = 1.0
# Servers close idle connections; one that was idle for longer than this is reopened, so that no answer is
# lost.
LONGEST_IDLE: Final = 3.0


class Body(NamedTuple):
    """The body of a request."""

    kind: str
    data: bytes


class Answer(NamedTuple):
    """Status (0 without an answer), body, and where a redirect leads."""

    status: int
    text: bytes = b""
    location: str = ""


@dataclass
class Journal:
    """The requests of a run and their answers, recorded outside the product."""

    # By kind of request: seconds of each that was answered.
    times: dict[str, list[float]] = field(default_factory=dict)
    # By kind and status or code of a refusal.
    refusals: Counter[str] = field(default_factory=Counter)
    # Answers that are no refusal and no success.
    errors: list[str] = field(default_factory=list)
    # Acknowledged acts in the order of their answers: event, body, what was answered.
    acts: list[tuple[str, dict[str, Any], dict[str, Any]]] = field(default_factory=list)
    # Acknowledged lines of the ledger of each event.
    money: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    # By event: forms without a key that had to be sent again, and may have been carried out the first time.
    unsure: Counter[str] = field(default_factory=Counter)
    # Requests that had to be sent again under their key.
    repeated: int = 0
    # What a bad network did to requests, by kind.
    network: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, kind: str, seconds: float) -> None:
        with self.lock:
            self.times.setdefault(kind, []).append(seconds)

    def note_act(self, event: str, body: dict[str, Any], answer: dict[str, Any]) -> None:
        with self.lock:
            self.acts.append((event, body, answer))

    def note_refusal(self, what: str) -> None:
        with self.lock:
            self.refusals[what] += 1

    def note_error(self, sentence: str) -> None:
        with self.lock:
            self.errors.append(sentence)


class BadNetwork:
    """A connection on which acts arrive late or twice, and answers are lost."""

    def __init__(self, chance: random.Random, share: float) -> None:
        self._chance = chance
        self._share = share

    def happens(self) -> bool:
        return self._chance.random() < self._share

    def delay(self) -> float:
        return self._chance.uniform(0.0, LONGEST_DELAY)


class Hand:
    """The client of one user, a browser or a program: one connection, which is reopened when it breaks."""

    def __init__(
        self,
        url: str,
        journal: Journal,
        token: str = "",
        *,
        source: str = ADDRESS,
        network: BadNetwork | None = None,
    ) -> None:
        """Call *url* from the address *source*. The server limits each network separately."""
        parts = urlsplit(url)
        self.url = url
        self.source = source
        self._address = (parts.hostname or "", parts.port or 80)
        self._connection: http.client.HTTPConnection | None = None
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._network = network
        self.journal = journal
        self.cookies: dict[str, str] = {}
        self._used_at = 0.0
        # True if the last request had to be sent again.
        self.was_repeated = False
        # ETags of the cached pages, for conditional requests.
        self._tags: dict[str, str] = {}

    # Requests that are sent until they are answered

    def read(self, kind: str, path: str, *, anew: bool = False) -> bytes:
        """Read a page or an answer of the API; b"" for a copy that is still right."""
        if anew:
            self._tags.pop(path, None)
        answer = self._ask(kind, "GET", path)
        if answer.status not in {200, 304} and answer.status not in TRY_AGAIN:
            self.journal.note_error(f"{kind} {path} answered {answer.status}: {answer.text[:160]!r}")
        return answer.text

    def list(self, path: str) -> list[Any]:
        """Return all rows of a list of the API."""
        found: list[Any] = []
        for page in itertools.count(1):
            link = f"/api/v1/{path}{'&' if '?' in path else '?'}page={page}&page_size=200"
            answer = json.loads(self.read("API list", link, anew=True))
            found += answer["results"]
            if answer["next"] is None:
                break
        return found

    def call(self, kind: str, method: str, path: str, fields: Any = None) -> tuple[int, Any]:
        """Change something by the API, once however often it is sent; return the status and the answer."""
        body = None if fields is None else Body(JSON, json.dumps(fields).encode())
        key = uuid.uuid4().hex
        answer = self._ask(kind, method, f"/api/v1/{path}", body, key)
        is_done = 200 <= answer.status < 300
        if is_done and self._network is not None and self._network.happens():
            self._send_twice(kind, method, f"/api/v1/{path}", body, key, answer)
        told = json.loads(answer.text) if answer.text else {}
        if not is_done and 400 <= answer.status < 500:
            self.journal.note_refusal(f"{kind} {told.get('code', answer.status)}")
        elif not is_done and answer.status not in TRY_AGAIN:
            self.journal.note_error(f"{kind} answered {answer.status}: {answer.text[:160]!r}")
        return answer.status, told

    def act(self, event: str, name: str, **fields: Any) -> dict[str, Any] | None:
        """Carry out an act; return the answer, or None if it was refused."""
        body = {"act": name, **fields}
        status, answer = self.call(f"act {name}", "POST", f"events/{event}/acts/", body)
        if status != 200:
            return None
        self.journal.note_act(event, body, answer)
        return dict(answer)

    def post_form(self, kind: str, path: str, **fields: Any) -> Answer:
        """Send a form of a page; redirects are not followed."""
        self.cookies["csrf"] = CSRF
        data = urlencode({"csrfmiddlewaretoken": CSRF, **fields}).encode()
        return self._ask(kind, "POST", path, Body(FORM, data))

    def upload(self, kind: str, path: str, file: tuple[str, bytes], **fields: str) -> Answer:
        """Send a file with fields, as a form does."""
        edge = uuid.uuid4().hex
        parts = [
            f'--{edge}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
            for name, value in fields.items()
        ]
        name, data = file
        head = f'--{edge}\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\n\r\n'.encode()
        body = b"".join([*parts, head, data, f"\r\n--{edge}--\r\n".encode()])
        return self._ask(kind, "POST", path, Body(f"multipart/form-data; boundary={edge}", body))

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    # One request

    def _ask(self, kind: str, method: str, path: str, body: Body | None = None, key: str = "") -> Answer:
        """Send a request until it is answered."""
        for attempt in range(ATTEMPTS):
            if key and self._network is not None and self._network.happens():
                self.journal.network["late"] += 1
                time.sleep(self._network.delay())
            began = time.perf_counter()
            answer = self._send(method, path, body, key)
            self.was_repeated = attempt > 0
            if answer.status not in TRY_AGAIN:
                self.journal.note(kind, time.perf_counter() - began)
                return answer
            self.journal.note_refusal(f"{kind} {answer.status or 'no answer'}")
            if body is not None:
                with self.journal.lock:
                    self.journal.repeated += 1
            if answer.status == FAULT:
                self.journal.note_error(f"{kind} {path} answered {answer.status}")
            time.sleep(min(0.05 * 2 ** min(attempt, 5), 1.0))
        self.journal.note_error(f"{kind} {path} has no answer")
        return Answer(0)

    def _send(self, method: str, path: str, body: Body | None, key: str) -> Answer:
        if time.monotonic() - self._used_at > LONGEST_IDLE:
            self.close()
        try:
            if self._connection is None:
                self._connection = http.client.HTTPConnection(
                    *self._address, timeout=30, source_address=(self.source, 0)
                )
            headers = self._build_headers(method, path, body, key)
            self._connection.request(method, path, body and body.data, headers)
            if key and self._network is not None and self._network.happens():
                self.journal.network["answer lost"] += 1
                self.close()
                return Answer(0)
            answer = self._connection.getresponse()
            text = answer.read()
            self._used_at = time.monotonic()
        except (OSError, http.client.HTTPException):
            self.close()
            return Answer(0)
        if method == "GET" and (tag := answer.headers.get("ETag")):
            self._tags[path] = tag
        for line in answer.headers.get_all("Set-Cookie") or ():
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
        return Answer(answer.status, text, answer.headers.get("Location", ""))

    def _build_headers(self, method: str, path: str, body: Body | None, key: str) -> dict[str, str]:
        headers = dict(self._headers)
        if body is not None:
            headers["Content-Type"] = body.kind
        if key:
            headers["Idempotency-Key"] = key
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if method == "GET" and path in self._tags:
            headers["If-None-Match"] = self._tags[path]
        return headers

    def _send_twice(
        self, kind: str, method: str, path: str, body: Body | None, key: str, first: Answer
    ) -> None:
        """Send an acknowledged request again: the answer has to be the same."""
        self.journal.network["twice"] += 1
        second = self._send(method, path, body, key)
        if second.status not in TRY_AGAIN and (second.status, second.text) != (first.status, first.text):
            self.journal.note_error(f"{kind} {path}: sent again it was answered {second.status} otherwise")
