"""The score sheet of one match: a page for the phone on the table, and the taps that it sends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.keys import new_key
from records.errors import NotYourSheet, RecordError
from records.forms import TapForm
from records.selectors import sheets
from records.services import keeping
from tournaments.errors import TournamentError
from tournaments.selectors import page
from tournaments.views import event_page

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from records.selectors.sheets import SheetPage
    from tournaments.models import Tournament

JSON = "application/json"


@login_required
@require_http_methods(["GET", "POST"])
def score_sheet(request: HttpRequest, key: str, match: str) -> HttpResponse:
    """Show the sheet of a match to those who keep it, and take their taps."""
    event = page.find(key, request.user)
    try:
        shown = sheets.page_of(event, match, event_page.signed_in(request))
    except NotYourSheet:
        return redirect("tournaments:games", key=key, match=match)
    if shown is None:
        raise Http404
    if request.method == "POST":
        return _tap(request, event, shown)
    if _wants_data(request):
        return JsonResponse({"sheet": shown.data})
    return _show(request, shown)


def part_of_mine(request: HttpRequest, key: str, match: str) -> str | None:
    """Return the address of the sheet, for a player's own match on the event's page."""
    return reverse("records:sheet", args=[key, match])


def _tap(request: HttpRequest, event: Tournament, shown: SheetPage) -> HttpResponse:
    form = TapForm(request.POST)
    problem, status = "", 200
    if not form.is_valid():
        problem, status = _("Say who won this game."), 422
    else:
        try:
            keeping.tap(
                tournament_id=event.pk,
                match=shown.match,
                key=form.cleaned_data["key"],
                what=form.tap(),
                by=event_page.signed_in(request),
                now=timezone.now(),
            )
        except (RecordError, TournamentError) as refusal:
            problem, status = str(refusal), 409
    user = event_page.signed_in(request)
    fresh = sheets.page_of(event, shown.match, user) or shown
    if _wants_data(request):
        return JsonResponse({"sheet": fresh.data, "problem": problem}, status=status)
    if problem:
        messages.error(request, problem)
        return _show(request, fresh, status=status)
    return redirect("records:sheet", key=event.key, match=shown.match)


def _wants_data(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "") == JSON


def _show(request: HttpRequest, shown: SheetPage, *, status: int = 200) -> HttpResponse:
    values = {
        "sheet": shown,
        "key": new_key(),
        "data": shown.data,
        "words": shown.words,
        "live_topics": [shown.topic],
    }
    return render(request, "records/sheet.html", values, status=status)
