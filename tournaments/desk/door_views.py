"""At the door: the page behind its code, and letting people in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from players.access.requests import by_post
from players.errors import PlayersError
from players.models import Player, User
from runtime import stream
from runtime.refusals import for_form
from tournaments.base import codes
from tournaments.base.errors import TournamentError
from tournaments.models import DoorAnswer, Entry, Tournament
from tournaments.pages import access
from tournaments.pages import door as selectors
from tournaments.pages.event_page_forms import GuestForm
from tournaments.play import door, entering
from tournaments.status import Status

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

# Under which a browser remembers what it asked, by the keys of events.
ASKED = "door"


@require_http_methods(["GET", "POST"])
@never_cache
def at_the_door(request: HttpRequest, code: str) -> HttpResponse:
    """Show who scans the code how to get in: with their account, or as a guest with a name."""
    said = codes.read_door(code)
    if said is None:
        raise Http404
    now = timezone.now()
    event = get_object_or_404(
        Tournament.objects.select_related("club")
        .filter(club__rehearses__isnull=True)
        .exclude(status=Status.DRAFT),
        pk=said.event_id,
    )
    if said.until <= now:
        return render(request, "tournaments/door.html", {"event": event, "is_over": True}, status=410)
    form = GuestForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        try:
            if _come(request, event, form, now):
                return redirect("tournaments:door", code=code)
        except (TournamentError, PlayersError) as refusal:
            form.is_valid()
            form.add_error(None, for_form(refusal))
    return _show(request, event, form, code)


def _come(request: HttpRequest, event: Tournament, form: GuestForm, now: datetime) -> bool:
    """Enter a member, or have everybody else wait for a director; say whether that was possible."""
    account = _account(request)
    if account is not None and _enters(event, account, now):
        entering.enter(tournament_id=event.pk, user=access.signed_in(request), now=now)
        return True
    if account is None and not form.is_valid():
        return False
    before = _asked(request, event)
    name = "" if account else form.cleaned_data["name"]
    row = door.ask(tournament_id=event.pk, name=name, account=account, before=before, now=now)
    if account is None:
        request.session[ASKED] = {**request.session.get(ASKED, {}), event.key: row.key}
    return True


def _show(request: HttpRequest, event: Tournament, form: GuestForm, code: str) -> HttpResponse:
    live = stream.watch(f"event.{event.key}")
    account = _account(request)
    entry = (
        Entry.objects.filter(tournament=event, player=account, withdrawn_at__isnull=True).first()
        if account
        else None
    )
    asked = selectors.asked(event, key=_asked(request, event), player_key=account.key if account else "")
    if account is not None and entry is None and asked is not None and asked.answer == DoorAnswer.IN:
        # They were let in and have been taken out since.
        asked = None
    values = {
        "event": event,
        "form": form,
        "account": account,
        "entry": entry,
        "asked": asked,
        "enters": account is not None and _enters(event, account, timezone.now()),
        "is_on": event.status in (Status.PUBLISHED, Status.RUNNING),
        "sign_in": f"{reverse('account_login')}?next={reverse('tournaments:door', args=[code])}",
        "live_topics": [live],
    }
    return render(request, "tournaments/door.html", values, status=422 if form.errors else 200)


@by_post("tournaments:roster")
@access.directs
def let_in(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Let somebody in; after the draw at the place that was chosen."""
    said, user, now = request.POST, access.signed_in(request), timezone.now()
    return access.attempt(
        request,
        event,
        lambda: door.let_in(
            tournament_id=event.pk,
            request_key=said.get("request", ""),
            player_key=said.get("player", ""),
            place=said.get("place", ""),
            by=user,
            now=now,
        ),
        done=_("Let in."),
        to=_back(request),
    )


@by_post("tournaments:roster")
@access.directs
def turn_away(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Do not let somebody in."""
    user, now, key = access.signed_in(request), timezone.now(), request.POST.get("request", "")
    said = request.POST.get("said", "")
    return access.attempt(
        request,
        event,
        lambda: door.turn_away(tournament_id=event.pk, request_key=key, said=said, by=user, now=now),
        done=_("Turned away."),
        to=_back(request),
    )


@by_post("tournaments:desk")
@access.directs
def has_come(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Note that somebody who was not there at the start has come: they stand at the door, where a place is chosen."""
    typed = request.POST.get("entry", "")
    number = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 6 else 0
    user, now = access.signed_in(request), timezone.now()
    return access.attempt(
        request,
        event,
        lambda: door.note(tournament_id=event.pk, entry=number, by=user, now=now),
        done=_("Noted: choose their place."),
        to="tournaments:desk",
    )


def _back(request: HttpRequest) -> str:
    """Return the page on which a director answered."""
    return "tournaments:desk" if request.POST.get("back") == "desk" else "tournaments:roster"


def _account(request: HttpRequest) -> Player | None:
    return request.user.player if isinstance(request.user, User) else None


def _asked(request: HttpRequest, event: Tournament) -> str:
    """Return the key of what this browser has asked."""
    return str(request.session.get(ASKED, {}).get(event.key, ""))


def _enters(event: Tournament, account: Player, now: datetime) -> bool:
    """Say whether somebody may enter without asking: a member, before entries close."""
    is_open = event.status == Status.PUBLISHED and not entering.is_closed(event, now=now)
    return is_open and not entering.is_drawn(event) and account.memberships.filter(club=event.club).exists()
