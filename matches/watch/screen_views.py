"""Pages for watching only: embedded in another site, or on a screen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from matches.journal import journal
from matches.play import match_access, match_page, sources
from matches.play.match_access import View
from matches.play.play_views import load_view
from matches.state.match_state import MatchState
from runtime import stream
from runtime.http.content_security import allow_framing, read_theme

# Valid values in the URL; anything else means the first.
BOARDS: Final = ("club", "sea", "night", "flat", "clear")
# Lines needed for the last moves: a move takes two, the start of a game a few more.
LINES: Final = 30


@require_safe
@never_cache
@allow_framing
def embed(request: HttpRequest, key: str) -> HttpResponse:
    """Show a board embedded in another site, as an anonymous viewer sees it."""
    seen = match_access.get_or_404(key, AnonymousUser())
    return _render_board(request, seen, "matches/embed.html", {"theme": read_theme(request)})


@require_safe
@never_cache
def tv(request: HttpRequest, key: str) -> HttpResponse:
    """Show a board on a screen, always as spectators see it."""
    seen = replace(load_view(request, key), role=match_access.Role.SPECTATOR, side=None, has_account=False)
    return _render_board(request, seen, "matches/tv.html", {"theme": "dark"})


def _render_board(request: HttpRequest, seen: View, template: str, more: dict[str, Any]) -> HttpResponse:
    now = timezone.now()
    # The positions of the streams are read before the content that they update.
    topics = stream.record_positions(*seen.topics)
    state = journal.load(seen.row)
    data = match_page.build_script_data(seen, state, now=now) | {"frames": _list_frames(seen, state)}
    values = {
        "page": match_page.build_page(seen, state),
        "match_data": data,
        "live_topics": [stream.TopicPositions(((seen.frames, state.head),)), topics],
        "board": read_choice(request, "board", BOARDS),
        # Nothing personal on a public page.
        "viewer": None,
    }
    return render(request, template, values | more)


def _list_frames(seen: View, state: MatchState) -> list[dict[str, Any]]:
    """Return the last frames shown, without dice data for players."""
    after = max(0, state.head - LINES)
    found = sources.FILMS.get(seen.row, upto=state.head, after=after).after(after) or ()
    return [{"line": each["line"], "state": each["state"]} for each in found]


def read_choice(request: HttpRequest, name: str, known: tuple[str, ...]) -> str:
    """Return the value of a URL parameter, or the first known one if invalid."""
    chosen = request.GET.get(name, "")
    return chosen if chosen in known else known[0]
