"""Pages of divisions: tables for everyone; setting up, placing players and closing for directors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.access.permissions import require_permission
from players.access.requests import AccountRequest, parse_number, refusals_shown_to
from players.clubs.club_pages import ClubRights
from players.models import Club
from rankings.errors import RankingError, StandingChanged
from rankings.models import SeasonMove
from rankings.requests import get_club, get_season
from rankings.seasons import division_pages, printed_seasons
from rankings.seasons import divisions as services
from rankings.seasons.division_pages import DivisionLine, DivisionsPage
from rankings.seasons.season_forms import DivisionsForm

LONGEST: Final = 20


@require_safe
def divisions_page(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    club = get_club(request, slug)
    shown = division_pages.load_divisions_page(
        get_season(club=club, key=key), request.user, now=timezone.now()
    )
    values = {"club": club, "rights": ClubRights.load(request.user, club), "shown": shown}
    return render(request, "rankings/divisions.html", values)


@require_safe
def sheet(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    club = get_club(request, slug)
    season = get_season(club=club, key=key)
    tables = printed_seasons.build_division_sheets(
        division_pages.load_divisions_page(season, request.user, now=timezone.now())
    )
    return render(
        request, "rankings/divisions_sheet.html", {"club": club, "season": season, "sheets": tables}
    )


@require_http_methods(["GET", "POST"])
@require_permission("tournaments.direct")
def set_up(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    """Show and change the divisions of a season."""
    season = get_season(club=club, key=key)
    there = division_pages.list_divisions(season)
    form = DivisionsForm(request.POST or None, there=there)
    why: RankingError | None = None
    typed: list[services.DivisionTerms] = []
    seen = request.POST.get("seen", "") if form.is_bound else division_pages.compute_version_key(there, [])
    if form.is_bound and form.is_valid():
        try:
            services.set_up_divisions(
                season=season, terms=form.terms, seen=seen, by=request.user, now=timezone.now()
            )
        except StandingChanged as refusal:
            # The numbers of the rows that were sent can be those of other divisions now.
            why, typed, there = refusal, form.terms, division_pages.list_divisions(season)
            form = DivisionsForm(None, there=there)
            seen = division_pages.compute_version_key(there, [])
        except RankingError as refusal:
            why = refusal
        else:
            messages.success(request, _("The divisions are saved."))
            return redirect("rankings:divisions", club.slug, season.key)
    values = {
        **{"club": club, "season": season, "form": form, "why": why},
        **{"typed": typed, "seen": seen},
    }
    status = 422 if why or form.is_bound else 200
    return render(request, "rankings/divisions_form.html", values, status=status)


@require_http_methods(["GET", "POST"])
@require_permission("tournaments.direct")
def place(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    """Show and change the divisions of the players."""
    season = get_season(club=club, key=key)
    why: RankingError | None = None
    placings = _read_placings(request.POST)
    if request.method == "POST":
        try:
            count = services.place_players(
                season=season, placings=placings, by=request.user, now=timezone.now()
            )
        except RankingError as refusal:
            why = refusal
        else:
            message = ngettext("%(count)s player is placed.", "%(count)s players are placed.", count)
            messages.success(request, message % {"count": count})
            return redirect("rankings:divisions", club.slug, season.key)
    refused = {one.player: (one.was, one.number) for one in placings}
    people = division_pages.list_candidates(season, refused)
    values = {
        **{"club": club, "season": season, "why": why},
        "divisions": division_pages.list_divisions(season),
        "placed": [one for one in people if one.number is not None],
        "others": [one for one in people if one.number is None],
    }
    return render(request, "rankings/divisions_place.html", values, status=422 if why else 200)


@require_http_methods(["GET", "POST"])
@require_permission("tournaments.direct")
def close(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    """Show promotion and relegation, and let a director confirm them."""
    season, now = get_season(club=club, key=key), timezone.now()
    why: RankingError | None = None
    if request.method == "POST":
        following = get_season(club=club, key=request.POST.get("next", ""))
        try:
            services.close_season(
                season=season,
                following=following,
                seen=request.POST.get("seen", ""),
                overrules=_read_overrules(request.POST),
                by=request.user,
                now=now,
            )
        except RankingError as refusal:
            why = refusal
        else:
            messages.success(request, _("Confirmed. The players are placed in the next season."))
            return redirect("rankings:divisions", club.slug, following.key)
    shown = division_pages.load_divisions_page(season, request.user, now=now)
    if why:
        shown = _fill_in_overrules(shown, _read_overrules(request.POST))
    values = {
        **{"club": club, "shown": shown, "why": why, "later": division_pages.list_later(season)},
        "chosen": request.POST.get("next", ""),
    }
    return render(request, "rankings/divisions_close.html", values, status=422 if why else 200)


@require_POST
@require_permission("tournaments.direct")
def reopen(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    season = get_season(club=club, key=key)
    with refusals_shown_to(request):
        services.reopen_season(season=season, by=request.user, now=timezone.now())
        messages.success(request, _("Taken back. This season places no players in the next one."))
    return redirect("rankings:divisions", club.slug, season.key)


def _read_placings(posted: QueryDict) -> list[services.Placing]:
    """Read the placings that differ from those shown."""
    found = []
    for name in posted:
        if name.startswith("in_") and len(name) < LONGEST:
            player = name.removeprefix("in_")
            was, number = (parse_number(posted.get(each, ""), 3) for each in (f"was_{player}", name))
            if was != number:
                found.append(services.Placing(player, was, number))
    return found


def _read_overrules(posted: QueryDict) -> dict[str, services.Overrule]:
    """Read a director's decisions on each player; only moves that differ from the table need a reason."""
    return {
        name.removeprefix("goes_"): services.Overrule(
            posted.get(name, ""), posted.get(f"reason_{name.removeprefix('goes_')}", "")
        )
        for name in posted
        if name.startswith("goes_") and len(name) < LONGEST
    }


def _fill_in_overrules(shown: DivisionsPage, given: Mapping[str, services.Overrule]) -> DivisionsPage:
    """Return the page with the director's input filled in again after an error."""

    def line(row: DivisionLine) -> DivisionLine:
        overrule = given.get(row.move.player.key)
        if overrule is None or overrule.goes not in SeasonMove.values:
            return row
        return replace(row, goes=SeasonMove(overrule.goes), reason=overrule.reason)

    tables = tuple(replace(table, rows=tuple(line(row) for row in table.rows)) for table in shown.tables)
    return replace(shown, tables=tables)
