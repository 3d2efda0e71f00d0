"""Printable pages for the noticeboard, the tables and the desk, A4 or Letter."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _

from players.access.requests import parse_number
from tournaments.base import event_view
from tournaments.desk import papers, printed_codes
from tournaments.models import ReportedBy, Tournament
from tournaments.pages import access, crosstable, standings_tables
from tournaments.plan import draw_sheet


@access.require_director("GET", "HEAD")
def index(request: HttpRequest, event: Tournament) -> HttpResponse:
    view = event_view.load_view(event)
    values = {
        "event": event,
        "tab": "print",
        "papers": papers.list_papers(event, view),
        "frames": _list_frames(request, event),
    }
    return render(request, "tournaments/papers/index.html", values)


@access.require_director("GET", "HEAD")
def draw(request: HttpRequest, event: Tournament) -> HttpResponse:
    view = event_view.load_view(event)
    is_blank = request.GET.get("blank") == "yes"
    if is_blank:
        players = parse_number(request.GET.get("players", ""), 4) or 0
        if not 2 <= players <= draw_sheet.LARGEST:
            players = max(2, len(view.people))
        tables = draw_sheet.build_blank_tables(event, view.parts, players)
    else:
        tables = draw_sheet.build_current_tables(view)
    if not tables:
        return redirect("tournaments:papers", key=event.key)
    title = _("Blank draw sheet") if is_blank else _("Draw sheet")
    return _show_paper(request, event, "draw", title, {"tables": tables, "is_blank": is_blank})


@access.require_director("GET", "HEAD")
def pairings(request: HttpRequest, event: Tournament) -> HttpResponse:
    rows = papers.list_pairings(event_view.load_view(event))
    return _show_paper(request, event, "pairings", _("Pairings by table"), {"rows": rows})


@access.require_director("GET", "HEAD")
def names(request: HttpRequest, event: Tournament) -> HttpResponse:
    rows = papers.list_players_by_name(event_view.load_view(event))
    return _show_paper(request, event, "names", _("Pairings by name"), {"rows": rows})


@access.require_director("GET", "HEAD")
def slips(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Show a slip for each open match, four to a page."""
    values = _build_coded_values(request, event)
    values["pages"] = papers.split_pages(values["rows"])
    return _show_paper(request, event, "slips", _("Result slips"), values)


@access.require_director("GET", "HEAD")
def score_sheet(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Show a score sheet: blank, or one for each open match."""
    values: dict[str, Any] = {"games": range(1, papers.GAMES + 1)}
    if request.GET.get("of") == "matches":
        values |= _build_coded_values(request, event)
        return _show_paper(request, event, "score_sheets", _("Score sheets"), values)
    return _show_paper(request, event, "score_sheet", _("Blank score sheet"), values)


@access.require_director("GET", "HEAD")
def standings(request: HttpRequest, event: Tournament) -> HttpResponse:
    tables = standings_tables.build_tables(event_view.load_view(event))
    return _show_paper(request, event, "standings", _("Standings"), {"tables": tables})


@access.require_director("GET", "HEAD")
def cross(request: HttpRequest, event: Tournament) -> HttpResponse:
    view = event_view.load_view(event)
    tables = [table for part in view.parts for table in crosstable.build_tables(view, part)]
    return _show_paper(request, event, "cross", _("Cross-table"), {"tables": tables})


@access.require_director("GET", "HEAD")
def entries(request: HttpRequest, event: Tournament) -> HttpResponse:
    by_rating = request.GET.get("by") == "rating"
    title = _("Entries by rating") if by_rating else _("Entries by name")
    rows = papers.list_entries(event, by_rating=by_rating)
    return _show_paper(request, event, "entries", title, {"rows": rows})


@access.require_director("GET", "HEAD")
def door(request: HttpRequest, event: Tournament) -> HttpResponse:
    values = {
        "code": printed_codes.draw_door_code(request, event, now=timezone.now()),
        "can_be_scanned": printed_codes.can_be_scanned(request),
    }
    return _show_paper(request, event, "door", _("Code at the door"), values)


def _build_coded_values(request: HttpRequest, event: Tournament) -> dict[str, Any]:
    """Return template values: the open matches with their codes, and what a code is for."""
    rows = papers.list_pairings(event_view.load_view(event))
    codes = printed_codes.draw_match_codes(request, event, [row.key for row in rows], now=timezone.now())
    return {
        "rows": [(row, codes.get(row.key)) for row in rows],
        "can_be_scanned": printed_codes.can_be_scanned(request),
        "players_report": event.reporting != ReportedBy.DIRECTOR,
    }


def _show_paper(
    request: HttpRequest, event: Tournament, name: str, title: str, values: dict[str, Any]
) -> HttpResponse:
    frame = {"event": event, "title": title, "now": timezone.now()}
    return render(request, f"tournaments/papers/{name}.html", frame | values)


def _list_frames(request: HttpRequest, event: Tournament) -> list[tuple[str, str, str]]:
    """List the frames for other sites: the name of a field, a title and the HTML snippet."""
    titles = {
        "bracket": (_("Bracket"), reverse("tournaments:embed_bracket", args=[event.key])),
        "standings": (_("Standings"), reverse("tournaments:embed_standings", args=[event.key])),
        "events": (_("Next events of the club"), reverse("tournaments:embed_events", args=[event.club.slug])),
    }
    frame = '<iframe src="{}" title="{}" width="100%" height="700" style="border:0" loading="lazy"></iframe>'
    return [
        (name, title, format_html(frame, request.build_absolute_uri(address), title))
        for name, (title, address) in titles.items()
    ]
