"""Things kept in this process as long as what they are made of is the same.

What a thing was made of is its *mark*. Whoever asks works the mark out anew, from the database, so that no process
needs to be told of a change; a thing with another mark is forgotten when it is met.
"""

from __future__ import annotations

from collections import OrderedDict
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from datetime import datetime

# So long others wait for whoever makes the same; then they make it themselves.
PATIENCE: Final = 5.0


class Marked(Protocol):
    """What can be kept."""

    @property
    def size(self) -> int:
        """How much room it takes."""

    def is_right(self, mark: Hashable, now: datetime) -> bool:
        """Say whether it is what would be made now."""


T = TypeVar("T", bound=Marked)


class MarkedCache(Generic[T]):
    """So much room; what has not been asked for the longest goes first."""

    def __init__(self, room: int, largest: int | None = None) -> None:
        self.room = room
        # What alone would take more than a fair part of the room is not kept.
        self.largest = room // 8 if largest is None else largest
        self.size = 0
        self._kept: OrderedDict[Hashable, T] = OrderedDict()
        self._making: dict[Hashable, tuple[Lock, int]] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, key: Hashable, mark: Hashable, *, now: datetime) -> T | None:
        """Return what was made under *key*, if it still is right."""
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None and kept.is_right(mark, now):
                self._kept.move_to_end(key)
                return kept
        return None

    def put(self, key: Hashable, kept: T) -> None:
        """Keep a thing, unless it is too large."""
        with self._lock:
            self._drop(key)
            if kept.size > self.largest:
                return
            self._kept[key] = kept
            self.size += kept.size
            while self.size > self.room:
                self._drop(next(iter(self._kept)))

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self.size = 0

    @contextmanager
    def making(self, key: Hashable) -> Iterator[None]:
        """Let one make it while others wait for it: a hundred who ask at once are one piece of work."""
        with self._lock:
            turn, waiting = self._making.get(key, (Lock(), 0))
            self._making[key] = turn, waiting + 1
        is_mine = turn.acquire(timeout=PATIENCE)
        try:
            yield
        finally:
            if is_mine:
                turn.release()
            with self._lock:
                turn, waiting = self._making[key]
                if waiting > 1:
                    self._making[key] = turn, waiting - 1
                else:
                    del self._making[key]

    def _drop(self, key: Hashable) -> None:
        if (old := self._kept.pop(key, None)) is not None:
            self.size -= old.size
