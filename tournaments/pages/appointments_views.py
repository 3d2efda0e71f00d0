"""Appointments: the players propose, accept, decline and cancel times; the director sees all of them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.access.requests import require_post_or_redirect
from players.errors import PlayersError
from tournaments.base import event_view, expectations, ical
from tournaments.base.errors import BadTimes, NothingProposed, PastDeadline, TournamentError
from tournaments.base.form_fields import LocalTimeField
from tournaments.models import Tournament
from tournaments.pages import access, event_page
from tournaments.play import appointing, appointments


@require_post_or_redirect("tournaments:event")
@login_required
def propose(request: HttpRequest, key: str) -> HttpResponse:
    """Propose times; invalid input is shown again with the error."""
    event = access.load_event(key, request.user)
    typed = [request.POST.get(f"time{number}", "").strip() for number in range(appointing.MOST_TIMES)]
    posted = {name: request.POST.get(name, "") for name in ("place", "words")}
    try:
        times = _parse_times(event, typed)
        access.run_on_own_match(
            request,
            event,
            appointing.propose_times,
            needs=expectations.ARRANGED,
            times=times,
            late=request.POST.get("late") == "yes",
            **posted,
        )
    except (TournamentError, PlayersError) as refusal:
        again = {
            "arrange_key": request.POST.get("match", ""),
            "arrange_numbers": typed,
            "arrange_error": str(refusal),
            "arrange_late": isinstance(refusal, PastDeadline),
            **{f"arrange_{name}": value for name, value in posted.items()},
        }
        return event_page.show_event(request, event, status=access.get_refusal_status(refusal), **again)
    messages.success(request, _("Proposed. Waiting for your opponent's answer."))
    return redirect(event)


@require_post_or_redirect("tournaments:event")
@login_required
def accept(request: HttpRequest, key: str) -> HttpResponse:
    def accept_time(**arguments: Any) -> object:
        return appointing.accept_time(time=_parse_time(request.POST.get("time", "")), **arguments)

    return _run_and_redirect(request, key, accept_time, _("Agreed: you both have an appointment."))


@require_post_or_redirect("tournaments:event")
@login_required
def decline(request: HttpRequest, key: str) -> HttpResponse:
    done = _("Declined. Propose times that suit you better.")
    return _run_with_words(request, key, appointing.decline_proposal, done, form="decline")


@require_post_or_redirect("tournaments:event")
@login_required
def take_back(request: HttpRequest, key: str) -> HttpResponse:
    return _run_and_redirect(request, key, appointing.withdraw_proposal, _("You have taken your times back."))


@require_post_or_redirect("tournaments:event")
@login_required
def cancel(request: HttpRequest, key: str) -> HttpResponse:
    done = _("Called off. Your opponent has been notified.")
    return _run_with_words(request, key, appointing.cancel_appointment, done, form="cancel")


@require_safe
@login_required
def calendar(request: HttpRequest, key: str, match: str) -> HttpResponse:
    """Download the agreed time of the viewer's own match as an iCalendar file."""
    event, user = access.load_event(key, request.user), access.require_user(request)
    entries = appointments.build_calendar(
        event, match, user.player, host=settings.PUBLIC_HOST, absolute=request.build_absolute_uri
    )
    if not entries:
        raise Http404
    response = HttpResponse(ical.build_feed(event.name, entries), content_type=ical.CONTENT_TYPE)
    response["Content-Disposition"] = f'attachment; filename="{event.key}.ics"'
    return response


@access.require_director("GET", "HEAD")
def of_event(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Show the director agreed and proposed times, and players who have not answered."""
    lines = appointments.list_appointments(event_view.load_view(event, with_drafts=True), now=timezone.now())
    values = {"event": event, "lines": lines, "live_topics": [access.get_position(event)]}
    return render(request, "tournaments/appointments.html", values)


def _run_and_redirect(request: HttpRequest, key: str, act: Callable[..., object], done: str) -> HttpResponse:
    event = access.load_event(key, request.user)
    run = partial(access.run_on_own_match, request, event, act, needs=expectations.ARRANGED)
    return access.run_and_redirect(request, event, run, done=done)


def _run_with_words(
    request: HttpRequest, key: str, act: Callable[..., object], done: str, *, form: str
) -> HttpResponse:
    """Run an act with words to the opponent; if it is refused, they are still in its form."""
    event, words = access.load_event(key, request.user), request.POST.get("words", "")

    def show_again(status: int) -> HttpResponse:
        again = {"answer_key": request.POST.get("match", ""), "answer_form": form, "answer_words": words}
        return event_page.show_event(request, event, status=status, **again)

    run = partial(access.run_on_own_match, request, event, act, needs=expectations.ARRANGED, words=words)
    return access.run_and_redirect(request, event, run, done=done, show_again=show_again)


def _parse_time(text: str) -> datetime:
    """Parse a time that the page offered.

    :raises NothingProposed: the text is none.
    """
    try:
        found: datetime = LocalTimeField().clean(text)
    except forms.ValidationError as problem:
        raise NothingProposed from problem
    return found


def _parse_times(event: Tournament, typed: list[str]) -> list[datetime]:
    """Parse the times in the club's time zone.

    :raises BadTimes: a text is not a time, or is a time that summer time skips.
    """
    field = LocalTimeField(zone=event.club.time_zone)
    try:
        found = [field.clean(text) for text in typed if text]
    except forms.ValidationError as problem:
        raise BadTimes(most=appointing.MOST_TIMES) from problem
    return [each for each in found if each is not None]
