"""The front page."""

from __future__ import annotations

from datetime import datetime
from hashlib import blake2b

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.views.decorators.http import etag, require_safe

from matches.hooks import HOME_HERO
from matches.journal import live
from players.access import public_pages
from runtime import stream
from runtime.stream import tokens
from tournaments.pages import live_boards, page_versions
from tournaments.programme import home_page
from tournaments.programme.home_page import MemberHome, PublicHome

# Topics of every stream: the viewer's own, and the lobby, which announces boards that begin or end.
ALWAYS_TOLD = 2


def _build_state(_request: HttpRequest, *, now: datetime) -> public_pages.PageVersion:
    mark = (*page_versions.compute_evenings_key(), *HOME_HERO.cache_keys())
    return public_pages.PageVersion(mark, until=lambda: page_versions.find_next_change(now=now))


@require_safe
@public_pages.cache_page(_build_state)
def home(request: HttpRequest) -> HttpResponse:
    """Show the current events: of all clubs to visitors, to members those of their clubs."""
    now = timezone.now()
    if request.user.is_authenticated:
        mine = home_page.load_member_home(request.user, now=now)
        return _render_home(request, {"member": mine}, mine.topics, mine)
    public = home_page.load_public_home(request.user, now=now)
    topics = sorted({f"club.{line.club_slug}" for line in public.tonight})
    return _render_home(request, {"public": public}, topics, public)


def _render_home(
    request: HttpRequest, values: dict[str, object], clubs: list[str], shown: PublicHome | MemberHome
) -> HttpResponse:
    """Render the page, subscribed to its boards, the lobby, and as many of its clubs as a stream allows."""
    tiles = (*(shown.night.boards if shown.night else ()), *shown.free)
    topics = [live.LOBBY, *clubs[: tokens.MOST_TOPICS - ALWAYS_TOLD - len(tiles)]]
    values |= {
        "night": shown.night,
        "free": shown.free,
        "free_names": " ".join(tile.topic for tile in shown.free),
        "follows": " ".join(tile.topic for tile in tiles),
        "night_topics": topics,
        "live_topics": [
            stream.TopicPositions(tuple(each for each in shown.positions.positions if each[0] in topics)),
            *(tile.watch for tile in tiles),
        ],
    }
    return render(request, "home.html", values)


def _build_boards_state(_request: HttpRequest, *, now: datetime) -> public_pages.PageVersion:
    return public_pages.PageVersion(live_boards.compute_version_key())


def _compute_etag(request: HttpRequest) -> str:
    state = repr((live_boards.compute_version_key(), request.LANGUAGE_CODE, static("img/mini.svg")))
    return f'W/"{blake2b(state.encode(), digest_size=12).hexdigest()}"'


@require_safe
@etag(_compute_etag)
@public_pages.cache_page(_build_boards_state)
def boards(request: HttpRequest) -> HttpResponse:
    """Render only the boards outside events; the page reloads them while they are in play."""
    tiles = live_boards.list_free_boards(now=timezone.now())
    response = render(request, "matches/_tiles.html", {"tiles": tiles})
    patch_cache_control(response, private=True, no_cache=True)
    return response
