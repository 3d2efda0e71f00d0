"""Pages for watching only: embedded in another site, or on a screen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from django.contrib.auth.models import AnonymousUser
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from matches.journal import live
from matches.play import match_page, sources, watching
from matches.play.play_views import find
from runtime import stream
from runtime.http import framing

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from matches.play.watching import View
    from matches.state.match_state import MatchState

# Valid values in the URL; anything else means the first.
BOARDS: Final = ("club", "sea", "night", "flat", "clear")
# Lines needed for the last moves: a move takes two, the start of a game a few more.
LINES: Final = 30


@require_safe
@never_cache
@framing.framed
def embed(request: HttpRequest, key: str) -> HttpResponse:
    """Show a board embedded in another site, as an anonymous viewer sees it."""
    seen = watching.get_or_404(key, AnonymousUser())
    return _shown(request, seen, "matches/embed.html", {"theme": framing.theme(request)})


@require_safe
@never_cache
def tv(request: HttpRequest, key: str) -> HttpResponse:
    """Show a board on a screen, always as spectators see it."""
    seen = replace(find(request, key), role=watching.Role.SPECTATOR, side=None, has_account=False)
    return _shown(request, seen, "matches/tv.html", {"theme": "dark"})


def _shown(request: HttpRequest, seen: View, template: str, more: dict[str, Any]) -> HttpResponse:
    now = timezone.now()
    # The positions of the streams are read before the content that they update.
    topics = stream.watch(*seen.topics)
    state = watching.load_state(seen, now=now)
    data = match_page.build_script_data(seen, state, now=now) | {"frames": _frames(seen, state)}
    values = {
        "page": match_page.build_page(seen, state),
        "match_data": data,
        "live_topics": [stream.Watch(((seen.frames, state.head),)), topics],
        "board": read_choice(request, "board", BOARDS),
        # Nothing personal on a public page.
        "viewer": None,
    }
    return render(request, template, values | more)


def _frames(seen: View, state: MatchState) -> list[dict[str, Any]]:
    """Return the last frames shown, without dice data for players."""
    family = sources.DELAYED if seen.waits else live.FAMILY
    after = max(0, state.head - LINES)
    found = sources.FILMS.get(family, seen.row, upto=state.head, after=after).after(after) or ()
    return [{"line": each["line"], "state": each["state"]} for each in found]


def read_choice(request: HttpRequest, name: str, known: tuple[str, ...]) -> str:
    """Return the value of a URL parameter, or the first known one if invalid."""
    asked = request.GET.get(name, "")
    return asked if asked in known else known[0]
