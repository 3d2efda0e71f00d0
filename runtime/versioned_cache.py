"""In-process LRU cache of values that nothing changes, validated by a version key.

The caller computes the version key (*mark*) from the database at each access, so that no process needs to be
notified of changes. An entry with another version key is not used.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Any, Final, TypeVar

T = TypeVar("T")

# Seconds for which others wait while one thread computes an entry; then they compute it themselves.
PATIENCE: Final = 5.0


@dataclass(frozen=True, slots=True)
class CachedValue:
    """A value and its version key; the user of the cache chooses the unit of the size."""

    mark: Hashable
    value: Any
    made_at: datetime
    # Expires at this time; None: never.
    until: datetime | None
    size: int

    def is_right(self, mark: Hashable, now: datetime) -> bool:
        """True if it has this version key and has not expired."""
        return self.mark == mark and self.made_at <= now and (self.until is None or now < self.until)


class VersionedCache:
    """LRU cache with a limit on the total size."""

    def __init__(self, room: int, largest: int | None = None) -> None:
        self.room = room
        # Larger entries are not cached.
        self.largest = room // 8 if largest is None else largest
        self.size = 0
        self._kept: OrderedDict[Hashable, CachedValue] = OrderedDict()
        self._making: dict[Hashable, tuple[Lock, int]] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def value(
        self,
        key: Hashable,
        mark: Hashable,
        make: Callable[[], T],
        *,
        now: datetime,
        until: Callable[[], datetime] | None = None,
        size: Callable[[T], int] = lambda _value: 1,
    ) -> T:
        """Return the cached value of *key* if its version key is still *mark*; else compute and cache it."""
        found = self.find(key, mark, now=now)
        if found is None:
            with self.making(key):
                # Another thread may have computed it in the meantime.
                found = self.find(key, mark, now=now)
                if found is None:
                    ends = until() if until else None
                    made = make()
                    found = CachedValue(mark, made, now, ends, size(made))
                    self.put(key, found)
        value: T = found.value
        return value

    def find(self, key: Hashable, mark: Hashable, *, now: datetime) -> CachedValue | None:
        """Return the entry of *key*, if it is valid."""
        with self._lock:
            entry = self._kept.get(key)
            if entry is not None and entry.is_right(mark, now):
                self._kept.move_to_end(key)
                return entry
        return None

    def put(self, key: Hashable, entry: CachedValue) -> None:
        """Store an entry, unless it is too large; evict old ones."""
        with self._lock:
            self._evict(key)
            if entry.size > self.largest:
                return
            self._kept[key] = entry
            self.size += entry.size
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
