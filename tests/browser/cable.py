"""A way from the browser to the site that can be cut.

Playwright's `set_offline` ends later for a service worker than for its page.
"""

from __future__ import annotations

import contextlib
import socket
import socketserver
import threading
from typing import Any, cast
from urllib.parse import urlsplit


class Cable:
    """Forwards TCP connections to *site*."""

    def __init__(self, site: str) -> None:
        self._upstream = ("127.0.0.1", urlsplit(site).port or 0)
        self._port = 0
        self.join()

    @property
    def address(self) -> str:
        return f"http://localhost:{self._port}"

    def join(self) -> None:
        """Accept connections, at the same address as before the cut."""
        self._server = _Server(("127.0.0.1", self._port), _Connection)
        self._server.upstream = self._upstream
        self._port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def cut(self) -> None:
        """End all connections, and refuse new ones."""
        self._server.shutdown()
        self._server.server_close()
        for each in list(self._server.accepted):
            _end(each)


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False
    upstream: tuple[str, int] = ("", 0)

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.accepted: set[socket.socket] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        self.accepted.add(request)
        super().process_request(request, client_address)


class _Connection(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        server = cast("_Server", self.server)
        with socket.create_connection(server.upstream) as site:
            answers = threading.Thread(target=_forward, args=(site, self.request), daemon=True)
            answers.start()
            _forward(self.request, site)
            answers.join()
        server.accepted.discard(self.request)


def _forward(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while chunk := source.recv(65536):
            target.sendall(chunk)
    _end(source)
    _end(target)


def _end(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
