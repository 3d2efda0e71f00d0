"""Responses that are shared by all readers, as entries of a `VersionedCache`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from runtime.versioned_cache import CachedValue

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
    """A response without the reader's secret, which belongs between the pieces."""

    pieces: tuple[bytes, ...]
    headers: tuple[tuple[str, str], ...]

    def text(self, secret: str) -> bytes:
        """Return the body with the reader's secret."""
        return secret.encode().join(self.pieces)


def build_entry(
    mark: Hashable,
    text: bytes,
    headers: Iterable[tuple[str, str]],
    *,
    now: datetime,
    until: datetime | None = None,
) -> CachedValue:
    """Return the cache entry of a response; it lasts for `LASTS` at most."""
    ends = now + LASTS
    response = CachedResponse(tuple(text.split(SECRET.encode())), tuple(headers))
    size = OVERHEAD + sum(map(len, response.pieces))
    return CachedValue(mark, response, now, min(ends, until) if until else ends, size)
