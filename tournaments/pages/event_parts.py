"""Parts of an event's pages that are the same for all viewers, cached until the event changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Final

from matches.play.boards import Tile
from runtime.stream import TopicPositions
from tournaments import hooks
from tournaments.base import event_view, local_times
from tournaments.base.event_lines import EventLine
from tournaments.base.event_view import EventView
from tournaments.hooks import EventSpace
from tournaments.models import Pairing, Tournament
from tournaments.pages import (
    agenda,
    finish,
    highlights,
    live_boards,
    page_cache,
    page_versions,
    standings_tables,
    timetable,
)
from tournaments.pages.agenda import Agenda, Progress
from tournaments.pages.finish import SideWinner
from tournaments.pages.highlights import EventFigures, Highlight
from tournaments.pages.standings_tables import StandingsTable
from tournaments.pages.timetable import Timetable
from tournaments.status import Status

# With so many known matches left the forecast takes a third of the time of a page, and a result hardly changes it.
MANY: Final = 50
KEPT: Final = timedelta(seconds=20)


@dataclass(frozen=True)
class EventParts:
    """The public view of an event; each part is computed on first use."""

    view: EventView
    now: datetime

    @property
    def size(self) -> int:
        """Number of rows, as the size of the cache entry."""
        return 1 + len(self.view.people) + len(self.view.plays)

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
        """Expected starts; the same within one slot of five minutes.

        While many matches are left, the results of the next seconds do not change them; a new round does.
        """
        event, space = self.view.event, self.space
        left = sum(play.state in timetable.OPEN for play in self.view.plays)
        if space is None or left < MANY:
            return timetable.forecast_event(self.view, now=self.now, space=space)
        slot = local_times.compute_slot_end(self.now)
        rounds = [max((play.round for play in part.plays), default=0) for part in self.view.parts]
        cached = page_cache.get_or_compute(
            "times",
            event.key,
            mark=(slot, event.status, event.paused_at, space.room.tables, space.room.breaks, tuple(rounds)),
            make=lambda: timetable.forecast_event(self.view, now=self.now, space=space),
            now=self.now,
            until=lambda: self.now + KEPT,
            size=lambda _times: self.size,
        )
        return timetable.drop_opened(cached, self.view)

    @cached_property
    def progress(self) -> Progress:
        return agenda.count_progress(self.view, self.times)

    @cached_property
    def boards(self) -> tuple[Tile, ...]:
        return live_boards.list_event_boards(self.view)

    @cached_property
    def story(self) -> tuple[Highlight, ...]:
        return highlights.list_highlights(self.view)

    @cached_property
    def tables(self) -> tuple[StandingsTable, ...]:
        return standings_tables.build_tables(self.view)

    @cached_property
    def side_winners(self) -> tuple[SideWinner, ...]:
        return finish.list_side_winners(self.view)

    @cached_property
    def figures(self) -> EventFigures:
        return highlights.compute_figures(self.view)

    @cached_property
    def last_position(self) -> Tile | None:
        return finish.find_last_position(self.view)


def load_parts(key: str, *, now: datetime) -> EventParts:
    """Return the parts of an event without drafts, from the cache if possible.

    Events that are not public are not cached.
    """

    def read() -> EventParts:
        return EventParts(event_view.load_view(Tournament.objects.select_related("club").get(key=key)), now)

    mark = page_versions.compute_event_key(key, now=now)
    if mark is None:
        return read()
    return page_cache.get_or_compute(
        "event", key, mark=mark, make=read, now=now, size=lambda parts: parts.size
    )


def load_view_with(event: Tournament, match: Pairing, *, now: datetime) -> EventView:
    """Return an event with this match: from the cache, unless the match belongs to a drafted round."""
    view = load_parts(event.key, now=now).view
    return view if match.key in view.by_key else event_view.load_view(event, with_drafts=True)


MOST_BOARDS: Final = 4


@dataclass(frozen=True, slots=True)
class LiveEvent:
    line: EventLine
    progress: Progress
    boards: tuple[Tile, ...]

    @property
    def names(self) -> str:
        """Topics of the boards, separated by spaces."""
        return " ".join(tile.topic for tile in self.boards)

    @property
    def watches(self) -> list[TopicPositions]:
        """Topics of the boards, with the version that is rendered."""
        return [tile.watch for tile in self.boards]


def find_live_event(lines: Sequence[EventLine], *, now: datetime) -> LiveEvent | None:
    """Return the first of these events that is running and has stages; None without one."""
    line = next((each for each in lines if each.is_running and each.is_staged), None)
    if line is None:
        return None
    parts = load_parts(line.key, now=now)
    return LiveEvent(line, parts.progress, parts.boards[:MOST_BOARDS])
