"""Acts of the players in an event: check in, play, report, confirm, leave."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from draw.rules_of_play import RulesOfPlay
from players.access.requests import parse_number, parse_numbers, refusals_shown_to, require_post_or_redirect
from players.errors import PlayersError
from players.models import User
from tournaments.base import event_view, expectations
from tournaments.base.errors import BadScore, TournamentError
from tournaments.models import Pairing, Report, Tournament
from tournaments.pages import access, event_page, table_device
from tournaments.play import departures, door, incidents, results
from tournaments.status import Status


@require_post_or_redirect("tournaments:event")
@login_required
def check_in(request: HttpRequest, key: str) -> HttpResponse:
    """Check the player in. At a running event this is a request to be let in."""
    event, user = access.load_event(key, request.user), access.require_user(request)
    is_late = event.status == Status.RUNNING
    return access.run_and_redirect(
        request,
        event,
        lambda: door.check_in(tournament_id=event.pk, user=user, now=timezone.now()),
        done=_("The desk knows that you are here.") if is_late else _("You are checked in."),
    )


@require_post_or_redirect("tournaments:event")
@login_required
def leave(request: HttpRequest, key: str) -> HttpResponse:
    """Leave a running event: at once, or after the current match."""
    event, user = access.load_event(key, request.user), access.require_user(request)
    after = request.POST.get("when") == "after"
    return access.run_and_redirect(
        request,
        event,
        lambda: departures.leave_event(tournament_id=event.pk, user=user, now=timezone.now(), after=after),
        done=_("You have left the event. Thank you for playing."),
    )


@require_post_or_redirect("tournaments:event")
@login_required
@table_device.set_device_cookie
def report(request: HttpRequest, key: str) -> HttpResponse:
    """Report the result of the player's own match; invalid input is shown again with the error."""
    event, user = access.load_event(key, request.user), access.require_user(request)
    own, other = (request.POST.get(name, "").strip() for name in ("own", "other"))

    def report_result(*, key: str, **arguments: Any) -> Report:
        claim = _parse_claim(event.pk, key, user.pk, own, other, request.POST.get("winner", ""))
        return results.report_result(key=key, **arguments, **claim, device=table_device.get_device(request))

    try:
        message = access.run_on_own_match(request, event, report_result, needs=expectations.SEATS)
    except (TournamentError, PlayersError) as refusal:
        typed = {
            "report_key": request.POST.get("match", ""),
            "report_own": own,
            "report_other": other,
            "report_error": str(refusal),
        }
        return event_page.show_event(request, event, status=access.get_refusal_status(refusal), **typed)
    messages.success(request, event_page.format_report_message(message))
    return redirect(event)


@require_post_or_redirect("tournaments:event")
@login_required
def confirm(request: HttpRequest, key: str) -> HttpResponse:
    return _answer_report(request, key, results.confirm_report, done=_("Confirmed: the result stands."))


@require_post_or_redirect("tournaments:event")
@login_required
def dispute(request: HttpRequest, key: str) -> HttpResponse:
    return _answer_report(request, key, results.dispute_report, done=_("The director will decide."))


def _answer_report(
    request: HttpRequest, key: str, service: Callable[..., object], *, done: str
) -> HttpResponse:
    event = access.load_event(key, request.user)
    return _run_and_redirect(request, event, service, done=done, **_parse_reported(request))


@require_post_or_redirect("tournaments:event")
@login_required
def open_board(request: HttpRequest, key: str) -> HttpResponse:
    event = access.load_event(key, request.user)
    to = event.get_absolute_url()
    with refusals_shown_to(request):
        board = access.run_on_own_match(request, event, results.open_board, needs=expectations.SEATS)
        to = reverse("matches:match", args=[board.key])
    return redirect(to)


@require_post_or_redirect("tournaments:event")
@login_required
def here(request: HttpRequest, key: str) -> HttpResponse:
    event, user = access.load_event(key, request.user), access.require_user(request)
    own = event_view.find_entry(event, user)
    number = own.number if own is not None else 0

    def record_arrival(*, user: User, **arguments: Any) -> Pairing:
        return incidents.record_arrival(by=user, entry=number, **arguments)

    shown = _run_and_redirect(request, event, record_arrival, done=_("Noted: you are at the table."))
    return redirect("careers:me") if request.POST.get("back") == "me" else shown


def _run_and_redirect(
    request: HttpRequest, event: Tournament, service: Callable[..., object], *, done: str, **arguments: Any
) -> HttpResponse:
    """Call a service on the match of the form if its players are still the same."""
    act = partial(access.run_on_own_match, request, event, service, needs=expectations.SEATS, **arguments)
    return access.run_and_redirect(request, event, act, done=done)


def _parse_reported(request: HttpRequest) -> dict[str, Any]:
    """Parse the report that is confirmed or disputed: a score or a winner.

    Invalid input becomes a score that matches no report.
    """
    parts = request.POST.get("reported", "").split(" ")
    figures = parse_numbers(parts)
    if len(figures) == len(parts) == 1:
        return {"winner": figures[0]}
    return {"score": (figures[0], figures[1]) if len(figures) == len(parts) == 2 else (0, 0)}


def _parse_claim(event_id: int, key: str, user_id: int, own: str, other: str, winner: str) -> dict[str, Any]:
    """Return the reported score in the order a, b, or without one the winner alone.

    :raises BadScore: the request has neither.
    """
    number = parse_number(winner)
    named: dict[str, Any] = {} if number is None else {"winner": number}
    if named and not own and not other:
        return named
    row = Pairing.objects.filter(tournament=event_id, key=key).select_related("b__player").first()
    points = parse_numbers((own, other), 2)
    if len(points) < 2:
        play = RulesOfPlay.from_match_rules(row.rules if row is not None else {})
        raise BadScore(length=row.length if row is not None else 0, best_of=play.best_of)
    is_b = row is not None and row.b is not None and row.b.player.user_id == user_id
    return {"score": (points[1], points[0]) if is_b else (points[0], points[1]), **named}
