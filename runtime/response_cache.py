"""Answers kept in this process: made once for all who ask for the same, as long as what they show is the same.

What an answer was made of is its *mark*. Whoever asks works the mark out anew, from the database, so that no process
needs to be told of a change; an answer with another mark is forgotten when it is met.
"""

from __future__ import annotations

from collections import OrderedDict
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from threading import Lock
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator
    from datetime import datetime

# Stands in a kept text for the secret of whoever is given it; nothing typed can hold it.
SECRET: Final = "\x00secret\x00"  # noqa: S105 - a mark, not a password
# A page carries an address to listen at that opens for five minutes; it must have most of them left.
LASTS: Final = timedelta(minutes=1)
MOST_BYTES: Final = 16 * 1024 * 1024
# What an entry takes beside its text, in round figures.
OVERHEAD: Final = 2_000
# So long others wait for whoever makes the same; then they make it themselves.
PATIENCE: Final = 5.0


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


class ResponseCache:
    """So many bytes of answers; those not asked for the longest go first."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self.bytes = 0
        self._kept: OrderedDict[Hashable, CachedResponse] = OrderedDict()
        self._making: dict[Hashable, tuple[Lock, int]] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, key: Hashable, mark: Hashable, *, now: datetime) -> CachedResponse | None:
        """Return what was made under *key*, if it still is right."""
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None and kept.is_right(mark, now):
                self._kept.move_to_end(key)
                return kept
        return None

    def put(self, key: Hashable, kept: CachedResponse) -> None:
        """Keep an answer, unless it alone would take a fair part of the room."""
        with self._lock:
            self._drop(key)
            if kept.size > self.most_bytes // 8:
                return
            self._kept[key] = kept
            self.bytes += kept.size
            while self.bytes > self.most_bytes:
                self._drop(next(iter(self._kept)))

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self.bytes = 0

    @contextmanager
    def making(self, key: Hashable) -> Iterator[None]:
        """Let one make the answer while others wait for it: a hundred who ask at once are one piece of work."""
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
            self.bytes -= old.size
