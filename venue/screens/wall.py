"""The current content of a screen: its programme for the current event."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import override

from matches.play.boards import Tile
from players.models import Club
from runtime import stream
from tournaments.base import local_times
from tournaments.models import Tournament
from tournaments.pages import event_parts
from tournaments.pages.event_parts import EventParts
from tournaments.status import Status
from venue.models import Screen, Show
from venue.rooms import breaks
from venue.rooms.breaks import BreakLine
from venue.screens import slides
from venue.screens.slides import CallRow, Slide

# A stream accepts twelve topics.
MOST_EVENTS: Final = 6


@dataclass(frozen=True, slots=True)
class Announcement:
    """A call to announce by voice, once."""

    key: str
    words: str


@dataclass(frozen=True, slots=True)
class Wall:
    """The content of a screen; for a waiting one, only its letters."""

    topics: tuple[str, ...]
    token: str
    now: datetime
    # When it must be refreshed even if nothing happens.
    until: datetime | None
    letters: str = ""
    club: Club | None = None
    event: str = ""
    ends_at: datetime | None = None
    # Of the event, without those that are over.
    breaks: tuple[BreakLine, ...] = ()
    done: int = 0
    total: int = 0
    board: Tile | None = None
    announcement: str = ""
    slides: tuple[Slide, ...] = ()
    seconds: int = 0
    # The latest call, to which a screen turns; "" if there is none.
    newest: str = ""
    spoken: tuple[Announcement, ...] = ()
    language: str = ""

    @property
    def zone(self) -> str:
        return self.club.time_zone if self.club else "UTC"

    @property
    def crest(self) -> str:
        """The initials of the club, as shown on its checker."""
        return self.club.crest if self.club else ""


def build_wall(screen: Screen, *, now: datetime) -> Wall:
    club = screen.club
    if club is None:
        token = stream.create_token([screen.topic])
        return Wall((screen.topic,), token, now, until=screen.code_until, letters=screen.code)
    topics: tuple[str, ...] = (screen.topic, f"club.{club.slug}")
    # Recorded before the data is read, so that no change is missed.
    watched = [stream.record_positions(*topics)]
    played = Tournament.objects.filter(club=club, is_friendly=False)
    running = [*played.filter(status=Status.RUNNING).order_by("-starts_at", "-pk")]
    event = _find_event(screen, club, running)
    events_shown = {each.key: None for each in (*([event] if event else []), *running[:MOST_EVENTS])}
    of_events = tuple(f"event.{key}" for key in events_shown)
    topics += of_events
    watched.append(stream.record_positions(*of_events))
    parts = event_parts.load_parts(event.key, now=now) if event else None
    is_over = screen.announced_until is not None and screen.announced_until <= now
    announced = "" if is_over else screen.announcement
    board = next(iter(parts.boards), None) if parts and _is_wanted(screen, Show.BOARD) else None
    if board is not None:
        topics = (*topics, board.topic)
        watched.append(board.watch)
    ends_at = parts.progress.ends_at if parts else None
    called = (
        slides.list_calls(club, screen.room, parts, now=now)
        if screen.speaks or _is_wanted(screen, Show.CALLS)
        else ()
    )
    language = club.language or settings.LANGUAGE_CODE
    is_running = event is not None and event.status == Status.RUNNING
    planned = (
        breaks.list_lines(event, now=now) if event and is_running and _is_wanted(screen, Show.CLOCK) else []
    )
    turns = [local_times.compute_slot_end(now)] if ends_at else []
    turns += [at for line in planned for at in line.span[:2] if at > now]
    turns += [screen.announced_until] if announced and screen.announced_until else []
    turns += [row.until for row in called if row.until is not None]
    shown = [
        slide
        for show in Show
        if _is_wanted(screen, show)
        for slide in _list_slides(show, screen, club, parts, board, announced, called)
    ]
    return Wall(
        club=club,
        event=event.name if event else "",
        ends_at=ends_at,
        breaks=tuple(line for line in planned if not line.is_over),
        done=parts.progress.done if parts else 0,
        total=parts.progress.total if parts else 0,
        board=board,
        announcement=announced,
        # The club's picture if there is nothing else.
        slides=tuple(shown) or (Slide(Show.PICTURE.value, ""),),
        seconds=screen.seconds,
        topics=topics,
        token=stream.create_token(watched),
        now=now,
        until=min(turns, default=None),
        newest=called[0].key if called else "",
        spoken=_list_announcements(called, language, now=now) if screen.speaks else (),
        language=language,
    )


def _list_announcements(
    called: tuple[CallRow, ...], language: str, *, now: datetime
) -> tuple[Announcement, ...]:
    with override(language):
        return tuple(
            Announcement(
                row.key,
                # Translators: a call that is said aloud, such as "Table 4: Anna Meyer and Bob Jones"
                _("%(table)s: %(one)s and %(other)s")
                % {"table": row.where, "one": row.one, "other": row.other},
            )
            for row in reversed(called)
            if now - row.called_at < slides.STANDS
        )


def _find_event(screen: Screen, club: Club, running: list[Tournament]) -> Tournament | None:
    """Return the event of a screen: the chosen one, else the current one, else the last one played."""
    if screen.event is not None and screen.event.status != Status.DRAFT:
        return screen.event
    if running:
        return running[0]
    over = Tournament.objects.filter(club=club, is_friendly=False, status=Status.FINISHED)
    return over.order_by("-starts_at", "-pk").first()


def _is_wanted(screen: Screen, show: Show) -> bool:
    return screen.held == show.value or (not screen.held and show.value in screen.programme)


def _list_slides(
    show: Show,
    screen: Screen,
    club: Club,
    parts: EventParts | None,
    board: Tile | None,
    announced: str,
    called: tuple[CallRow, ...],
) -> Iterator[Slide]:
    if show is Show.CALLS:
        yield from slides.split_pages(show, _("Please go to your table"), called, slides.CALLS)
    elif show is Show.TABLES:
        title = screen.room.name if screen.room else _("Tables")
        yield from slides.split_pages(show, title, slides.build_plan(club, screen.room), slides.TABLES)
    elif show is Show.ANNOUNCEMENT:
        if announced:
            yield Slide(show.value, _("Announcement"))
    elif show is Show.PICTURE:
        yield Slide(show.value, "")
    elif parts is not None:
        yield from _list_event_slides(show, parts, board)


def _list_event_slides(show: Show, parts: EventParts, board: Tile | None) -> Iterator[Slide]:
    if show is Show.BRACKET:
        yield from slides.build_bracket_slides(parts)
    elif show is Show.ROUND:
        for title, rows in slides.list_rounds(parts):
            yield from slides.split_pages(show, title, rows, slides.LINES)
    elif show is Show.STANDINGS:
        yield from slides.build_standings_slides(parts)
    elif show is Show.CLOCK:
        yield Slide(show.value, "")
    elif show is Show.BOARD and board is not None:
        yield Slide(show.value, board.label)
