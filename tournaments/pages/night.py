"""What is going on at a running event, as the pages of its club and the front page show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tournaments.pages import event_parts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from matches.play.boards import Tile
    from runtime.stream import Watch
    from tournaments.base.lines import EventLine
    from tournaments.pages.progress import Progress

MOST_BOARDS: Final = 4


@dataclass(frozen=True, slots=True)
class Night:
    """A running event: how far it is, and the boards that are played at."""

    line: EventLine
    progress: Progress
    boards: tuple[Tile, ...]

    @property
    def names(self) -> str:
        """The streams that tell of its boards."""
        return " ".join(tile.topic for tile in self.boards)

    @property
    def watches(self) -> list[Watch]:
        """The same, from what is drawn on."""
        return [tile.watch for tile in self.boards]


def of(lines: Sequence[EventLine], *, now: datetime) -> Night | None:
    """Return what is going on at the first of these events that is being played here."""
    line = next((each for each in lines if each.is_running and each.is_staged), None)
    if line is None:
        return None
    parts = event_parts.of(line.key, now=now)
    return Night(line, parts.progress, parts.boards[:MOST_BOARDS])
