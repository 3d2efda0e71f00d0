"""Webhooks: signed calls to public addresses, tried again, given up in the end."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from players.accounts import accounts
from players.clubs import clubs, webhooks
from players.errors import BadAddress, TooManyWebhooks
from players.models import Club, User, Webhook
from runtime.http import http_client
from runtime.models import Outbox
from runtime.work import outbox

URL = "https://hooks.example.org/barpoint"


class Listener:
    """A server that records webhook requests and gives the answers that a test sets."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, dict[str, str], bytes]] = []
        self.status, self.slow = 204, 0.0
        listener = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                listener.heard.append((self.path, dict(self.headers), body))
                if listener.slow:
                    self.drip()
                self.send_response(listener.status)
                self.send_header("Location", "http://127.0.0.1/elsewhere")
                self.end_headers()

            def drip(self) -> None:
                """Send the letters of a header one by one, without an end."""
                self.wfile.write(b"HTTP/1.1 200 OK\r\n")
                for _ in range(100):
                    self.wfile.write(b"X-Slow: a\r\n")
                    self.wfile.flush()
                    time.sleep(listener.slow)

            def log_message(self, *_words: Any) -> None:
                """Be quiet."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://listener.test:{self.server.server_port}/told?by=us"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Iterator[Listener]:
    """A server on this machine that is taken for a public one."""
    found = Listener()
    monkeypatch.setattr(http_client, "resolve_address", lambda _host, _port: "127.0.0.1")
    yield found
    found.close()


@pytest.fixture
def owner(db: None, now: datetime) -> User:
    return accounts.register(email="owner@example.org", password=None, name="Olga Owner", now=now)


@pytest.fixture
def club(owner: User, now: datetime) -> Club:
    return clubs.create(owner=owner, name="Lantern Street", now=now)


def queue_call(club: Club, now: datetime, once: str = "1") -> int:
    return webhooks.queue_calls(
        club_id=club.pk, what="event.changed", about={"event": "abc"}, once=once, now=now
    )


def delivered(now: datetime) -> list[bool]:
    return [outbox.deliver(outbox_id=row.pk, now=now) for row in outbox.list_due(now=now)]


class TestCalls:
    @pytest.mark.long
    def test_a_change_is_told_and_signed(
        self, club: Club, owner: User, listener: Listener, now: datetime
    ) -> None:
        hook, _ = webhooks.add(club=club, url=listener.url, by=owner, now=now)
        assert (queue_call(club, now), queue_call(club, now)) == (1, 0)
        assert delivered(now) == [True]
        ((path, headers, body),) = listener.heard
        assert path == "/told?by=us"
        assert json.loads(body) == {"type": "event.changed", "at": now.isoformat(), "event": "abc"}
        stamp, mac = re.fullmatch(r"t=(\d+),v1=([0-9a-f]{64})", headers[webhooks.SIGNATURE]).groups()  # type: ignore[union-attr]
        assert int(stamp) == int(now.timestamp())
        assert mac == hmac.new(hook.secret.encode(), f"{stamp}.".encode() + body, hashlib.sha256).hexdigest()
        hook.refresh_from_db()
        assert (hook.called_at, hook.last_error) == (now, "")

    @pytest.mark.long
    def test_the_recipe_of_the_docs_verifies_it(
        self, club: Club, owner: User, listener: Listener, now: datetime, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        recipe: dict[str, Any] = {}
        page = (Path(__file__).parents[3] / "docs/webhooks.md").read_text()
        exec(page.partition("```python\n")[2].partition("```")[0], recipe)
        monkeypatch.setattr(time, "time", lambda: now.timestamp() + 60)
        hook, _ = webhooks.add(club=club, url=listener.url, by=owner, now=now)
        queue_call(club, now)
        delivered(now)
        ((_path, headers, body),) = listener.heard
        assert recipe["is_ours"](hook.secret, headers[webhooks.SIGNATURE], body)
        assert not recipe["is_ours"](hook.secret, headers[webhooks.SIGNATURE], body + b" ")
        assert not recipe["is_ours"]("another", headers[webhooks.SIGNATURE], body)
        monkeypatch.setattr(time, "time", lambda: now.timestamp() + 600)
        assert not recipe["is_ours"](hook.secret, headers[webhooks.SIGNATURE], body)

    @pytest.mark.long
    @pytest.mark.parametrize("status", [302, 404, 500])
    def test_any_other_answer_is_tried_again(
        self, club: Club, owner: User, listener: Listener, now: datetime, status: int
    ) -> None:
        hook, _ = webhooks.add(club=club, url=listener.url, by=owner, now=now)
        listener.status = status
        queue_call(club, now)
        assert delivered(now) == [False]
        hook.refresh_from_db()
        assert hook.failing_since == now
        assert str(status) in hook.last_error
        row = Outbox.objects.get(kind=webhooks.KIND)
        assert row.due_at > now
        listener.status = 200
        assert delivered(row.due_at) == [True]
        hook.refresh_from_db()
        assert (hook.last_error, len(listener.heard)) == ("", 2)
        assert Webhook.objects.filter(failing_since=None).exists()

    @pytest.mark.long
    def test_an_address_that_does_not_answer_is_not_called_again_at_each_change(
        self, club: Club, owner: User, listener: Listener, now: datetime
    ) -> None:
        webhooks.add(club=club, url=listener.url, by=owner, now=now)
        listener.status = 500
        called = []
        for second in range(40):
            before, at = len(listener.heard), now + timedelta(seconds=second)
            queue_call(club, at, str(second))
            outbox.drain(queue="default", now=at)
            called += [second] * (len(listener.heard) - before)
        assert called == [0, 2, 4, 8, 16, 32]

        listener.status = 204
        for minutes in range(1, 30):
            outbox.drain(queue="default", now=now + timedelta(minutes=minutes))
        assert {json.loads(body)["at"] for _, _, body in listener.heard} == {
            (now + timedelta(seconds=second)).isoformat() for second in range(40)
        }

    @pytest.mark.long
    def test_who_drips_is_hung_up_on(self, listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(http_client, "SECONDS", 0.5)
        listener.slow = 0.1
        with pytest.raises(http_client.CallError):
            http_client.post(listener.url, b"{}", {})

    @pytest.mark.long
    def test_who_drips_after_a_slow_handshake_is_hung_up_on(
        self, listener: Listener, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Secret(socket.socket):
            def do_handshake(self) -> None:
                time.sleep(0.6)

        class Context:
            def wrap_socket(
                self, plain: socket.socket, *, server_hostname: str, do_handshake_on_connect: bool = True
            ) -> Secret:
                found = Secret(fileno=plain.detach())
                if do_handshake_on_connect:
                    found.do_handshake()
                return found

        monkeypatch.setattr(ssl, "create_default_context", Context)
        monkeypatch.setattr(http_client, "SECONDS", 0.3)
        listener.slow = 0.1
        with pytest.raises(http_client.CallError):
            http_client.post(listener.url.replace("http:", "https:"), b"{}", {})
        assert listener.heard == []

    @pytest.mark.long
    def test_after_days_without_an_answer_it_stops(
        self, club: Club, owner: User, listener: Listener, now: datetime
    ) -> None:
        hook, _ = webhooks.add(club=club, url=listener.url, by=owner, now=now)
        listener.status = 500
        for once, later in (("1", now), ("2", now + webhooks.PATIENCE)):
            queue_call(club, later, once)
            delivered(later)
        hook.refresh_from_db()
        assert hook.stopped_at is not None
        heard = len(listener.heard)
        much_later = now + webhooks.PATIENCE + timedelta(days=1)
        assert queue_call(club, much_later, "3") == 0
        delivered(much_later)
        assert len(listener.heard) == heard
        again, is_new = webhooks.add(club=club, url=listener.url, by=owner, now=much_later)
        assert (again.pk, again.stopped_at, is_new) == (hook.pk, None, False)


class TestAddresses:
    @pytest.mark.parametrize(
        "address",
        [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
            "255.255.255.255",
            "::1",
            "::",
            "fe80::1%eth0",
            "fc00::1",
            "ff02::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "2002:7f00:1::",
            "64:ff9b:1::1",
            "64:ff9b::7f00:1",
            "::127.0.0.1",
            "::ffff:0:7f00:1",
            "fec0::1",
            "192.88.99.1",
        ],
    )
    def test_nothing_private_is_called(self, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
        found = [(0, 0, 0, "", ("93.184.215.14", 443)), (0, 0, 0, "", (address, 443))]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_a, **_k: found)
        with pytest.raises(http_client.Forbidden):
            http_client.post(URL, b"", {})

    @pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"])
    def test_public_ones_are(self, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_a, **_k: [(0, 0, 0, "", (address, 443))])
        assert http_client.resolve_address("hooks.example.org", 443) == address

    def test_written_in_other_ways_it_is_private_still(self) -> None:
        for host in ("localhost", "127.1", "2130706433", "0x7f000001"):
            with pytest.raises(http_client.CallError):
                http_client.post(f"http://{host}:8000/", b"", {})

    @pytest.mark.parametrize(
        "url",
        [
            "",
            "hooks.example.org",
            "ftp://hooks.example.org/",
            "file:///etc/passwd",
            "https://",
            "https://user:word@hooks.example.org/",
            "https://hooks.example.org:22/",
            "https://hooks.example.org:99999/",
            "https://hooks.example.org/\r\nX-More: 1",
            "https://hooks.example.org/ a",
            "https://[::1/",
            "https://hooks.example.org/" + "a" * 300,
            "http://127.0.0.1:8797/",
            "https://192.168.1.7/hook",
            "https://[fd00::1]/",
        ],
    )
    def test_what_is_no_address_is_not_kept(self, club: Club, owner: User, now: datetime, url: str) -> None:
        with pytest.raises(BadAddress):
            webhooks.add(club=club, url=url, by=owner, now=now)
        assert not Webhook.objects.exists()

    def test_a_public_server_calls_in_secret_only(
        self, club: Club, owner: User, now: datetime, settings: Any
    ) -> None:
        settings.IS_PUBLIC = True
        with pytest.raises(BadAddress):
            webhooks.add(club=club, url=URL.replace("https", "http"), by=owner, now=now)
        assert webhooks.add(club=club, url=URL, by=owner, now=now)[0].url == URL

    def test_an_address_from_before_the_server_was_public_is_not_called_in_the_open(
        self, club: Club, owner: User, listener: Listener, now: datetime, settings: Any
    ) -> None:
        hook, _ = webhooks.add(club=club, url=listener.url, by=owner, now=now)
        settings.IS_PUBLIC = True
        queue_call(club, now)
        assert delivered(now) == [False]
        hook.refresh_from_db()
        assert (hook.failing_since, hook.last_error) == (now, "We call only https:// addresses.")
        assert listener.heard == []

    def test_five_are_enough(self, club: Club, owner: User, now: datetime) -> None:
        for number in range(webhooks.MOST_HOOKS):
            webhooks.add(club=club, url=f"{URL}/{number}", by=owner, now=now)
        with pytest.raises(TooManyWebhooks):
            webhooks.add(club=club, url=URL, by=owner, now=now)


class TestApi:
    def address(self, club: Club) -> str:
        return f"/api/v1/clubs/{club.slug}/webhooks/"

    def test_a_director_adds_lists_and_removes(self, club: Club, owner: User, client: Client) -> None:
        client.force_login(owner)
        made = client.post(
            self.address(club),
            json.dumps({"url": URL}),
            content_type="application/json",
            headers={"Idempotency-Key": "once and never again"},
        )
        assert made.status_code == 201, made.content
        assert made.json()["secret"] == Webhook.objects.get().secret
        (listed,) = client.get(self.address(club)).json()
        assert (listed["url"], "secret" in listed) == (URL, False)
        gone = f"{self.address(club)}{listed['key']}/"
        assert [client.delete(gone).status_code for _ in range(2)] == [204, 404]

    def test_the_secret_is_shown_once(self, club: Club, owner: User, client: Client) -> None:
        client.force_login(owner)

        def add(key: str) -> Any:
            return client.post(
                self.address(club),
                json.dumps({"url": URL}),
                content_type="application/json",
                headers={"Idempotency-Key": key},
            )

        first, repeated = add("the first time"), add("the first time")
        # The same request gets the same answer, even if the first was lost.
        assert (first.status_code, repeated.json()) == (201, first.json())
        Webhook.objects.update(stopped_at="2026-01-01T00:00Z")
        again = add("another time")
        assert (again.status_code, again.json()["key"]) == (200, first.json()["key"])
        assert "secret" not in again.json()
        assert again.json()["stopped_at"] is None
        # After a lost secret, delete the webhook and add it again with a new secret.
        client.delete(f"{self.address(club)}{first.json()['key']}/")
        renewed = add("once more")
        assert renewed.status_code == 201
        assert renewed.json()["secret"] != first.json()["secret"]

    def test_nobody_else_does(self, club: Club, client: Client, now: datetime) -> None:
        other = accounts.register(email="other@example.org", password=None, name="Ole Other", now=now)
        clubs.join(club=club, player=other.player, now=now)
        assert client.get(self.address(club)).status_code in {401, 403}
        client.force_login(other)
        assert client.get(self.address(club)).status_code == 403
        answer = client.post(
            self.address(club),
            json.dumps({"url": URL}),
            content_type="application/json",
            headers={"Idempotency-Key": "once and never again"},
        )
        assert (answer.status_code, Webhook.objects.count()) == (403, 0)
