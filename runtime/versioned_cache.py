"""In-process LRU cache, validated by a version key.

The caller computes the version key (*mark*) from the database at each access, so that no process needs to be
notified of changes. An entry with another version key is not used.
"""

from __future__ import annotations

from collections import OrderedDict
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from datetime import datetime

# Seconds for which others wait while one thread computes an entry; then they compute it themselves.
PATIENCE: Final = 5.0


class CacheEntry(Protocol):
    @property
    def size(self) -> int:
        """Its size, in the unit of the cache."""

    def is_right(self, mark: Hashable, now: datetime) -> bool:
        """True if the entry has this version key and has not expired."""


T = TypeVar("T", bound=CacheEntry)


class VersionedCache(Generic[T]):
    """LRU cache with a limit on the total size."""

    def __init__(self, room: int, largest: int | None = None) -> None:
        self.room = room
        # Larger entries are not cached.
        self.largest = room // 8 if largest is None else largest
        self.size = 0
        self._kept: OrderedDict[Hashable, T] = OrderedDict()
        self._making: dict[Hashable, tuple[Lock, int]] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, key: Hashable, mark: Hashable, *, now: datetime) -> T | None:
        """Return the entry of *key*, if it is valid."""
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None and kept.is_right(mark, now):
                self._kept.move_to_end(key)
                return kept
        return None

    def put(self, key: Hashable, kept: T) -> None:
        """Store an entry, unless it is too large; evict old ones."""
        with self._lock:
            self._evict(key)
            if kept.size > self.largest:
                return
            self._kept[key] = kept
            self.size += kept.size
            while self.size > self.room:
                self._evict(next(iter(self._kept)))

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()
            self.size = 0

    @contextmanager
    def making(self, key: Hashable) -> Iterator[None]:
        """Lock a key while its entry is computed, so that concurrent requests compute it once."""
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

    def _evict(self, key: Hashable) -> None:
        if (old := self._kept.pop(key, None)) is not None:
            self.size -= old.size
