"""Pages of dated lists, and their schedule for directors."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from players.access import requests
from players.access.permissions import require_permission
from players.access.requests import AccountRequest, get_page_number
from players.clubs.club_pages import ClubRights
from players.models import Club
from rankings.lists import dated_lists, dated_pages, printed_lists
from rankings.lists.list_forms import DatedForm
from rankings.models import DatedInterval
from rankings.requests import get_club, get_list


@require_safe
def published(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    club = get_club(request, slug)
    found = get_list(club=club, key=key)
    values = {
        "club": club,
        "list": found,
        "page": requests.paginate(
            dated_pages.list_published(found), get_page_number(request), lambda row: row
        ),
        "form": DatedForm(initial={"each": found.dated})
        if ClubRights.load(request.user, club).direct
        else None,
    }
    return render(request, "rankings/dated_lists.html", values)


@require_http_methods(["POST"])
@require_permission("tournaments.direct")
def schedule(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    """Publish the list each week or month, or stop."""
    found = get_list(club=club, key=key)
    form = DatedForm(request.POST)
    if form.is_valid():
        each = DatedInterval(form.cleaned_data["each"])
        dated_lists.schedule(rating_list=found, each=each, by=request.user, now=timezone.now())
        messages.success(request, _("Saved. Published lists do not change."))
    return redirect("rankings:dated_lists", club.slug, found.key)


@require_safe
def dated_list(request: HttpRequest, slug: str, key: str, day: str) -> HttpResponse:
    club = get_club(request, slug)
    of = get_list(club=club, key=key)
    found = dated_pages.get_dated_list(of, day)
    found.list = of
    values = {
        "club": club,
        "shown": dated_pages.load_dated_page(found, request.user, number=get_page_number(request)),
    }
    return render(request, "rankings/dated_list.html", values)


@require_safe
def sheet(request: HttpRequest, slug: str, key: str, day: str) -> HttpResponse:
    club = get_club(request, slug)
    found = dated_pages.get_dated_list(get_list(club=club, key=key), day)
    values = {"club": club, "sheet": printed_lists.build_dated_sheet(found)}
    return render(request, "rankings/sheet.html", values)
