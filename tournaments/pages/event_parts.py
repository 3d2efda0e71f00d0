"""Parts of an event's pages that are the same for all viewers, cached until the event changes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tournaments import hooks
from tournaments.base import event_view
from tournaments.models import Tournament
from tournaments.pages import (
    agenda,
    figures,
    finish,
    kept,
    live_boards,
    order,
    page_versions,
    progress,
    story,
    timetable,
)
from tournaments.status import Status

if TYPE_CHECKING:
    from datetime import datetime

    from matches.play.boards import Tile
    from tournaments.base.event_view import EventView
    from tournaments.hooks import EventSpace
    from tournaments.pages.agenda import Agenda
    from tournaments.pages.figures import EventFigures
    from tournaments.pages.finish import SideWinner
    from tournaments.pages.order import OrderTable
    from tournaments.pages.progress import Progress
    from tournaments.pages.story import Moment
    from tournaments.pages.timetable import Timetable


@dataclass(frozen=True)
class EventParts:
    """The public view of an event; each part is computed on first use."""

    view: EventView
    now: datetime

    @property
    def size(self) -> int:
        """Number of rows, as the size of the cache entry."""
        return 1 + len(self.view.people) + sum(len(part.plays) for part in self.view.parts)

    @cached_property
    def plan(self) -> Agenda:
        return agenda.build_agenda(self.view)

    @cached_property
    def space(self) -> EventSpace | None:
        """The tables and breaks of the event, None if it has no table in its room."""
        event = self.view.event
        # Times are only shown for running events.
        return hooks.EVENT_SPACE.get()(event) if event.status == Status.RUNNING else hooks.UNLIMITED

    @cached_property
    def times(self) -> Timetable:
        """Expected starts; the same within one slot of five minutes."""
        return timetable.forecast_event(self.view, now=self.now, space=self.space)

    @cached_property
    def progress(self) -> Progress:
        return progress.count_progress(self.view, self.times)

    @cached_property
    def boards(self) -> tuple[Tile, ...]:
        return live_boards.list_live_boards(self.view)

    @cached_property
    def story(self) -> tuple[Moment, ...]:
        return story.list_highlights(self.view)

    @cached_property
    def tables(self) -> tuple[OrderTable, ...]:
        """The standings."""
        return order.tables(self.view)

    @cached_property
    def side_winners(self) -> tuple[SideWinner, ...]:
        return finish.list_side_winners(self.view)

    @cached_property
    def figures(self) -> EventFigures:
        """Statistics of the event."""
        return figures.compute_figures(self.view)

    @cached_property
    def last_position(self) -> Tile | None:
        return finish.find_last_position(self.view)


def load_parts(key: str, *, now: datetime) -> EventParts:
    """Return the parts of an event without drafts, from the cache if possible. Events that are not public are
    not cached.
    """

    def read() -> EventParts:
        return EventParts(event_view.read(Tournament.objects.select_related("club").get(key=key)), now)

    mark = page_versions.compute_event_key(key, now=now)
    if mark is None:
        return read()
    return kept.value("event", key, mark=mark, make=read, now=now, size=lambda parts: parts.size)
