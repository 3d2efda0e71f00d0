"""Pages of seasons: tables for everyone; opening and changing for directors."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from players.access.permissions import require_permission
from players.access.requests import AccountRequest, get_page_number
from players.clubs.club_pages import ClubRights
from players.models import Club
from rankings.errors import BadDays, SeasonNameTaken, StandingChanged
from rankings.models import RatingList, Season
from rankings.requests import get_club, get_season
from rankings.seasons import fame, printed_seasons, season_pages
from rankings.seasons import seasons as services
from rankings.seasons.season_forms import SeasonForm
from runtime.refusals import build_form_error


@require_safe
def seasons_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club's seasons with their winners."""
    club = get_club(request, slug)
    values = {
        "club": club,
        "rights": ClubRights.load(request.user, club),
        "lists": RatingList.objects.filter(club=club).order_by("pk"),
        "seasons": season_pages.list_seasons(club, now=timezone.now()),
    }
    return render(request, "rankings/seasons.html", values)


@require_safe
def season(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Show a season's table and rules."""
    club = get_club(request, slug)
    found = get_season(club=club, key=key)
    values = {
        "club": club,
        "rights": ClubRights.load(request.user, club),
        "shown": season_pages.load_season_page(
            found, request.user, number=get_page_number(request), now=timezone.now()
        ),
    }
    return render(request, "rankings/season.html", values)


@require_safe
def sheet(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Show a season's whole table, for printing."""
    club = get_club(request, slug)
    shown = printed_seasons.build_season_sheet(get_season(club=club, key=key))
    return render(request, "rankings/sheet.html", {"club": club, "sheet": shown})


@require_safe
def hall_of_fame(request: HttpRequest, slug: str) -> HttpResponse:
    club = get_club(request, slug)
    values = {
        "club": club,
        "lists": RatingList.objects.filter(club=club).order_by("pk"),
        "fame": fame.load_fame(club, now=timezone.now()),
    }
    return render(request, "rankings/fame.html", values)


@require_http_methods(["GET", "POST"])
@require_permission("tournaments.direct")
def create(request: AccountRequest, club: Club) -> HttpResponse:
    day = season_pages.get_today(club, timezone.now())
    form = SeasonForm(
        request.POST or None,
        initial={"from_day": day.replace(month=1, day=1), "to_day": day.replace(month=12, day=31)},
    )

    def act() -> Season:
        return services.open_season(club=club, by=request.user, terms=form.terms, now=timezone.now())

    return _handle_form(request, club, form, act, None)


@require_http_methods(["GET", "POST"])
@require_permission("tournaments.direct")
def amend(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    """Change a season; its table is recomputed."""
    found = get_season(club=club, key=key)
    form = SeasonForm(request.POST or None, initial=SeasonForm.build_initial(found))

    def act() -> Season:
        seen = form.cleaned_data["seen"]
        return services.amend(season=found, by=request.user, terms=form.terms, seen=seen, now=timezone.now())

    return _handle_form(request, club, form, act, found)


def _handle_form(
    request: AccountRequest, club: Club, form: SeasonForm, act: Callable[[], Season], there: Season | None
) -> HttpResponse:
    if form.is_valid():
        try:
            made = act()
        except SeasonNameTaken as refusal:
            form.add_error("name", build_form_error(refusal))
        except BadDays as refusal:
            form.add_error("to_day", build_form_error(refusal))
        except StandingChanged as refusal:
            if there is not None:
                there.refresh_from_db()
                typed = request.POST.copy()
                typed["seen"] = season_pages.compute_version_key(there)
                form = SeasonForm(typed)
            messages.error(request, str(refusal), extra_tags=refusal.code)
        else:
            messages.success(request, _("The season is saved. Its finished events are counted."))
            return redirect("rankings:season", club.slug, made.key)
    values = {
        "club": club,
        "form": form,
        "heading": there.name if there else _("Open a season"),
        "lede": _("The whole table is recalculated with these settings, including past events.")
        if there
        else _("Events that are finished already count, if they began on one of its days."),
        "submit": _("Save") if there else _("Open the season"),
        "cancel": reverse("rankings:seasons", args=[club.slug]),
    }
    return render(request, "form_page.html", values, status=422 if form.is_bound else 200)
