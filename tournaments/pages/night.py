"""A running event on the pages of its club and on the front page."""

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
    """A running event with its progress and live boards."""

    line: EventLine
    progress: Progress
    boards: tuple[Tile, ...]

    @property
    def names(self) -> str:
        """Topics of the boards, separated by spaces."""
        return " ".join(tile.topic for tile in self.boards)

    @property
    def watches(self) -> list[Watch]:
        """Topics of the boards, with the version that is rendered."""
        return [tile.watch for tile in self.boards]


def find_night(lines: Sequence[EventLine], *, now: datetime) -> Night | None:
    """Return the first of these events that is running here."""
    line = next((each for each in lines if each.is_running and each.is_staged), None)
    if line is None:
        return None
    parts = event_parts.load_parts(line.key, now=now)
    return Night(line, parts.progress, parts.boards[:MOST_BOARDS])
