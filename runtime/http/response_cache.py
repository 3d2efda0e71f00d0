"""In-process cache of responses that are shared by all readers, validated by a version key."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from runtime.versioned_cache import VersionedCache

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable
    from datetime import datetime

# Placeholder for the reader's secret in a cached response; no input can contain it.
SECRET: Final = "\x00secret\x00"  # noqa: S105 - a placeholder, not a password
# A page contains a stream token that is valid for five minutes; most of that must be left.
LASTS: Final = timedelta(minutes=1)
MOST_BYTES: Final = 16 * 1024 * 1024
# Approximate bytes of an entry beside its text.
OVERHEAD: Final = 2_000


@dataclass(frozen=True, slots=True)
class CachedResponse:
    """A cached response without the reader's secret."""

    mark: Hashable
    # The reader's secret belongs between the pieces.
    pieces: tuple[bytes, ...]
    headers: tuple[tuple[str, str], ...]
    made_at: datetime
    # Expires at this time.
    until: datetime

    @classmethod
    def build(
        cls,
        mark: Hashable,
        text: bytes,
        headers: Iterable[tuple[str, str]],
        *,
        now: datetime,
        until: datetime | None = None,
    ) -> CachedResponse:
        ends = now + LASTS
        pieces = tuple(text.split(SECRET.encode()))
        return cls(mark, pieces, tuple(headers), now, min(ends, until) if until else ends)

    @property
    def size(self) -> int:
        """Approximate size in bytes."""
        return OVERHEAD + sum(map(len, self.pieces))

    def is_right(self, mark: Hashable, now: datetime) -> bool:
        """True if it has this version key and has not expired."""
        return self.mark == mark and self.made_at <= now < self.until

    def text(self, secret: str) -> bytes:
        """Return the body with the reader's secret."""
        return secret.encode().join(self.pieces)


class ResponseCache(VersionedCache[CachedResponse]):
    """Cache of responses, limited by size in bytes."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        super().__init__(most_bytes)
