"""Signed messages to other people's servers, never to a machine of our own network."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import http.client
import ipaddress
import json
import socket
import ssl
import threading
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from datetime import datetime

PORTS = frozenset({443, 8443})
TIMEOUT_SECONDS = 5
# For the whole of it: a server that answers a letter at a time must not keep a worker.
LONGEST_SECONDS = 15
MOST_BYTES = 64 * 1024
# All of IPv6 that is given to networks; ranges that wrap an IPv4 address in a longer one are not sent to.
WORLD = ipaddress.IPv6Network("2000::/3")
WRAPPED = ipaddress.IPv6Network("2002::/16")


class Refused(ValueError):
    """The address is not one we send to."""


def post(payload: dict[str, Any], *, now: datetime) -> None:
    """Post ``payload["body"]``, signed over time and text; raise unless the answer is a 2xx."""
    parts = urlsplit(payload["url"])
    host, port = check(payload["url"])
    body = json.dumps(payload["body"], separators=(",", ":"), sort_keys=True).encode()
    if len(body) > MOST_BYTES:
        raise Refused("the message is longer than 64 kB")
    at = str(int(now.timestamp()))
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Barpoint",
        "X-Barpoint-Id": payload["id"],
        "X-Barpoint-Time": at,
        "X-Barpoint-Signature": sign(payload["secret"], at=at, body=body),
    }
    connection = _Pinned(host, port, address=public_address(host, port))
    clock = threading.Timer(LONGEST_SECONDS, connection.hang_up)
    clock.start()
    try:
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", target, body=body, headers=headers)
        status = connection.getresponse().status
    except http.client.HTTPException as error:
        raise OSError(f"the server's answer makes no sense: {type(error).__name__}") from None
    finally:
        clock.cancel()
        connection.close()
    if connection.has_hung_up:
        raise TimeoutError("the server took too long to answer")
    # A redirect is refused too: it could lead anywhere.
    if not 200 <= status < 300:
        raise OSError(f"the server answered {status}")


def sign(secret: str, *, at: str, body: bytes) -> str:
    """Return the signature a receiver can recompute."""
    return hmac.new(secret.encode(), at.encode() + b"." + body, hashlib.sha256).hexdigest()


def check(url: str) -> tuple[str, int]:
    """Return host and port of an address we may send to, or refuse it."""
    try:
        parts = urlsplit(url)
        port = 443 if parts.port is None else parts.port
    except ValueError as error:
        raise Refused(f"a webhook needs an address that makes sense: {error}") from None
    if parts.scheme != "https" or not parts.hostname or parts.username or parts.password:
        raise Refused("a webhook needs an https address without a user name")
    if port not in PORTS:
        raise Refused("a webhook's port must be 443 or 8443")
    return parts.hostname, port


def public_address(host: str, port: int) -> str:
    """Return an address of *host* that the whole world may see; refuse the rest."""
    for *_, place in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
        address = ipaddress.ip_address(place[0])
        if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
            address = address.ipv4_mapped
        if not address.is_global or address.is_multicast:
            raise Refused(f"{host} is not a public address")
        if isinstance(address, ipaddress.IPv6Address) and (address not in WORLD or address in WRAPPED):
            raise Refused(f"{host} is not a public address")
        return str(address)
    raise Refused(f"{host} has no address")


class _Pinned(http.client.HTTPSConnection):
    """Connects to the very address that was checked: a second look-up could answer otherwise."""

    def __init__(self, host: str, port: int, *, address: str) -> None:
        super().__init__(host, port, timeout=TIMEOUT_SECONDS)
        self._address = address
        self._tls = ssl.create_default_context()
        self.has_hung_up = False

    def connect(self) -> None:
        """Open the connection, the certificate still checked against the name."""
        self.sock = socket.create_connection((self._address, self.port), TIMEOUT_SECONDS)
        self.sock = self._tls.wrap_socket(self.sock, server_hostname=self.host)

    def hang_up(self) -> None:
        """End the conversation, from another thread and wherever it stands."""
        self.has_hung_up = True
        if self.sock is not None:
            with contextlib.suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)
