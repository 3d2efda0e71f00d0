"""A limit on the memory of large request bodies, for the whole process and for each network.

The bytes are counted by network like connections, since guests without accounts upload photos too. Requests
beyond the limit get a 503.
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


class BodyMemoryFull(Exception):
    """The limit on large bodies in memory is reached."""


class BodyMemory:
    """Counter of the bytes of large bodies by network. No locks, since it is only used in the event loop."""

    def __init__(self) -> None:
        self._bytes: Counter[str] = Counter()

    @contextmanager
    def open_body(self, scope: HTTPScope) -> Iterator[Callable[[int], int]]:
        """Yield a function that counts a chunk and returns the body's size so far; release the count on exit.

        The function raises `BodyMemoryFull`. Only bytes beyond `limits.SMALL_BODY` count.
        """
        most = {ALL: limits.LARGE_BODIES} | {
            network: min(limits.LARGE_BODIES_PER_NETWORK * factor, limits.LARGE_BODIES // 2)
            for network, factor in zip(addresses.find_networks(scope), addresses.FACTORS, strict=False)
        }
        size = counted = 0

        def count(piece: int) -> int:
            nonlocal size, counted
            size += piece
            more = max(0, size - limits.SMALL_BODY) - counted
            if more:
                if any(self._bytes[key] + more > allowed for key, allowed in most.items()):
                    raise BodyMemoryFull
                self._bytes.update(dict.fromkeys(most, more))
                counted += more
            return size

        try:
            yield count
        finally:
            if counted:
                self._bytes.subtract(dict.fromkeys(most, counted))
                self._bytes = +self._bytes  # drops zero counts
