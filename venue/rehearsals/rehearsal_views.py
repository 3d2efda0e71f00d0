"""Rehearsals: created at the desk, played from each of their pages, and deleted."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.access.callers import found_or_404
from players.access.permissions import may_know
from players.access.requests import refusals_added_to, refusals_shown_to
from tournaments.models import Tournament
from tournaments.pages import access
from tournaments.status import Status
from venue.models import Goal, Rehearsal
from venue.rehearsals import rehearsal_play, rehearsing
from venue.rehearsals.rehearsal_play import RehearsalStatus

# Tabs of the desk that link to a rehearsal.
TABS = ("desk", "roster", "draw")


class RehearsalForm(forms.Form):
    players = forms.IntegerField(
        label=gettext_lazy("Players"),
        min_value=0,
        max_value=128,
        required=False,
        help_text=gettext_lazy("Everyone who has entered takes part; made-up players fill the other places."),
    )


@access.require_director("GET", "POST")
def start(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Explain rehearsals and create one; redirect to an existing one."""
    there = rehearsal_play.find_rehearsal(of=event)
    if there is not None:
        return redirect("tournaments:desk", there.key)
    if event.club.rehearses_id is not None:
        return redirect("tournaments:desk", event.key)
    entered = event.entries.filter(withdrawn_at__isnull=True, waits=False).count()
    form = RehearsalForm(request.POST or None, initial={"players": max(entered, 8)})
    if request.method == "POST" and form.is_valid():
        by, players = access.require_user(request), form.cleaned_data["players"] or 0
        with refusals_added_to(form):
            made = rehearsing.start(tournament_id=event.pk, by=by, now=timezone.now(), players=players)
            return redirect("tournaments:roster", made.event.key)
    values = {"event": event, "tab": "rehearsal", "form": form}
    return render(request, "venue/rehearse.html", values, status=422 if form.errors else 200)


@access.require_director(form="tournaments:desk")
def play(request: HttpRequest, event: Tournament) -> HttpResponse:
    goal, by = request.POST.get("goal", ""), access.require_user(request)
    pace = 3 if request.POST.get("pace") == "slow" else 0
    try:
        with refusals_shown_to(request):
            if goal == "stop":
                rehearsing.stop(tournament_id=event.pk, by=by)
            elif goal in Goal.values:
                rehearsing.play(tournament_id=event.pk, goal=Goal(goal), by=by, now=timezone.now(), pace=pace)
    except Rehearsal.DoesNotExist as missing:
        raise Http404 from missing
    back = request.POST.get("back", "")
    # `redirect` would take a word without a slash as a view name.
    if not (back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=None)):
        return redirect("tournaments:desk", event.key)
    return redirect(back)


@access.require_director(form="tournaments:desk")
def discard(request: HttpRequest, event: Tournament) -> HttpResponse:
    shown = found_or_404(rehearsal_play.find_rehearsal(event=event))
    rehearsing.discard(tournament_id=event.pk, by=access.require_user(request))
    messages.success(request, _("The rehearsal is deleted."))
    return redirect("tournaments:desk", shown.of)


def build_page_part(request: HttpRequest, club: int) -> RehearsalStatus | None:
    return rehearsal_play.find_rehearsal(event__club=club)


def build_desk_part(request: HttpRequest, event: Tournament, tab: str) -> str | None:
    """Return the event key for the link to rehearse it, on the desk of one that is not over."""
    open_ones = (Status.DRAFT, Status.PUBLISHED, Status.RUNNING)
    if tab not in TABS or event.club.rehearses_id is not None or event.status not in open_ones:
        return None
    if not may_know(request.user, event) or not event.stages.exists():
        return None
    return event.key
