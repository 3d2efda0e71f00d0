"""Values kept in this process: read once for all who are shown the same, as long as what they were read from is the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from runtime.marked_cache import MarkedCache

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from datetime import datetime

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CachedValue:
    """A value that nobody changes, and what it was read from."""

    mark: Hashable
    value: Any
    made_at: datetime
    # Time alone makes it another from here on; None: never.
    until: datetime | None
    size: int

    def is_right(self, mark: Hashable, now: datetime) -> bool:
        """Say whether it is what would be read now."""
        return self.mark == mark and self.made_at <= now and (self.until is None or now < self.until)


class ValueCache(MarkedCache[CachedValue]):
    """So much room for values, in a measure of those who keep them."""

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
        """Return what is kept under *key* while its *mark*, worked out before this is called, is the same; else make it."""
        found = self.find(key, mark, now=now)
        if found is None:
            with self.making(key):
                # Whoever waited finds what the other has made.
                found = self.find(key, mark, now=now)
                if found is None:
                    ends = until() if until else None
                    made = make()
                    found = CachedValue(mark, made, now, ends, size(made))
                    self.put(key, found)
        value: T = found.value
        return value
