"""A bound on the memory of large request bodies: of all in this process, and of those from one network.

Guests send photos too, so this counts by network, as connections do. A request beyond it is answered 503.
"""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

from config.front import limits
from runtime import addresses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from asgiref.typing import HTTPScope

ALL = ""


class NoRoom(Exception):
    """Large bodies in memory already take what they may."""


class BodyRoom:
    """Counts the bytes of large bodies by network. Used in the event loop only: no locks."""

    def __init__(self) -> None:
        self._bytes: Counter[str] = Counter()

    @contextmanager
    def open_body(self, scope: HTTPScope) -> Iterator[Callable[[int], int]]:
        """Yield a function that counts a piece of the body and returns its size so far; all of it is freed in the end.

        The function raises `NoRoom`. Only bytes beyond `limits.SMALL_BODY` count.
        """
        most = {ALL: limits.LARGE_BODIES} | {
            network: min(limits.LARGE_BODIES_PER_NETWORK * factor, limits.LARGE_BODIES // 2)
            for network, factor in zip(find_networks(scope), addresses.FACTORS, strict=False)
        }
        size = counted = 0

        def count(piece: int) -> int:
            nonlocal size, counted
            size += piece
            more = max(0, size - limits.SMALL_BODY) - counted
            if more:
                if any(self._bytes[key] + more > allowed for key, allowed in most.items()):
                    raise NoRoom
                self._bytes.update(dict.fromkeys(most, more))
                counted += more
            return size

        try:
            yield count
        finally:
            if counted:
                self._bytes.subtract(dict.fromkeys(most, counted))
                self._bytes = +self._bytes  # without those at 0


def find_networks(scope: HTTPScope) -> tuple[str, ...]:
    """Return the networks that a request comes from, as far as our own proxies say."""
    client = scope.get("client")
    forwarded = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
    caller = addresses.find_caller(forwarded.decode("latin-1"), client[0] if client else "")
    return addresses.list_networks(caller)
