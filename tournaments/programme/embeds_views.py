"""Pages for frames on other sites: a bracket, standings, a club's next events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.contrib.auth.models import AnonymousUser
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from players.access import context, public_pages
from players.models import Club
from runtime import stream
from runtime.http import framing
from tournaments.base import lines
from tournaments.pages import access, etags, page_versions, tabs, tabs_views

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Tournament

MOST_EVENTS: Final = 12


@require_safe
@framing.framed
@etags.unless_unchanged
def bracket(request: HttpRequest, key: str) -> HttpResponse:
    event = access.find(key, AnonymousUser())
    shown = tabs.opened(event)
    drawn = [tabs_views.drawn(request, shown.view, part, None) for part in shown.view.parts if part.plays]
    return _of_event(request, event, shown.live, "embed/bracket.html", {"parts": drawn})


@require_safe
@framing.framed
@etags.unless_unchanged
def standings(request: HttpRequest, key: str) -> HttpResponse:
    """Show the current standings of an event."""
    event = access.find(key, AnonymousUser())
    shown = tabs.opened(event)
    return _of_event(request, event, shown.live, "embed/standings.html", {"tables": shown.parts.tables})


def _of_event(
    request: HttpRequest, event: Tournament, live: stream.Watch, template: str, values: dict[str, object]
) -> HttpResponse:
    context.set_club(request, event.club)
    frame = {
        "event": event,
        "theme": framing.theme(request),
        "topic": f"event.{event.key}",
        "live_topics": [live],
        "viewer": None,
    }
    return render(request, template, frame | values)


def _state(_request: HttpRequest, *, now: datetime, slug: str) -> public_pages.State:
    return public_pages.State(
        page_versions.compute_lists_key(club=slug),
        until=lambda: page_versions.find_next_change(now=now, club=slug),
    )


@require_safe
@framing.framed
@public_pages.page(_state, knows={"theme"})
def club_events(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club's running and next events."""
    club = get_object_or_404(Club, slug=slug)
    context.set_club(request, club)
    live = stream.watch(f"club.{club.slug}")
    visitor = AnonymousUser()
    now = timezone.now()
    ahead = lines.upcoming(lines.visible(visitor).filter(club=club), now=now)
    values = {
        "club": club,
        "lines": lines.read(ahead[:MOST_EVENTS], visitor, now=now),
        "theme": framing.theme(request),
        "topic": f"club.{club.slug}",
        "live_topics": [live],
        "viewer": None,
    }
    return render(request, "embed/events.html", values)
