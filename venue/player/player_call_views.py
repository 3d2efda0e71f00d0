"""A player's own call: as a page, as a card on other pages, and in page slots."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from careers.hooks import NextStep, StepPriority
from players.access.callers import found_or_404
from players.access.requests import find_player
from players.models import Player
from tournaments.base.errors import TournamentError
from tournaments.hooks import QueuePlace
from tournaments.pages import access
from tournaments.pages.etags import is_part
from tournaments.pages.viewer_part import ViewerMatch
from venue.errors import VenueError
from venue.player import call_answers, player_calls
from venue.player.player_calls import PlayerCall, QueuePosition

ACTS = {"coming": call_answers.acknowledge_call, "here": call_answers.record_arrival}


@require_safe
@login_required
@never_cache
def called(request: HttpRequest) -> HttpResponse:
    """Show the viewer's call. A request for the card alone gets 204 if there is no call."""
    if is_part(request):
        return _render_card(request)
    return render(request, "venue/called.html", {"call": player_calls.find_call(find_player(request))})


@require_POST
@login_required
def answer(request: HttpRequest, uid: UUID) -> HttpResponse:
    act = found_or_404(ACTS.get(request.POST.get("say", "")))
    try:
        act(uid=uid, by=access.require_user(request), now=timezone.now())
    except (TournamentError, VenueError) as refusal:
        if not is_part(request):
            messages.error(request, str(refusal))
    if is_part(request):
        return _render_card(request)
    if request.POST.get("back") == "me":
        return redirect("careers:me")
    event = request.POST.get("event", "")
    is_key = event.isascii() and event.isalnum()
    return redirect(reverse("tournaments:event", args=[event]) if is_key else reverse("venue:called"))


def build_meeting_part(
    request: HttpRequest, event: str, meeting: ViewerMatch
) -> PlayerCall | QueuePosition | None:
    # Runs on each event page: in a club without rooms it costs two small queries.
    if request.user.is_authenticated and player_calls.is_called(request.user):
        player = find_player(request)
        call = None if player is None else player_calls.find_call_to(player, event, meeting.key)
        if call is not None:
            return call
    if request.user.is_authenticated and player_calls.is_queued(event):
        return player_calls.find_place(access.load_any_event(event), meeting.key, now=timezone.now())
    return None


def find_queue_place(event: str, match: str, now: datetime) -> QueuePlace | None:
    """Return the queue position of a match, for `tournaments.hooks.QUEUE_PLACE`."""
    place = player_calls.find_place(access.load_any_event(event), match, now=now)
    return None if place is None else QueuePlace(place.before, place.likely_at)


def find_next_step(player: Player, event: str, meeting: ViewerMatch) -> NextStep | None:
    """Return the "I am at the table" step if the player is called to this match; None otherwise."""
    address = player_calls.build_arrival_url(player, event, meeting.key)
    return NextStep(StepPriority.COME, _("I am at the table"), address, {"say": "here"}) if address else None


def build_home_part(request: HttpRequest) -> PlayerCall | None:
    return player_calls.find_call(find_player(request))


def _render_card(request: HttpRequest) -> HttpResponse:
    call = player_calls.find_call(find_player(request))
    return HttpResponse(status=204) if call is None else render(request, "venue/_card.html", {"call": call})
