"""The front page; a start waits for what it imports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from players.views import shared
from tournaments.selectors import home_page, page_versions

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from runtime.stream import Watch
    from tournaments.selectors.night import Night

MOST_TOPICS = 8


def _state(_request: HttpRequest, *, now: datetime) -> shared.State:
    """Return what the page is made of for a stranger."""
    return shared.State(page_versions.of_evenings(), until=lambda: page_versions.next_turn(now=now))


@require_safe
@shared.page(_state)
def home(request: HttpRequest) -> HttpResponse:
    """Show what is on: to a stranger everywhere, to a member in their own clubs."""
    now = timezone.now()
    if request.user.is_authenticated:
        mine = home_page.for_member(request.user, now=now)
        values = {
            "member": mine,
            "night": mine.night,
            "live_topics": [*mine.topics[:MOST_TOPICS], *_watched(mine.night)],
        }
        return render(request, "home.html", values)
    public = home_page.for_visitor(request.user, now=now)
    topics = sorted({f"club.{line.club_slug}" for line in public.tonight})
    return render(
        request,
        "home.html",
        {
            "public": public,
            "night": public.night,
            "live_topics": [*topics[:MOST_TOPICS], *_watched(public.night)],
        },
    )


def _watched(shown: Night | None) -> list[Watch]:
    """Return the streams of the boards that are shown."""
    return shown.watches if shown is not None else []
