"""The front page; a start waits for what it imports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from players.views import shared
from runtime import slots
from tournaments.selectors import home_page, page_versions

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from tournaments.selectors.night import Night

MOST_TOPICS = 8
# A place for what is new once a day.
DAILY = "home.daily"


def _state(_request: HttpRequest, *, now: datetime) -> shared.State:
    """Return what the page is made of for a stranger."""
    mark = (*page_versions.of_evenings(), *slots.marks(DAILY))
    return shared.State(mark, until=lambda: page_versions.next_turn(now=now))


@require_safe
@shared.page(_state)
def home(request: HttpRequest) -> HttpResponse:
    """Show what is on: to a stranger everywhere, to a member in their own clubs."""
    now = timezone.now()
    if request.user.is_authenticated:
        mine = home_page.for_member(request.user, now=now)
        return _shown(request, {"member": mine}, mine.topics, mine.night)
    public = home_page.for_visitor(request.user, now=now)
    topics = sorted({f"club.{line.club_slug}" for line in public.tonight})
    return _shown(request, {"public": public}, topics, public.night)


def _shown(
    request: HttpRequest, values: dict[str, object], topics: list[str], night: Night | None
) -> HttpResponse:
    """Show the page, which follows its clubs and the boards on it."""
    clubs = topics[:MOST_TOPICS]
    watched = night.watches if night is not None else []
    values |= {"night": night, "night_topics": clubs, "live_topics": [*clubs, *watched]}
    return render(request, "home.html", values)
