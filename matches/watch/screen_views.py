"""A match that is only looked at: framed by another site, or filling a wall."""

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

# What an address may ask for; anything else is taken for the first.
BOARDS: Final = ("club", "sea", "night", "flat", "clear")
# Enough lines for the last moves of a wall: a move takes two, a game's beginning a few more.
LINES: Final = 30


@require_safe
@never_cache
@framing.framed
def embed(request: HttpRequest, key: str) -> HttpResponse:
    """Show a board to be framed by any site: what everybody may see, whoever looks."""
    seen = watching.get_or_404(key, AnonymousUser())
    return _shown(request, seen, "matches/embed.html", {"theme": framing.theme(request)})


@require_safe
@never_cache
def tv(request: HttpRequest, key: str) -> HttpResponse:
    """Show one table on a wall, as spectators see it: whoever put it there, others look at it."""
    seen = replace(find(request, key), role=watching.Role.SPECTATOR, side=None, has_account=False)
    return _shown(request, seen, "matches/tv.html", {"theme": "dark"})


def _shown(request: HttpRequest, seen: View, template: str, more: dict[str, Any]) -> HttpResponse:
    now = timezone.now()
    # Where the streams stand is noted before what they add to is read.
    topics = stream.watch(*seen.topics)
    state = watching.state_for(seen, now=now)
    data = match_page.data(seen, state, now=now) | {"frames": _frames(seen, state)}
    values = {
        "page": match_page.shown(seen, state),
        "match_data": data,
        "live_topics": [stream.Watch(((seen.frames, state.head),)), topics],
        "board": chosen(request, "board", BOARDS),
        # Nothing of whoever looks belongs on a page that others see.
        "viewer": None,
    }
    return render(request, template, values | more)


def _frames(seen: View, state: MatchState) -> list[dict[str, Any]]:
    """Return the last lines that were shown, without what only players' dice need."""
    family = sources.DELAYED if seen.waits else live.FAMILY
    after = max(0, state.head - LINES)
    found = sources.FILMS.get(family, seen.row, upto=state.head, after=after).after(after) or ()
    return [{"line": each["line"], "state": each["state"]} for each in found]


def chosen(request: HttpRequest, name: str, known: tuple[str, ...]) -> str:
    """Return which of the known values an address asks for, the first where it asks for none of them."""
    asked = request.GET.get(name, "")
    return asked if asked in known else known[0]
