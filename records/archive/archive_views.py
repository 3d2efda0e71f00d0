"""The archive's pages: matches, positions, openings by roll, and a player's statistics."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from engine.situation import Situation
from matches.play.boards import draw_mini_board
from players.access import context
from players.access.requests import SiteRequest, get_page_number
from players.models import Club
from records.archive import archive, figures, sightings
from records.archive import openings as opening_plays
from records.archive import positions as position_search
from records.archive.figures import PlayerFigures
from records.archive.positions import Occurrences


@require_safe
def search(request: SiteRequest) -> HttpResponse:
    club = archive.find_club(request.GET)
    form = archive.ArchiveForm(request.GET)
    form.is_valid()
    page = archive.load_page(
        archive.search_matches(request.user, form.search(), club), get_page_number(request)
    )
    values = {
        "page": page,
        "is_cut": page.total >= archive.MOST_FOUND,
        "form": form,
        "endings": archive.ENDINGS.items(),
    }
    return _render_page(request, "records/archive.html", club, values)


@require_safe
def positions(request: SiteRequest) -> HttpResponse:
    club = archive.find_club(request.GET)
    text = request.GET.get("position", "").replace("\x00", "").strip()[:200]
    named = sightings.parse_position(text) if text else None
    values: dict[str, Any] = {"asked": text, "is_unknown": bool(text) and named is None}
    if named is not None:
        board, side = named
        key = sightings.build_key(board, side)
        values["board"] = draw_mini_board(Situation(board=board, turn=side))
        values["found"] = position_search.find_occurrences(request.user, key, club)
    return _render_page(request, "records/positions.html", club, values)


@require_safe
def openings(request: SiteRequest) -> HttpResponse:
    """Show how an opening roll was played."""
    club = archive.find_club(request.GET)
    roll_text = request.GET.get("roll", "")
    is_asked = roll_text in ROLLS
    roll = int(roll_text) if is_asked else opening_plays.ROLLS[1]
    plays = opening_plays.list_plays(request.user, roll, club)
    if not plays and not is_asked and (latest := opening_plays.find_latest_roll(request.user, club)):
        roll, plays = latest, opening_plays.list_plays(request.user, latest, club)
    values = {
        "rolls": opening_plays.ROLLS,
        "roll": roll,
        "plays": plays,
        "games": sum(each.games for each in plays),
    }
    return _render_page(request, "records/openings.html", club, values)


ROLLS: Final = frozenset(map(str, opening_plays.ROLLS))


@require_safe
def player_figures(request: HttpRequest, key: str) -> HttpResponse:
    """Show a player's statistics over all matches."""
    found = figures.find_figures(request.user, key)
    if found is None:
        raise Http404
    return render(request, "records/figures.html", {"figures": found})


def build_player_part(request: HttpRequest, key: str) -> PlayerFigures | None:
    """Return the statistics for a player's page; None without games, since that page counts matches already."""
    found = figures.find_figures(request.user, key)
    return found if found is not None and found.games else None


def build_position_part(request: HttpRequest, named: str) -> Occurrences | None:
    """Return the occurrences of a position for another page; None if *named* is no position."""
    found = sightings.parse_position(named)
    if found is None:
        return None
    return position_search.find_occurrences(request.user, sightings.build_key(*found))


@require_safe
def archived_match(request: SiteRequest, key: str) -> HttpResponse:
    row = get_object_or_404(archive.load_relations(archive.list_visible(request.user)), record__key=key)
    if row.club is not None:
        context.set_club(request, row.club)
    line = archive.build_line(row)
    values = {"line": line, "club": row.club, "games": figures.list_games(row, line.names)}
    return render(request, "records/archived.html", values)


def _render_page(
    request: SiteRequest, template: str, club: Club | None, values: dict[str, Any]
) -> HttpResponse:
    if club is not None:
        context.set_club(request, club)
    query = request.GET.copy()
    query.pop("page", None)
    return render(request, template, {**values, "club": club, "address": query.urlencode()})
