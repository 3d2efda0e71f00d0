"""HTTP client for servers of third parties: public addresses only, with a time limit, without redirects.

The name is resolved once, all of its addresses must be public, and the connection goes to the address that
was checked. This prevents DNS rebinding.
"""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from threading import Timer
from typing import Final
from urllib.parse import SplitResult, urlsplit

# Limit of a whole call, since it blocks a worker.
SECONDS = 5.0
LONGEST_URL: Final = 300
PORTS: Final = {"http": 80, "https": 443}
# Lower ports belong to mail, shells and the like.
LOWEST_PORT: Final = 1024
# A Retry-After with this many digits or more is ignored.
LONG: Final = 7
OK: Final = range(200, 300)
# Networks that embed other addresses, private ones among them, and some that Python wrongly considers global.
NOBODYS: Final = tuple(
    ipaddress.ip_network(each)
    for each in (
        "64:ff9b::/96",  # translators (RFC 6052)
        "64:ff9b:1::/48",  # translators (RFC 8215)
        "::/96",  # IPv4-compatible, deprecated (RFC 4291)
        "::ffff:0:0:0/96",  # IPv4-translated (RFC 2765)
        "fec0::/10",  # site-local, deprecated (RFC 3879)
        "192.88.99.0/24",  # 6to4 relays, deprecated (RFC 7526)
    )
)


class CallError(OSError):
    """A call that was not made, or failed. Expected, so it is logged in one line."""

    def __init__(self, sentence: str, *, status: int = 0, retry_after: int = 0) -> None:
        super().__init__(sentence)
        # HTTP status (0 if there was no response), and seconds after which to retry.
        self.status, self.retry_after = status, retry_after


class Forbidden(CallError):
    """The URL or its address is not allowed."""


class _Pinned(http.client.HTTPConnection):
    """A connection to an address that was checked, with the original host name for TLS and `Host`."""

    def __init__(self, parts: SplitResult, address: str, port: int) -> None:
        super().__init__(parts.hostname or "", port, timeout=SECONDS)
        self.address = address
        self.is_secret = parts.scheme == "https"
        self.has_hung_up = False

    def connect(self) -> None:
        """Connect, and greet if the address is https.

        :raises TimeoutError: the call was hung up on in between.
        """
        self.sock = socket.create_connection((self.address, self.port), self.timeout)
        if self.is_secret:
            # The handshake comes after the assignment, so that hanging up ends it.
            secret = ssl.create_default_context().wrap_socket(
                self.sock, server_hostname=self.host, do_handshake_on_connect=False
            )
            self.sock = secret
            self._require_not_hung_up()
            secret.do_handshake()
        self._require_not_hung_up()

    def hang_up(self) -> None:
        """Shut the socket down, which ends a blocked read or handshake."""
        # In this order: a socket that is not assigned yet is not shut down, but `connect` sees the flag.
        self.has_hung_up = True
        if self.sock is not None:
            with contextlib.suppress(OSError):
                # Not the method of a TLS socket, which forgets the encryption in the middle of a handshake.
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)

    def _require_not_hung_up(self) -> None:
        if self.has_hung_up:
            raise TimeoutError("timed out")


def parse_url(url: str, *, longest: int = LONGEST_URL) -> SplitResult:
    """Parse and check a URL.

    :raises Forbidden: it is not a web address, or its port is not allowed.
    """
    try:
        parts = urlsplit(url)
        port = parts.port or PORTS.get(parts.scheme, 0)
    except ValueError as error:
        raise Forbidden("This is no web address.") from error
    is_plain = url.isascii() and url.isprintable() and " " not in url and len(url) <= longest
    if not is_plain or parts.scheme not in PORTS or not parts.hostname or parts.username is not None:
        raise Forbidden("This is no web address.")
    if port not in PORTS.values() and port < LOWEST_PORT:
        raise Forbidden("We do not call this port.")
    return parts


def is_public(address: str) -> bool:
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        # Addresses that embed an IPv4 address lead to it.
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo and found.teredo[1])
        if inner and not is_public(str(inner)):
            return False
    if any(found in network for network in NOBODYS):
        return False
    return found.is_global and not found.is_multicast


def require_no_private_ip(host: str) -> None:
    """Reject a numeric address that is not public; names are resolved and checked at each call.

    :raises Forbidden: the address is not public.
    """
    try:
        is_open = is_public(host)
    except ValueError:
        return
    if not is_open:
        raise Forbidden("We call no private addresses.")


def resolve_address(host: str, port: int) -> str:
    """Resolve a name and return its first address.

    :raises Forbidden: one of its addresses is not public.
    :raises CallError: the name cannot be resolved.
    """
    try:
        found = [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    except (OSError, UnicodeError) as error:
        raise CallError(f"{host} is not known.") from error
    if not found or not all(is_public(each) for each in found):
        raise Forbidden("We call no private addresses.")
    return found[0]


def post(url: str, body: bytes, headers: Mapping[str, str], *, longest: int = LONGEST_URL) -> int:
    """POST *body*; return the status. The response's body is not read.

    :raises CallError: there was no response in time, or its status was not 2xx.
    """
    parts = parse_url(url, longest=longest)
    port = parts.port or PORTS[parts.scheme]
    connection = _Pinned(parts, resolve_address(parts.hostname or "", port), port)
    # The socket's timeout applies to each read; a server that sends slowly could hold the call for hours.
    watch = Timer(SECONDS, connection.hang_up)
    watch.daemon = True
    watch.start()
    try:
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", target, body, dict(headers))
        answer = connection.getresponse()
        status, later = answer.status, answer.headers.get("Retry-After", "").strip()
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise CallError(f"{parts.hostname} did not answer: {str(error) or type(error).__name__}") from error
    finally:
        watch.cancel()
        connection.close()
    if connection.has_hung_up:
        raise CallError(f"{parts.hostname} was too slow.")
    if status not in OK:
        # Retry-After may also be a date; then the caller's own pauses apply.
        seconds_to_wait = int(later) if later.isascii() and later.isdigit() and len(later) < LONG else 0
        raise CallError(f"{parts.hostname} answered {status}.", status=status, retry_after=seconds_to_wait)
    return status
