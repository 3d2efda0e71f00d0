"""What directors do with their events."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING, Protocol
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from players.errors import PlayersError
from players.keys import new_key
from players.permissions import needs
from tournaments import hours
from tournaments.errors import TournamentError
from tournaments.forms import FORMATS, EventForm, GuestForm, ReasonForm, usable_key
from tournaments.models import Tournament
from tournaments.selectors import page
from tournaments.services import directing, setup
from tournaments.status import Status
from tournaments.views import acts

if TYPE_CHECKING:
    from django.forms.utils import ErrorDict
    from django.http import HttpRequest, HttpResponse
    from django_stubs_ext import StrOrPromise

    from players.models import Club, User

USUAL_HOUR = time(19, 30)
MOST_AT_ONCE = 512


class _UndoingAct(Protocol):
    """A service that takes something back and says why."""

    def __call__(self, *, tournament_id: int, reason: str, by: User, now: datetime) -> Tournament: ...


def find_event(key: str) -> Tournament:
    """Return the event with this key.

    :raises Http404: there is none.
    """
    event = Tournament.objects.select_related("club").filter(key=key).first()
    if event is None:
        raise Http404
    return event


directs = needs("tournaments.direct", find=find_event, arg="key")


@require_http_methods(["GET", "POST"])
@needs("tournaments.direct")
def create(request: HttpRequest, club: Club) -> HttpResponse:
    """Write an announcement: keep it as a draft, or publish it at once."""
    start = {"key": new_key(), "starts_at": _usual_start(club, timezone.now()), "match_length": 5}
    form = EventForm(request.POST or None, club=club, initial=start)
    if request.method == "POST" and form.is_valid():
        make = setup.announce if "publish" in request.POST else setup.draft
        try:
            event = make(
                club=club,
                by=acts.signed_in(request),
                key=form.cleaned_data["key"],
                details=form.details(),
                now=timezone.now(),
            )
        except TournamentError as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _made(event))
            return redirect(event)
    return _show_form(request, club, form)


@require_http_methods(["GET", "POST"])
@directs
def edit(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Change an announcement."""
    old = setup.details(event)
    start = {name: getattr(old, name) for name in old.__slots__} | {"key": event.key}
    form = EventForm(request.POST or None, club=event.club, initial=start)
    if request.method == "POST" and form.is_valid():
        try:
            setup.edit(
                tournament_id=event.pk,
                by=acts.signed_in(request),
                details=form.details(),
                now=timezone.now(),
            )
        except TournamentError as refusal:
            form.add_error("capacity" if refusal.code == "capacity_below_entries" else None, str(refusal))
        else:
            messages.success(request, _("The announcement is changed."))
            return redirect(event)
    return _show_form(request, event.club, form, event=event)


@acts.posted
@directs
def publish(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Let everyone see a draft."""
    user, now = acts.signed_in(request), timezone.now()
    return acts.attempt(
        request,
        event,
        lambda: setup.publish(tournament_id=event.pk, by=user, now=now),
        done=_("Announced: members can enter now."),
    )


@acts.posted
@directs
def discard(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Throw a draft away."""
    try:
        setup.discard(tournament_id=event.pk, by=acts.signed_in(request))
    except TournamentError as refusal:
        messages.error(request, str(refusal))
        return redirect(event)
    messages.success(request, _("The draft is gone."))
    return redirect("tournaments:club_events", slug=event.club.slug)


@acts.posted
@directs
def clone(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Draft the same again a week later."""
    wanted = request.POST.get("key", "")
    try:
        again = setup.clone(
            tournament_id=event.pk, by=acts.signed_in(request), key=usable_key(wanted), now=timezone.now()
        )
    except TournamentError as refusal:
        messages.error(request, str(refusal))
        return redirect(event)
    messages.success(
        request,
        _("Drafted for %(day)s. Look it over, then announce it.")
        % {"day": hours.day(again.starts_at, event.club.time_zone)},
    )
    return redirect(again)


@acts.posted
@directs
def start(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Begin."""
    user, now = acts.signed_in(request), timezone.now()
    return acts.attempt(
        request,
        event,
        lambda: directing.start(tournament_id=event.pk, by=user, now=now),
        done=_("The event has begun. Good luck to all!"),
    )


@acts.posted
@directs
def admit(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Enter the members that were ticked."""
    keys = request.POST.getlist("player")[:MOST_AT_ONCE]
    if not keys:
        messages.info(request, _("Nobody was ticked."))
        return redirect(event)
    try:
        new = directing.admit(
            tournament_id=event.pk, player_keys=keys, by=acts.signed_in(request), now=timezone.now()
        )
    except (TournamentError, PlayersError) as refusal:
        messages.error(request, str(refusal))
    else:
        said = ngettext("%(count)s player entered.", "%(count)s players entered.", new) % {"count": new}
        messages.success(request, said)
    return redirect(event)


@acts.posted
@directs
def admit_guest(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Enter someone who only says a name."""
    form = GuestForm(request.POST, auto_id="guest-%s")
    if not form.is_valid():
        return acts.show_event(request, event, guest=form, status=422)
    name = form.cleaned_data["name"]
    user, now = acts.signed_in(request), timezone.now()
    return acts.attempt(
        request,
        event,
        lambda: directing.admit_guest(tournament_id=event.pk, name=name, by=user, now=now),
        done=_("%(name)s is in.") % {"name": name},
    )


@acts.posted
@directs
def take_out(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Withdraw a player."""
    player_key = request.POST.get("player", "")
    user, now = acts.signed_in(request), timezone.now()
    return acts.attempt(
        request,
        event,
        lambda: directing.take_out(tournament_id=event.pk, player_key=player_key, by=user, now=now),
        done=_("Taken out. You can enter the player again at any time before the result."),
    )


@acts.posted
@directs
def finish(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Record the finishing order, or show it again with what does not add up."""
    user, now = acts.signed_in(request), timezone.now()
    form = acts.finish_form(page.read(event, user, now=now), request.POST)
    if form.is_valid():
        try:
            directing.record_finish(tournament_id=event.pk, places=form.places(), by=user, now=now)
        except TournamentError as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The result is public."))
            return redirect(event)
    event.refresh_from_db()
    return acts.show_event(request, event, finish=form, status=409)


@acts.posted
@directs
def cancel(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Call the event off."""
    return _with_reason(request, event, directing.cancel, done=_("The event is cancelled."))


@acts.posted
@directs
def reopen(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Take back a result or a cancellation."""
    return _with_reason(request, event, directing.reopen, done=_("The event is open again."))


def _with_reason(
    request: HttpRequest, event: Tournament, act: _UndoingAct, *, done: StrOrPromise
) -> HttpResponse:
    form = ReasonForm(request.POST)
    if not form.is_valid():
        messages.error(request, _first_error(form.errors))
        return redirect(event)
    reason = form.cleaned_data["reason"]
    user, now = acts.signed_in(request), timezone.now()
    return acts.attempt(
        request,
        event,
        lambda: act(tournament_id=event.pk, reason=reason, by=user, now=now),
        done=done,
    )


def _first_error(errors: ErrorDict) -> str:
    return next(str(message) for messages_ in errors.values() for message in messages_)


def _show_form(
    request: HttpRequest, club: Club, form: EventForm, *, event: Tournament | None = None
) -> HttpResponse:
    values = {
        "form": form,
        "formats": FORMATS,
        "club_name": club.name,
        "event": event,
        "back": event.get_absolute_url() if event else reverse("tournaments:club_events", args=[club.slug]),
    }
    status = 422 if form.is_bound else 200
    return render(request, "tournaments/form.html", values, status=status)


def _made(event: Tournament) -> str:
    if event.status == Status.DRAFT:
        return _("Kept as a draft: only directors see it.")
    return _("Announced: members can enter now.")


def _usual_start(club: Club, now: datetime) -> datetime:
    """Return this day next week at the hour clubs meet, by the club's clock."""
    zone = ZoneInfo(club.time_zone)
    day = hours.wall(now, club.time_zone).date() + timedelta(days=7)
    return datetime.combine(day, USUAL_HOUR, tzinfo=zone).astimezone(UTC)
