"""The page of a match, for players, directors and spectators."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from matches.journal import journal
from matches.play import match_access, match_page, visitor_sessions
from matches.play.match_access import View
from players.access import context
from runtime import stream


def load_view(request: HttpRequest, key: str) -> View:
    """Return the match as the viewer may see it.

    :raises Http404: there is no such match, or the caller may not know of it.
    """
    return match_access.get_or_404(key, visitor_sessions.get_viewer(request))


@require_safe
@never_cache
def match(request: HttpRequest, key: str) -> HttpResponse:
    seen = load_view(request, key)
    if seen.row.club is not None:
        context.set_club(request, seen.row.club)
    now = timezone.now()
    # The positions of the streams are read before the content that they update.
    topics = stream.record_positions(*seen.topics)
    state = journal.load(seen.row)
    page = match_page.build_page(seen, state)
    is_guided = page["is_player"] and seen.row.has_bot and "guide" in request.GET
    values = {
        "page": page,
        "match_data": match_page.build_script_data(seen, state, now=now),
        "is_guided": is_guided,
        "live_topics": [stream.TopicPositions(((seen.frames, state.head),)), topics],
        "snippet": build_snippet(request, "matches:embed", key, page["title"], height=690),
    }
    return render(request, "matches/match.html", values)


def build_snippet(request: HttpRequest, page: str, key: str, title: str, *, height: int) -> str:
    """Return the HTML with which another site embeds this page of a match."""
    address = request.build_absolute_uri(reverse(page, args=[key]))
    frame = '<iframe src="{}" title="{}" width="640" height="{}" style="border:0;max-width:100%" loading="lazy"></iframe>'
    return format_html(frame, address, title, height)
