"""The limits of the server, each tried on a real socket while another person is served."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import uvicorn

from config.front import protocol
from config.front.limits import Limits, compute_limits
from config.front.protocol import GuardedProtocol

HOST = b"Host: club.example\r\n"
LARGE = 50_000_000


async def application(scope: Any, receive: Any, send: Any) -> None:
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return
        size += len(message.get("body", b""))
        if not message.get("more_body"):
            break
    await send({"type": "http.response.start", "status": 200, "headers": []})
    text = b"%d lines, %d bytes" % (len(scope["headers"]), size)
    if scope["path"] == "/large":
        text = b"x" * LARGE
    await send({"type": "http.response.body", "body": text})


class Server:
    """A server with its own limits, and what it says to raw bytes."""

    def __init__(self, port: int, running: uvicorn.Server) -> None:
        self.port = port
        self.running = running

    def connect(self, *, source: str = "127.0.0.1") -> socket.socket:
        # The timeout only ends a test that would hang.
        return socket.create_connection(("127.0.0.1", self.port), timeout=30, source_address=(source, 0))

    def send_request(self, raw: bytes) -> bytes:
        """Send bytes, and return the answer up to the end of the connection."""
        with self.connect() as line:
            with contextlib.suppress(OSError):
                line.sendall(raw)
            return read_all(line)

    def get(self) -> bytes:
        return self.send_request(b"GET / HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n")


def read_all(line: socket.socket) -> bytes:
    found = b""
    with contextlib.suppress(ConnectionError):
        while piece := line.recv(65_536):
            found += piece
    return found


def wait_until_connected(number: int) -> None:
    pause = threading.Event()
    for _ in range(1_000):
        if len(protocol.WATCH._all) == number:
            return
        pause.wait(0.02)
    raise AssertionError(f"{len(protocol.WATCH._all)} are connected")


def wait_until_it_accepts_nobody(server: Server) -> None:
    pause = threading.Event()
    for _ in range(1_000):
        try:
            server.connect().close()
        except ConnectionError:
            return
        pause.wait(0.02)
    raise AssertionError("it still accepts connections")


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1]) if answer else 0


@pytest.fixture
def server(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Start a server with the limits that a test marks."""
    changes = getattr(request, "param", {})
    monkeypatch.setattr(GuardedProtocol, "limits", replace(Limits(), **changes))
    monkeypatch.setattr(protocol, "LOOK_SECONDS", 0.02)
    monkeypatch.setattr(protocol, "WATCH", protocol.ConnectionMonitor())
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(application, http=GuardedProtocol, ws="none", log_config=None, lifespan="off")
    running = uvicorn.Server(config)
    monkeypatch.setattr(running, "install_signal_handlers", lambda: None, raising=False)
    thread = threading.Thread(target=lambda: asyncio.run(running.serve(sockets=[listening])))
    thread.start()
    yield Server(listening.getsockname()[1], running)
    running.should_exit = running.force_exit = True
    thread.join()


def test_an_ordinary_request_is_answered(server: Server) -> None:
    assert b"2 lines, 0 bytes" in server.get()
    post = b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 5\r\nConnection: close\r\n\r\nhello"
    assert b"3 lines, 5 bytes" in server.send_request(post)


def test_as_many_lines_as_allowed_are_read_and_one_more_is_not(server: Server) -> None:
    most = Limits().header_lines

    def asked(lines: int) -> bytes:
        more = b"".join(b"X-%d: y\r\n" % number for number in range(lines - 2))
        return server.send_request(b"GET / HTTP/1.1\r\n" + HOST + b"Connection: close\r\n" + more + b"\r\n")

    assert b"100 lines" in asked(most)
    assert status(asked(most + 1)) == 431


def test_sixty_thousand_lines_of_one_name_are_refused(server: Server) -> None:
    assert (
        status(
            server.send_request(
                b"GET / HTTP/1.1\r\n" + HOST + b"X: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n" * 60_000
            )
        )
        == 431
    )
    assert status(server.get()) == 200


@pytest.mark.parametrize(
    "begun",
    [
        b"GET / HTTP/1.1\r\n" + HOST + b"X: ",
        b"GET /",
        b"GET / HTTP/1.1\r\n" + HOST,
    ],
    ids=["a line", "an address", "after whole lines"],
)
def test_a_head_that_does_not_end_is_refused(server: Server, begun: bytes) -> None:
    assert status(server.send_request(begun + b"a" * 400_000)) in {400, 431}
    assert status(server.get()) == 200


def test_a_long_line_within_the_limit_is_read(server: Server) -> None:
    cookie = b"Cookie: a=" + b"x" * 20_000 + b"\r\n"
    assert (
        status(server.send_request(b"GET / HTTP/1.1\r\n" + HOST + cookie + b"Connection: close\r\n\r\n"))
        == 200
    )


def test_the_next_head_on_a_connection_is_counted_afresh(server: Server) -> None:
    cookie = b"Cookie: a=" + b"x" * 20_000 + b"\r\n"
    one = b"GET / HTTP/1.1\r\n" + HOST + cookie + b"\r\n"
    last = b"GET / HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n"
    answer = server.send_request(one * 3 + last)
    assert answer.count(b"HTTP/1.1 200") == 4


def test_a_request_without_a_host_is_refused(server: Server) -> None:
    assert status(server.send_request(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n")) == 400
    assert status(server.send_request(b"GET / HTTP/1.0\r\n\r\n")) == 200


@pytest.mark.parametrize("server", [{"head_seconds": 0.1}], indirect=True)
@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: a\r\n"])
def test_a_head_that_does_not_come_is_not_waited_for(server: Server, sent: bytes) -> None:
    assert status(server.send_request(sent)) == 408
    assert status(server.get()) == 200


@pytest.mark.parametrize("server", [{"head_seconds": 0.1, "body_grace_seconds": 0.1}], indirect=True)
@pytest.mark.parametrize("piece", [b"", b"hel"])
def test_a_body_that_does_not_come_is_not_waited_for(server: Server, piece: bytes) -> None:
    head = b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 50000\r\n\r\n"
    assert status(server.send_request(head + piece)) == 408
    assert status(server.get()) == 200


@pytest.mark.long
@pytest.mark.parametrize("server", [{"stalled_seconds": 0.2}], indirect=True)
def test_whoever_does_not_take_the_answer_is_let_go(server: Server) -> None:
    with server.connect() as line:
        line.sendall(b"GET /large HTTP/1.1\r\n" + HOST + b"\r\n")
        assert status(server.get()) == 200
        wait_until_connected(0)
        # What lay in the kernel's buffers can still be read, and is not all of it.
        assert 0 < len(read_all(line)) < LARGE


def test_one_address_has_only_so_many_connections(server: Server, settings: Any) -> None:
    settings.CONNECTIONS_PER_ADDRESS = 3
    with contextlib.ExitStack() as lines:
        for _ in range(3):
            lines.enter_context(server.connect())
        assert status(server.get()) == 503


@pytest.mark.parametrize("server", [{"connections": 6}], indirect=True)
def test_one_address_has_at_most_half_of_all(server: Server) -> None:
    with contextlib.ExitStack() as lines:
        for _ in range(3):
            lines.enter_context(server.connect())
        assert status(server.get()) == 503


@pytest.mark.parametrize(
    ("files", "connections"), [(1_024, 774), (100, 50), (8_250, 8_000), (1 << 20, 8_000)]
)
def test_connections_leave_files_for_what_else_is_open(files: int, connections: int) -> None:
    assert compute_limits(files).connections == connections


@pytest.mark.long
def test_a_process_asks_for_the_files_that_it_needs() -> None:
    """Most systems give 1,024 at first: one address alone could take them all."""
    command = (
        "import django, resource; django.setup(); from config.front.limits import raise_file_limit;"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (256, resource.getrlimit(resource.RLIMIT_NOFILE)[1]));"
        "print(raise_file_limit(), resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    )
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, timeout=60)
    said, is_so = map(int, done.stdout.split())
    assert said == is_so > 256


def test_what_is_not_our_http_is_refused(server: Server) -> None:
    assert status(server.send_request(b"GET /\r\n\r\n")) == 505
    assert status(server.send_request(b"GET / HTTP/2.0\r\n" + HOST + b"\r\n")) in {400, 505}
    assert b"1 lines" in server.send_request(b"GET / HTTP/1.0\r\nX: y\r\n\r\n")


@pytest.mark.parametrize("server", [{"connections": 2}], indirect=True)
def test_there_are_only_so_many_connections_and_places_become_free(server: Server) -> None:
    with server.connect(source="127.0.0.2"), server.connect(source="127.0.0.3"):
        assert status(server.get()) == 503
    wait_until_connected(0)
    assert status(server.get()) == 200


def test_behind_a_proxy_the_proxys_address_is_nobodys(server: Server, settings: Any) -> None:
    settings.CONNECTIONS_PER_ADDRESS = 1
    settings.TRUSTED_PROXIES = 1
    with server.connect():
        assert status(server.get()) == 200


def test_requests_sent_ahead_are_few(server: Server) -> None:
    answer = server.send_request((b"GET / HTTP/1.1\r\n" + HOST + b"\r\n") * 2_000)
    assert answer.count(b"HTTP/1.1 200") <= Limits().pipelined + 2


def test_who_is_accepted_while_a_server_leaves_is_answered(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "ACCEPTED_SECONDS", 30)
    with server.connect() as fresh, server.connect() as begun:
        begun.sendall(b"GET / HTTP/1.1\r\n")
        wait_until_connected(2)
        server.running.should_exit = True
        wait_until_it_accepts_nobody(server)
        for line, said in ((fresh, b"GET / HTTP/1.1\r\n" + HOST), (begun, HOST)):
            line.sendall(said + b"\r\n")
            answer = read_all(line)
            assert status(answer) == 200
            assert b"connection: close" in answer


def test_who_is_accepted_and_says_nothing_does_not_keep_a_server(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "ACCEPTED_SECONDS", 0.05)
    with server.connect() as fresh:
        wait_until_connected(1)
        server.running.should_exit = True
        assert read_all(fresh) == b""
