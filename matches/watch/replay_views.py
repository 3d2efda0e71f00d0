"""Replay pages, and their embedded version."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from engine.side import BySide, Side
from matches.journal import replays
from matches.journal.replays import ReplaySubject
from matches.models import Match
from matches.play import match_access
from matches.play.play_views import build_snippet, load_view
from matches.state import clock_words
from matches.state.status import ENDED
from matches.watch import replay_page
from matches.watch.screen_views import BOARDS, read_choice
from players.access import context
from runtime.http.content_security import allow_framing, read_theme


@require_safe
@never_cache
def replay(request: HttpRequest, key: str) -> HttpResponse:
    """Show the replay of a finished match; others redirect to the board."""
    seen = load_view(request, key)
    row = seen.row
    if row.status not in ENDED:
        return redirect("matches:match", key=key)
    if row.club is not None:
        context.set_club(request, row.club)
    found = build_replay_page(request, row, below=seen.side or Side.WHITE, me=seen.side)
    return render(request, "matches/replay.html", {"page": found})


@require_safe
@never_cache
@allow_framing
def embed(request: HttpRequest, key: str) -> HttpResponse:
    """Show a replay embedded in another site, as an anonymous viewer sees it."""
    row = match_access.get_or_404(key, AnonymousUser()).row
    if row.status not in ENDED:
        return redirect("matches:embed", key=key)
    values = {
        "page": build_replay_page(request, row, below=Side.WHITE, me=None),
        "theme": read_theme(request),
        "board": read_choice(request, "board", BOARDS),
        # Nothing personal on a public page.
        "viewer": None,
    }
    return render(request, "matches/replay_embed.html", values)


def build_replay_page(request: HttpRequest, row: Match, *, below: Side, me: Side | None) -> dict[str, Any]:
    players = BySide(row.white, row.black)
    title = f"{row.white.public_name} {clock_words.DASH} {row.black.public_name}"
    files = [(".mat", "mat"), (".sgf", "sgf"), (".json", "record")]
    return replay_page.build_page(
        request,
        replays.load_replay(row),
        subject=ReplaySubject("match", row.key),
        seats=players.map(lambda each: (each.public_name, each.key)),
        has_pages=players.map(lambda each: not each.hidden_from_search and not row.is_private),
        below=below,
        me=me,
        day="" if row.finished_at is None else date_format(row.finished_at, "DATE_FORMAT"),
        back=(_("The match"), reverse("matches:match", args=[row.key])),
        files=tuple((name, reverse(f"api:match-{kind}", args=[row.key])) for name, kind in files),
        snippet=""
        if row.is_private
        else build_snippet(request, "matches:replay_embed", row.key, title, height=740),
    )
