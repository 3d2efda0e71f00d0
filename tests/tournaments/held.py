"""What is kept of events and lists is held against what would be read now."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

import pytest
from django.contrib.auth.models import AnonymousUser

from players.models import Club
from tests.tournaments.event_desk import Desk
from tournaments.base import event_view
from tournaments.models import Tournament
from tournaments.pages import event_parts, page_cache
from tournaments.pages.event_parts import EventParts
from tournaments.programme import calendar, home_page

OF_EVENT: Final = ("plan", "times", "progress", "boards", "story", "side_winners", "last_position", "figures")


def anew(key: str, now: datetime) -> EventParts:
    """The parts of an event's page, built without the cache."""
    return EventParts(event_view.load_view(Tournament.objects.select_related("club").get(key=key)), now)


def rows(parts: EventParts) -> list[Any]:
    """Return everything an event's view holds, down to the columns that only some are shown."""
    view = parts.view
    stages = [(values(part.stage), part.plays) for part in view.parts]
    return [values(view.event), values(view.event.club), stages, view.people, view.player_of]


def values(row: Any) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def tables(parts: EventParts) -> list[Any]:
    return [(table.title, table.columns, table.rows, table.why, table.noted) for table in parts.tables]


def hold(desk: Desk) -> EventParts:
    """Hold what is kept of a desk's event and club against what is read now; return it."""
    key, now = desk.event.key, desk.now
    given, due = event_parts.load_parts(key, now=now), anew(key, now)
    assert rows(given) == rows(due)
    assert tables(given) == tables(due)
    for name in OF_EVENT:
        assert getattr(given, name) == getattr(due, name), name
    hold_lists(desk.club, now)
    return given


def hold_lists(club: Club, now: datetime) -> None:
    visitor = AnonymousUser()

    def read() -> tuple[Any, ...]:
        found = Club.objects.get(pk=club.pk)
        diary = calendar.load_club_events(visitor, found, past=5, now=now)
        home = home_page.load_public_home(visitor, now=now)
        return diary.past, diary.club_year, diary.night, home.results, home.night

    given = read()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page_cache, "get_or_compute", lambda *_key, make, **_how: make())
        assert given == read()
