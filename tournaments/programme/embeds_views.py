"""Pages for frames on other sites: a bracket, standings, a club's next events."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from players.access import context, public_pages
from players.models import Club
from runtime import stream
from runtime.http.content_security import allow_framing, read_theme
from tournaments.base import event_lines
from tournaments.pages import access, etags, tabs, tabs_views
from tournaments.programme import public_views

MOST_EVENTS: Final = 12


@require_safe
@allow_framing
@etags.check_etag
def bracket(request: HttpRequest, key: str) -> HttpResponse:
    shown = tabs.open_event(access.load_event(key, AnonymousUser()))
    parts = [part for part in shown.view.parts if part.plays]
    drawn = [tabs_views.build_stage_display(request, shown.view, part, None) for part in parts]
    return _render_frame(request, shown, "embed/bracket.html", {"parts": drawn})


@require_safe
@allow_framing
@etags.check_etag
def standings(request: HttpRequest, key: str) -> HttpResponse:
    shown = tabs.open_event(access.load_event(key, AnonymousUser()))
    return _render_frame(request, shown, "embed/standings.html", {"tables": shown.parts.tables})


def _render_frame(
    request: HttpRequest, shown: tabs.OpenedEvent, template: str, values: dict[str, object]
) -> HttpResponse:
    context.set_club(request, shown.event.club)
    frame = {
        "event": shown.event,
        "theme": read_theme(request),
        "topic": f"event.{shown.event.key}",
        "live_topics": [shown.live],
        "viewer": None,
    }
    return render(request, template, frame | values)


@require_safe
@allow_framing
@public_pages.cache_page(public_views.build_lists_state, knows={"theme"})
def club_events(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club's running and next events."""
    club = get_object_or_404(Club, slug=slug)
    context.set_club(request, club)
    live = stream.record_positions(f"club.{club.slug}")
    visitor = AnonymousUser()
    now = timezone.now()
    ahead = event_lines.filter_upcoming(event_lines.query_visible(visitor).filter(club=club), now=now)
    values = {
        "club": club,
        "lines": event_lines.load_lines(ahead[:MOST_EVENTS], visitor, now=now),
        "theme": read_theme(request),
        "topic": f"club.{club.slug}",
        "live_topics": [live],
        "viewer": None,
    }
    return render(request, "embed/events.html", values)
