"""Calling other people's servers: only public ones, with a time limit, and without following redirects.

The name is looked up once, every address it has must be public, and the connection goes to the very address
that was looked at: a name that changes its mind in between leads nowhere.
"""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import socket
import ssl
from threading import Timer
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping
    from urllib.parse import SplitResult

# The limit of a whole call, because a worker waits for it.
SECONDS: Final = 5.0
LONGEST_URL: Final = 300
PORTS: Final = {"http": 80, "https": 443}
# Where mail, databases and shells listen is no place for a POST.
LOWEST_PORT: Final = 1024
# Digits of a number of seconds that nobody waits.
LONG: Final = 7
OK: Final = range(200, 300)
# Addresses that stand for others, private ones among them, and some that Python takes for public and nobody should.
NOBODYS: Final = tuple(
    ipaddress.ip_network(each)
    for each in (
        "64:ff9b::/96",  # translators (RFC 6052)
        "64:ff9b:1::/48",  # translators (RFC 8215)
        "::/96",  # IPv4 in IPv6, given up (RFC 4291)
        "::ffff:0:0:0/96",  # IPv4, translated (RFC 2765)
        "fec0::/10",  # site-local, given up (RFC 3879)
        "192.88.99.0/24",  # relays of 6to4, given up (RFC 7526)
    )
)


class CallError(OSError):
    """The call was not made, or was not answered well: a fault of the network, and one line in the log."""

    def __init__(self, sentence: str, *, status: int = 0, retry_after: int = 0) -> None:
        super().__init__(sentence)
        # What was answered, 0 for nothing; and after how many seconds to ask again.
        self.status, self.retry_after = status, retry_after


class Forbidden(CallError):
    """An address that we do not call."""


class _Pinned(http.client.HTTPConnection):
    """A connection to an address that was looked at, under the name that it was asked for by."""

    def __init__(self, parts: SplitResult, address: str, port: int, *, seconds: float) -> None:
        super().__init__(parts.hostname or "", port, timeout=seconds)
        self.address = address
        self.is_secret = parts.scheme == "https"
        self.has_hung_up = False

    def connect(self) -> None:
        """Connect there, and nowhere else."""
        self.sock = socket.create_connection((self.address, self.port), self.timeout)
        if self.is_secret:
            self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=self.host)

    def hang_up(self) -> None:
        """Let whoever reads from it find the end."""
        self.has_hung_up = True
        if self.sock is not None:
            with contextlib.suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)


def parsed(url: str, *, longest: int = LONGEST_URL) -> SplitResult:
    """Return the parts of an address that may be called.

    :raises Forbidden: it is none.
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
    """Say whether an address lies on the open network."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        # Addresses that carry another in themselves lead to that one.
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo and found.teredo[1])
        if inner and not is_public(str(inner)):
            return False
    if any(found in network for network in NOBODYS):
        return False
    return found.is_global and not found.is_multicast


def require_no_private_number(host: str) -> None:
    """Refuse an address that is written in figures and lies on no open network; names are looked up at each call.

    :raises Forbidden: nobody would ever be called there.
    """
    try:
        is_open = is_public(host)
    except ValueError:
        return
    if not is_open:
        raise Forbidden("We call no private addresses.")


def address_of(host: str, port: int) -> str:
    """Return the address to call, if all that the name has are public.

    :raises Forbidden: one is not.
    :raises CallError: there is none.
    """
    try:
        found = [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    except (OSError, UnicodeError) as error:
        raise CallError(f"{host} is not known.") from error
    if not found or not all(is_public(each) for each in found):
        raise Forbidden("We call no private addresses.")
    return found[0]


def post(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    seconds: float = SECONDS,
    longest: int = LONGEST_URL,
) -> int:
    """Send *body*; return the status of the answer, of which else only is read when to ask again.

    :raises CallError: nobody answered in time, or not with a status from 200 to 299.
    """
    parts = parsed(url, longest=longest)
    port = parts.port or PORTS[parts.scheme]
    connection = _Pinned(parts, address_of(parts.hostname or "", port), port, seconds=seconds)
    # Each read may take as long as the socket's timeout: a server that drips would hold us for hours.
    watch = Timer(seconds, connection.hang_up)
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
        # A date, which is allowed, too, is left to the pauses of whoever asks.
        seconds_to_wait = int(later) if later.isascii() and later.isdigit() and len(later) < LONG else 0
        raise CallError(f"{parts.hostname} answered {status}.", status=status, retry_after=seconds_to_wait)
    return status
