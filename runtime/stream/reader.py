"""An open stream in the hub."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from runtime.stream.rights import Bearer, StreamCheck

if TYPE_CHECKING:
    from runtime.stream.events import Event


class Reader:
    """An open stream: its bearer, and its position in each topic."""

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
        # The person's name, after the check of rights.
        self.name: str | None = None
        self.muted: frozenset[str] = frozenset()
        # Highest numbers announced while the reader is joining.
        self.heard = dict.fromkeys(cursors, 0)
        self.lost: set[str] = set()
        self.wake = asyncio.Event()
        self.is_gone = False
        # Rights may have changed since the last check.
        self.is_doubted = False
        self.is_refused = False

    @property
    def permissions(self) -> StreamCheck:
        return StreamCheck(self.bearer, tuple(self.cursors))

    def wants(self, event: Event) -> bool:
        """True unless the event's author is muted."""
        author = event.data.get("author") if self.muted else None
        return author is None or author["key"] not in self.muted

    def is_meant_by(self, names: set[str]) -> bool:
        """True if *names* contains the person, the bearer or a topic; always while the person is unknown."""
        is_theirs = self.name is None or self.name in names or self.bearer.who in names
        return is_theirs or not names.isdisjoint(self.cursors)
