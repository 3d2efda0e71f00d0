"""A stranger with a script: an account, a club and their own events, made through the product's pages and
API."""

from __future__ import annotations

import http.client
import json
import re
import uuid
from http.cookies import SimpleCookie
from typing import Any, Final
from urllib.parse import urlencode

ADDRESS: Final = "127.0.0.1"
# No single answer is waited for longer.
PATIENCE: Final = 45.0
TOKEN: Final = re.compile(r"bp_[A-Za-z0-9_-]+")
PASSWORD: Final = "quiet green horses walk far"
FORM: Final = "application/x-www-form-urlencoded"
# The product compares the form's token with that of the cookie; any text of this length is one.
CSRF: Final = "c" * 32

Answer = tuple[int, bytes]


class Client:
    """A browser without a screen: one connection for each request, and cookies."""

    def __init__(self, port: int, *, source: str = ADDRESS) -> None:
        self.port, self.source = port, source
        self.cookies: dict[str, str] = {"csrf": CSRF}
        self.token = ""
        self.location = ""
        self.email = ""

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """Send a request; return the status (0 if the connection was closed without an answer) and the body."""
        line = http.client.HTTPConnection(
            ADDRESS, self.port, timeout=PATIENCE, source_address=(self.source, 0)
        )
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        more = {"Authorization": f"Bearer {self.token}"} if self.token and path.startswith("/api/") else {}
        try:
            line.request(method, path, body, {"Cookie": cookies, **more, **(headers or {})})
            answer = line.getresponse()
            self.location = answer.headers.get("Location", "")
            for each in answer.headers.get_all("Set-Cookie") or ():
                self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(each).items()}
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            return 0, b""
        finally:
            line.close()

    def get(self, path: str) -> Answer:
        return self.request("GET", path)

    def post_form(self, path: str, **fields: Any) -> Answer:
        text = urlencode({"csrfmiddlewaretoken": self.cookies["csrf"], **fields}, doseq=True)
        return self.request("POST", path, text.encode(), {"Content-Type": FORM})

    def post_files(self, path: str, field: str, files: list[tuple[str, bytes]], **fields: str) -> Answer:
        """Send files as a page's form does."""
        edge = uuid.uuid4().hex
        parts = [
            f'Content-Disposition: form-data; name="{name}"\r\n\r\n{value}'.encode()
            for name, value in {"csrfmiddlewaretoken": self.cookies["csrf"], **fields}.items()
        ]
        parts += [
            f'Content-Disposition: form-data; name="{field}"; filename="{name}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n".encode()
            + data
            for name, data in files
        ]
        opening = f"--{edge}\r\n".encode()
        body = b"".join(opening + part + b"\r\n" for part in parts) + f"--{edge}--\r\n".encode()
        return self.request("POST", path, body, {"Content-Type": f"multipart/form-data; boundary={edge}"})

    def call(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Call the API; return the status and what was answered."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": uuid.uuid4().hex}
        data = None if body is None else json.dumps(body).encode()
        status, answered = self.request(method, f"/api/v1/{path}", data, headers)
        try:
            return status, json.loads(answered)
        except ValueError:
            return status, answered.decode(errors="replace")

    def act(self, event: str, name: str, **fields: Any) -> tuple[int, Any]:
        return self.call("POST", f"events/{event}/acts/", {"act": name, **fields})

    # Set-up


class NotSetUp(Exception):
    """The product did not let a stranger come as far as the attack begins."""


def sign_up(port: int, *, source: str = ADDRESS) -> Client:
    """Return a client with a new account and an API token of it."""
    client = Client(port, source=source)
    client.email = f"{uuid.uuid4().hex[:10]}@example.org"
    status, _ = client.post_form(
        "/accounts/signup/", name="Sam Stranger", email=client.email, password1=PASSWORD
    )
    expect(status == 302, "sign up", status)
    client.post_form("/accounts/reauthenticate/", password=PASSWORD, next="/settings/tokens/")
    status, page = client.post_form("/settings/tokens/", name="script", scope="play", days="0")
    found = TOKEN.search(page.decode())
    if found is None:
        raise NotSetUp(f"make a token: {status}")
    client.token = found[0]
    return client


def found_club(client: Client) -> str:
    """Return the slug of a new club."""
    name = f"Club {uuid.uuid4().hex[:8]}"
    status, _ = client.post_form("/clubs/new/", name=name, time_zone="UTC", joining="open")
    expect(status == 302, "found a club", status)
    return client.location.rstrip("/").rpartition("/")[2]


def make_event(client: Client, club: str, stages: list[dict[str, Any]], **more: Any) -> str:
    """Return the key of a new draft."""
    status, said = client.call(
        "POST",
        "events/",
        {
            "club": club,
            "name": "Attack",
            "starts_at": "2030-01-01T19:00:00Z",
            "match_length": 1,
            "plan": {"stages": stages},
            **more,
        },
    )
    expect(status == 201, "make an event", status, said)
    return str(said["key"])


def expect(is_so: bool, what: str, *said: Any) -> None:
    if not is_so:
        raise NotSetUp(f"{what}: {said!r}"[:500])
