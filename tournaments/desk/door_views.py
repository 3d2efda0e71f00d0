"""The page behind the code at the door, and the director's answers to requests."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from players.access.callers import found_or_404
from players.access.requests import find_player, parse_number
from players.errors import PlayersError
from players.models import Player
from runtime import stream
from runtime.refusals import build_form_error
from tournaments.base import codes
from tournaments.base.errors import TournamentError
from tournaments.models import DoorAnswer, Entry, Tournament
from tournaments.pages import access
from tournaments.pages import door_requests as selectors
from tournaments.pages.event_page import GuestForm
from tournaments.play import door, entering
from tournaments.status import Status

# Session key of a dict from event key to the key of this browser's request.
ASKED = "door"


@require_http_methods(["GET", "POST"])
@never_cache
def at_the_door(request: HttpRequest, code: str) -> HttpResponse:
    """Show the ways to enter after scanning the code: with an account, or as a guest by name."""
    code_read = found_or_404(codes.parse_door_code(code))
    now = timezone.now()
    events = Tournament.objects.filter(club__rehearses__isnull=True).exclude(status=Status.DRAFT)
    event = get_object_or_404(events.select_related("club"), pk=code_read.event_id)
    if code_read.until <= now:
        return render(request, "tournaments/door.html", {"event": event, "is_over": True}, status=410)
    form = GuestForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        try:
            if _enter_or_request(request, event, form, now):
                return redirect("tournaments:door", code=code)
        except (TournamentError, PlayersError) as refusal:
            form.is_valid()
            form.add_error(None, build_form_error(refusal))
    return _show_door(request, event, form, code)


def _enter_or_request(request: HttpRequest, event: Tournament, form: GuestForm, now: datetime) -> bool:
    """Enter a member, or create a request for the director; False if the form is invalid."""
    account = find_player(request)
    if account is not None and _may_enter(event, account, now):
        entering.enter_own_player(tournament_id=event.pk, user=access.require_user(request), now=now)
        return True
    if account is None and not form.is_valid():
        return False
    before = _get_request_key(request, event)
    name = "" if account else form.cleaned_data["name"]
    row = door.request_entry(tournament_id=event.pk, name=name, account=account, before=before, now=now)
    if account is None:
        request.session[ASKED] = {**request.session.get(ASKED, {}), event.key: row.key}
    return True


def _show_door(request: HttpRequest, event: Tournament, form: GuestForm, code: str) -> HttpResponse:
    live = stream.record_positions(f"event.{event.key}")
    account = find_player(request)
    entries = Entry.objects.filter(tournament=event, player=account, withdrawn_at__isnull=True)
    entry = entries.first() if account else None
    key = _get_request_key(request, event)
    request_row = selectors.find_request(event, key=key, player_key=account.key if account else "")
    if (
        account is not None
        and entry is None
        and request_row is not None
        and request_row.answer == DoorAnswer.IN
    ):
        # The player was accepted and has been taken out since.
        request_row = None
    waiting = Entry.objects.filter(tournament=event, waits=True)
    values = {
        "event": event,
        "form": form,
        "account": account,
        "entry": entry,
        "asked": request_row,
        "waits": request_row is not None and waiting.filter(player__key=request_row.player_key).exists(),
        "enters": account is not None and _may_enter(event, account, timezone.now()),
        "is_on": event.status in (Status.PUBLISHED, Status.RUNNING),
        "sign_in": f"{reverse('account_login')}?next={reverse('tournaments:door', args=[code])}",
        "live_topics": [live],
    }
    return render(request, "tournaments/door.html", values, status=422 if form.errors else 200)


@access.require_director(form="tournaments:roster")
def let_in(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Accept a request; after the draw, the player takes the chosen place."""
    posted = request.POST
    return access.run_service(
        request,
        event,
        door.accept_request,
        done=_("Let in."),
        to=_get_return_page(request),
        request_key=posted.get("request", ""),
        player_key=posted.get("player", ""),
        place=posted.get("place", ""),
    )


@access.require_director(form="tournaments:roster")
def turn_away(request: HttpRequest, event: Tournament) -> HttpResponse:
    return access.run_service(
        request,
        event,
        door.refuse_request,
        done=_("Turned away."),
        to=_get_return_page(request),
        request_key=request.POST.get("request", ""),
        said=request.POST.get("said", ""),
    )


@access.require_director(form="tournaments:desk")
def has_come(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Note that a player missing at the start has come.

    This creates a request at the door, so that the director can choose a place.
    """
    number = parse_number(request.POST.get("entry", "")) or 0
    done = _("Noted: choose their place.")
    return access.run_service(
        request, event, door.note_latecomer, done=done, to="tournaments:desk", entry=number
    )


def _get_return_page(request: HttpRequest) -> str:
    return "tournaments:desk" if request.POST.get("back") == "desk" else "tournaments:roster"


def _get_request_key(request: HttpRequest, event: Tournament) -> str:
    """Return the key of this browser's request, "" without one."""
    return str(request.session.get(ASKED, {}).get(event.key, ""))


def _may_enter(event: Tournament, account: Player, now: datetime) -> bool:
    """True if the account may enter without a request: a member, before entries close."""
    is_open = event.status == Status.PUBLISHED and not entering.is_closed(event, now=now)
    return is_open and not entering.is_drawn(event) and account.memberships.filter(club=event.club).exists()
