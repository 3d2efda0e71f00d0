"""Answers kept in this process: made once for all who ask for the same, as long as what they show is the same."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from runtime.marked_cache import MarkedCache

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable
    from datetime import datetime

# Stands in a kept text for the secret of whoever is given it; nothing typed can hold it.
SECRET: Final = "\x00secret\x00"  # noqa: S105 - a mark, not a password
# A page carries an address to listen at that opens for five minutes; it must have most of them left.
LASTS: Final = timedelta(minutes=1)
MOST_BYTES: Final = 16 * 1024 * 1024
# What an entry takes beside its text, in round figures.
OVERHEAD: Final = 2_000


@dataclass(frozen=True, slots=True)
class CachedResponse:
    """An answer without anybody's secret."""

    mark: Hashable
    # Where these meet belongs the reader's secret.
    pieces: tuple[bytes, ...]
    headers: tuple[tuple[str, str], ...]
    made_at: datetime
    # Time alone makes it another from here on.
    until: datetime

    @classmethod
    def of(
        cls,
        mark: Hashable,
        text: bytes,
        headers: Iterable[tuple[str, str]],
        *,
        now: datetime,
        until: datetime | None = None,
    ) -> CachedResponse:
        """Take an answer apart."""
        ends = now + LASTS
        pieces = tuple(text.split(SECRET.encode()))
        return cls(mark, pieces, tuple(headers), now, min(ends, until) if until else ends)

    @property
    def size(self) -> int:
        """How many bytes it takes, about."""
        return OVERHEAD + sum(map(len, self.pieces))

    def is_right(self, mark: Hashable, now: datetime) -> bool:
        """Say whether it is what would be made now."""
        return self.mark == mark and self.made_at <= now < self.until

    def text(self, secret: str) -> bytes:
        """Return it for one reader."""
        return secret.encode().join(self.pieces)


class ResponseCache(MarkedCache[CachedResponse]):
    """So many bytes of answers."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        super().__init__(most_bytes)
