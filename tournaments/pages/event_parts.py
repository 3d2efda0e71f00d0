"""What the pages of an event show to everybody: read once for all who look, until something changes."""

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
    """An event as everybody sees it, its parts worked out when they are first asked for."""

    view: EventView
    now: datetime

    @property
    def size(self) -> int:
        """How many rows there are of it."""
        return 1 + len(self.view.people) + sum(len(part.plays) for part in self.view.parts)

    @cached_property
    def plan(self) -> Agenda:
        """Its matches by where they stand."""
        return agenda.of(self.view)

    @cached_property
    def space(self) -> EventSpace | None:
        """The tables and breaks it is played with, None where no table of its room is free for it."""
        event = self.view.event
        # Only running events have times to show.
        return hooks.EVENT_SPACE.get()(event) if event.status == Status.RUNNING else hooks.UNLIMITED

    @cached_property
    def times(self) -> Timetable:
        """When matches to come may begin: the same in all of these five minutes."""
        return timetable.of(self.view, now=self.now, space=self.space)

    @cached_property
    def progress(self) -> Progress:
        """How far it is."""
        return progress.of(self.view, self.times)

    @cached_property
    def boards(self) -> tuple[Tile, ...]:
        """The boards that are played at."""
        return live_boards.of(self.view)

    @cached_property
    def story(self) -> tuple[Moment, ...]:
        """What is worth telling of it."""
        return story.of(self.view)

    @cached_property
    def tables(self) -> tuple[OrderTable, ...]:
        """Its order."""
        return order.tables(self.view)

    @cached_property
    def side_winners(self) -> tuple[SideWinner, ...]:
        """Who won the brackets beside the main one."""
        return finish.side_winners(self.view)

    @cached_property
    def figures(self) -> EventFigures:
        """What was played in it, counted."""
        return figures.of(self.view)

    @cached_property
    def last_position(self) -> Tile | None:
        """The board of the final as it ended."""
        return finish.last_position(self.view)


def of(key: str, *, now: datetime) -> EventParts:
    """Return the parts of an event, without what is drafted; those of a draft are read anew each time."""

    def read() -> EventParts:
        return EventParts(event_view.read(Tournament.objects.select_related("club").get(key=key)), now)

    mark = page_versions.of_event(key, now=now)
    if mark is None:
        return read()
    return kept.value("event", key, mark=mark, make=read, now=now, size=lambda parts: parts.size)
