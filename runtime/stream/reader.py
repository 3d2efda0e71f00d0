"""One open stream, as the hub knows it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from runtime.stream.rights import Ask, Bearer

if TYPE_CHECKING:
    from runtime.stream.events import Event


class Reader:
    """One open stream: whose it is, which topics, and how far it has read each."""

    __slots__ = (
        "bearer",
        "cursors",
        "heard",
        "is_doubted",
        "is_gone",
        "is_refused",
        "lost",
        "muted",
        "name",
        "wake",
    )

    def __init__(self, cursors: dict[str, int], bearer: Bearer = Bearer()) -> None:  # noqa: B008 - frozen
        self.cursors = cursors
        self.bearer = bearer
        # Of the person, as soon as it is known.
        self.name: str | None = None
        self.muted: frozenset[str] = frozenset()
        # What is spoken of while the reader is being let in.
        self.heard = dict.fromkeys(cursors, 0)
        self.lost: set[str] = set()
        self.wake = asyncio.Event()
        self.is_gone = False
        # Somebody's rights have changed, and this stream has not been asked about since.
        self.is_doubted = False
        self.is_refused = False

    @property
    def ask(self) -> Ask:
        """What must be allowed."""
        return Ask(self.bearer, tuple(self.cursors))

    def wants(self, event: Event) -> bool:
        """Say whether it is not the word of somebody who is muted."""
        author = event.data.get("author") if self.muted else None
        return author is None or author["key"] not in self.muted

    def is_meant_by(self, names: set[str]) -> bool:
        """Say whether one of *names* is the reader's, the bearer's or a topic's."""
        is_theirs = self.name is None or self.name in names or self.bearer.who in names
        return is_theirs or not names.isdisjoint(self.cursors)
