"""Series of a club: to look at, change, pause and skip a day, for its directors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from players.keys import new_key
from players.permissions import needs
from players.selectors.clubs import ClubRights
from players.views.requests import by_post
from runtime.refusals import for_form
from tournaments import hours
from tournaments.errors import ChangedMeanwhile, TournamentError
from tournaments.forms.series import USUAL_HOUR, DayForm, SeriesForm
from tournaments.models import Series
from tournaments.selectors import last_times
from tournaments.selectors import series as selectors
from tournaments.services import series as services

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date, datetime

    from django.http import HttpRequest, HttpResponse

    from players.models import Club
    from players.views.requests import AccountRequest

    Act = Callable[[Series, datetime], object]


@require_safe
@needs("tournaments.direct")
def every(request: HttpRequest, club: Club) -> HttpResponse:
    """Show a club's series, and what is to come of each."""
    values = {
        "club": club,
        "rights": ClubRights.of(request.user, club),
        "every": selectors.of_club(club, now=timezone.now()),
    }
    return render(request, "tournaments/series.html", values)


@require_http_methods(["GET", "POST"])
@needs("tournaments.direct")
def begin(request: AccountRequest, club: Club) -> HttpResponse:
    """Begin a series, perhaps with an event as its model."""
    now = timezone.now()
    form = SeriesForm(request.POST or None, club=club, initial=_proposed(request, club, now))

    def act() -> Series:
        return services.begin(
            club=club, by=request.user, key=form.cleaned_data["key"], terms=form.terms, now=now
        )

    return _ask(request, club, form, act, None)


@require_http_methods(["GET", "POST"])
@needs("tournaments.direct")
def amend(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    """Change a series: what is announced stays as it is."""
    found = _find(club, key)
    form = SeriesForm(request.POST or None, club=club, initial=SeriesForm.told(found))

    def act() -> Series:
        seen = form.cleaned_data["seen"]
        return services.amend(series=found, by=request.user, terms=form.terms, seen=seen, now=timezone.now())

    return _ask(request, club, form, act, found)


@by_post("tournaments:series")
@needs("tournaments.direct")
def pause(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    """Have nothing announced for a while."""
    return _do(
        request,
        _find(club, key),
        lambda series, now: services.pause(series=series, by=request.user, now=now),
        _("Paused: nothing is announced until somebody has it go on."),
    )


@by_post("tournaments:series")
@needs("tournaments.direct")
def go_on(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    """Announce again what is to come."""
    return _do(
        request,
        _find(club, key),
        lambda series, now: services.go_on(series=series, by=request.user, now=now),
        _("The series goes on."),
    )


@by_post("tournaments:series")
@needs("tournaments.direct")
def end(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    """Take a series away."""
    return _do(
        request,
        _find(club, key),
        lambda series, now: services.end(series=series, by=request.user, now=now),
        _("The series is ended. The events that are announced stay."),
    )


@by_post("tournaments:series")
@needs("tournaments.direct")
def skip(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    """Have no event on one day."""
    day = _day(request)
    return _do(
        request,
        _find(club, key),
        lambda series, now: services.skip(series=series, day=day, by=request.user, now=now),
        _("No event on %(day)s.") % {"day": hours.date_day(day)},
    )


@by_post("tournaments:series")
@needs("tournaments.direct")
def unskip(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    """Have an event on a day after all."""
    day = _day(request)
    return _do(
        request,
        _find(club, key),
        lambda series, now: services.unskip(series=series, day=day, by=request.user, now=now),
        _("There is an event on %(day)s after all.") % {"day": hours.date_day(day)},
    )


def _proposed(request: HttpRequest, club: Club, now: datetime) -> dict[str, object]:
    """Return what a new series begins with: the event that was named, or the last one on this weekday."""
    named = request.GET.get("like", "")
    like = last_times.by_key(club, named) if named else last_times.played_here(club, day=now, now=now)
    said: dict[str, object] = {"key": new_key(), "at": USUAL_HOUR}
    if like is None:
        return said | {"weekday": hours.wall(now, club.time_zone).weekday()}
    start = hours.wall(like.starts_at, club.time_zone)
    said |= {"name": like.name, "weekday": start.weekday(), "at": start.time()}
    return said | {"like": like.key} if named else said


def _ask(
    request: AccountRequest, club: Club, form: SeriesForm, act: Callable[[], Series], there: Series | None
) -> HttpResponse:
    if form.is_valid():
        try:
            act()
        except ChangedMeanwhile as refusal:
            if there is not None:
                there.refresh_from_db()
                form = SeriesForm(club=club, initial=SeriesForm.told(there))
            messages.error(request, str(refusal), extra_tags=refusal.code)
        except TournamentError as refusal:
            form.add_error(None, for_form(refusal))
        else:
            messages.success(request, _("The series is saved. Its events are announced by themselves."))
            return redirect("tournaments:series", club.slug)
    values = {"club": club, "form": form, "series": there}
    is_refused = request.method == "POST"
    return render(request, "tournaments/series_form.html", values, status=422 if is_refused else 200)


def _do(request: AccountRequest, series: Series, act: Act, done: str) -> HttpResponse:
    try:
        act(series, timezone.now())
    except TournamentError as refusal:
        messages.error(request, str(refusal), extra_tags=refusal.code)
    else:
        messages.success(request, done)
    return redirect("tournaments:series", series.club.slug)


def _day(request: HttpRequest) -> date:
    form = DayForm(request.POST)
    if not form.is_valid():
        raise Http404
    day: date = form.cleaned_data["day"]
    return day


def _find(club: Club, key: str) -> Series:
    return get_object_or_404(Series.objects.select_related("club", "like"), club=club, key=key)
