"""In-process cache of values, validated by a version key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from runtime.versioned_cache import VersionedCache

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from datetime import datetime

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CachedValue:
    """An immutable value and its version key."""

    mark: Hashable
    value: Any
    made_at: datetime
    # Expires at this time; None: never.
    until: datetime | None
    size: int

    def is_right(self, mark: Hashable, now: datetime) -> bool:
        """True if it has this version key and has not expired."""
        return self.mark == mark and self.made_at <= now and (self.until is None or now < self.until)


class ValueCache(VersionedCache[CachedValue]):
    """Cache of values; the caller chooses the unit of the size."""

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
