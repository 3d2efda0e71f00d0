"""Views of directors for their events: announcing, editing, starting, finishing."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.access.permissions import require_permission
from players.access.requests import refusals_added_to, refusals_shown_to
from players.keys import new_key
from players.models import Club
from runtime.refusals import build_form_error
from tournaments.base import labels, local_times
from tournaments.base.errors import ChangedMeanwhile, TournamentError
from tournaments.base.form_fields import disable_fields
from tournaments.models import Tournament
from tournaments.pages import access, event_page, event_page_data
from tournaments.plan import announcing_forms, plan_views, setup
from tournaments.plan.announcing_forms import FORMATS, EventForm, get_valid_key
from tournaments.play import directing, entering
from tournaments.status import Status

USUAL_HOUR = time(19, 30)
ANNOUNCED = gettext_lazy("Announced: members can enter now.")
THERE_ALREADY = gettext_lazy(
    "This event already exists, so no second one was created. You can change it here."
)
DRAFTED_BEFORE = gettext_lazy(
    "This event is already saved as a draft, with other details. Change it here, then announce it."
)


@require_permission("tournaments.direct", "GET", "POST")
def create(request: HttpRequest, club: Club) -> HttpResponse:
    """Create an event from a template: as a draft, or published at once."""
    # Choosing another template reloads the form: what was typed is kept, and not validated yet.
    is_choosing = request.method == "POST" and ("choose" in request.POST or "players" in request.POST)
    now = timezone.now()
    like = plan_views.find_event_to_repeat(request, club, now)
    template = plan_views.read_chosen_template(request, like)
    length = 5 if template is None else template.length
    start = {"key": new_key(), "starts_at": _compute_usual_start(club, now), "match_length": length}
    if template is not None and (last := template.like) is not None:
        # The announcement of the event to repeat, for the next future week: same weekday, same hour.
        details = setup.build_details(last)
        start |= {
            name: getattr(details, name) for name in ("name", "place", "about", "capacity", "format_label")
        }
        start["starts_at"] = local_times.compute_next_week(last.starts_at, club.time_zone, now=now)
    if is_choosing:
        start |= _get_submitted_values(request, like, template)
    form = EventForm(None if is_choosing else request.POST or None, club=club, initial=start)
    if template is not None:
        # An empty label follows from the plan, even if the plan changes later.
        form.suggest_format(template.words)
        announcing_forms.add_room_field(form, club, template.like, is_over_days=template.is_over_days)
    is_played_right = template is None or template.play.is_right()
    if form.is_bound and form.is_valid() and is_played_right:
        with refusals_added_to(form):
            return _create_event(request, club, form, template)
    return _show_form(request, club, form, template=template, like=like)


def _get_submitted_values(
    request: HttpRequest, like: Tournament | None, template: plan_views.ChosenTemplate | None
) -> dict[str, Any]:
    """Return the submitted fields; a match length or a room that came from the previous template is dropped."""
    names = [*EventForm.base_fields, *announcing_forms.ROOM_FIELDS]
    typed = {name: request.POST[name] for name in names if name in request.POST}
    before = plan_views.get_usual_length(request.POST.get("template", ""), like)
    if template is not None and typed.get("match_length") in {str(before), ""}:
        del typed["match_length"]
    if "choose" in request.POST and template is not None and (template.is_over_days or not typed.get("room")):
        typed.pop("room", None)
    if get_valid_key(typed.get("key", "")) != typed.get("key"):
        typed.pop("key", None)
    return typed


@access.require_director("GET", "POST")
def edit(request: HttpRequest, event: Tournament) -> HttpResponse:
    old = setup.build_details(event)
    start = {name: getattr(old, name) for name in old.__slots__} | {"key": event.key}
    start["format_label"] = labels.describe_format(old.format_label, old.played_as)
    form = EventForm(request.POST or None, club=event.club, initial=start)
    if entering.is_drawn(event):
        disable_fields(form, setup.FIXED_BY_DRAW)
    seen = request.POST.get("seen") if form.is_bound else setup.compute_version_key(old)
    if request.method == "POST" and form.is_valid():
        try:
            by, now = access.require_user(request), timezone.now()
            setup.edit(tournament_id=event.pk, by=by, details=form.details(event), now=now, seen=seen)
        except ChangedMeanwhile as refusal:
            event.refresh_from_db()
            seen = setup.compute_version_key(setup.build_details(event))
            form.add_error(None, build_form_error(refusal))
        except TournamentError as refusal:
            field = "capacity" if refusal.code == "capacity_below_entries" else None
            form.add_error(field, build_form_error(refusal))
        else:
            messages.success(request, _("The announcement is changed."))
            return redirect(event)
    return _show_form(request, event.club, form, event=event, seen=seen)


@access.require_director(form="tournaments:event")
def publish(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Publish a draft; an event with stages continues at its roster."""
    return access.run_service(
        request,
        event,
        setup.publish,
        done=ANNOUNCED,
        to="tournaments:roster" if event.stages.exists() else "tournaments:event",
    )


@access.require_director(form="tournaments:event")
def discard(request: HttpRequest, event: Tournament) -> HttpResponse:
    to = event.get_absolute_url()
    with refusals_shown_to(request):
        setup.discard(tournament_id=event.pk, by=access.require_user(request))
        messages.success(request, _("The draft is deleted."))
        to = reverse("tournaments:club_events", args=[event.club.slug])
    return redirect(to)


@access.require_director(form="tournaments:event")
def clone(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Copy the event as a draft for the next future week."""
    key, by = get_valid_key(request.POST.get("key", "")), access.require_user(request)
    again = event
    with refusals_shown_to(request):
        again = setup.clone(tournament_id=event.pk, by=by, key=key, now=timezone.now())
        if again.status == Status.DRAFT:
            day = local_times.format_day(again.starts_at, event.club.time_zone)
            messages.success(
                request, _("Drafted for %(day)s. Look it over, then announce it.") % {"day": day}
            )
        else:
            messages.info(request, THERE_ALREADY)
    return redirect(again)


@access.require_director(form="tournaments:event")
def start(request: HttpRequest, event: Tournament) -> HttpResponse:
    done = _("The event has begun. Good luck to all!")
    return access.run_service(request, event, directing.start_event, done=done)


@access.require_director(form="tournaments:event")
def finish(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Record the finishing order, or show the form with its errors."""
    user, now = access.require_user(request), timezone.now()
    form = event_page.build_finish_form(event_page_data.load_page(event, user, now=now), request.POST)
    if form.is_valid():
        with refusals_added_to(form):
            directing.record_finish(tournament_id=event.pk, places=form.places(), by=user, now=now)
            messages.success(request, _("The result is public."))
            return redirect(event)
    event.refresh_from_db()
    return event_page.show_event(request, event, finish=form, status=409)


@access.require_director(form="tournaments:event")
def cancel(request: HttpRequest, event: Tournament) -> HttpResponse:
    return _run_with_reason(request, event, "cancel", directing.cancel_event, _("The event is cancelled."))


@access.require_director(form="tournaments:event")
def reopen(request: HttpRequest, event: Tournament) -> HttpResponse:
    return _run_with_reason(request, event, "reopen", directing.reopen_event, _("The event is open again."))


def _run_with_reason(
    request: HttpRequest, event: Tournament, name: str, service: Callable[..., object], done: str
) -> HttpResponse:
    """Call a service with the submitted reason; without one, show its form again to those who may."""
    form = event_page.build_reason_form(name, request.POST)
    if not form.is_valid() and getattr(event_page.load_permissions(request, event), name):
        return event_page.show_event(request, event, status=422, **{f"{name}_form": form})
    reason = form.cleaned_data.get("reason", "")
    return access.run_service(request, event, service, done=done, reason=reason)


def _create_event(
    request: HttpRequest, club: Club, form: EventForm, template: plan_views.ChosenTemplate | None
) -> HttpResponse:
    details = form.details()
    plan = plan_views.build_plan(template, details)
    user, now = access.require_user(request), timezone.now()
    wanted: str = form.cleaned_data["key"]
    # After going back in the browser, the form may be sent again with a new key.
    there = setup.find_submitted_event(club=club, by=user, key=wanted, details=details, now=now)
    make = setup.announce if "publish" in request.POST else setup.draft
    key, like = there.key if there else wanted, template.like if template else None
    room = announcing_forms.read_room(form)
    is_same = there is None or (
        setup.is_as_submitted(there, details=details, plan=plan) and announcing_forms.is_in_room(there, room)
    )
    if there and there.status == Status.DRAFT and not is_same:
        messages.info(request, DRAFTED_BEFORE)
        return redirect(there)
    event = make(club=club, by=user, key=key, details=details, now=now, plan=plan, like=like, room=room)
    if there and there.status == event.status:
        messages.info(request, THERE_ALREADY)
    else:
        is_draft = event.status == Status.DRAFT
        messages.success(request, _("Saved as a draft: only directors see it.") if is_draft else ANNOUNCED)
    return redirect(event)


def _show_form(
    request: HttpRequest,
    club: Club,
    form: EventForm,
    *,
    event: Tournament | None = None,
    seen: str | None = None,
    template: plan_views.ChosenTemplate | None = None,
    like: Tournament | None = None,
) -> HttpResponse:
    values = {
        "form": form,
        "formats": [labels.describe_plan(one) for one in FORMATS],
        "club_name": club.name,
        "event": event,
        "seen": seen,
        "template": template,
        "players": template.outline.players if template else plan_views.count_preview_players(like),
        "templates": _list_cards(club, form, template, like) if event is None and not form.is_bound else (),
        "back": event.get_absolute_url() if event else reverse("tournaments:club_events", args=[club.slug]),
    }
    return render(request, "tournaments/form.html", values, status=422 if form.is_bound else 200)


def _list_cards(
    club: Club, form: EventForm, template: plan_views.ChosenTemplate | None, like: Tournament | None
) -> tuple[plan_views.TemplateCard, ...]:
    """List the choices with previews for the players and the start in the form; the chosen one first."""
    players = plan_views.count_preview_players(like) if template is None else template.outline.players
    # An invalid start is not refused yet: the usual one is shown.
    typed = None
    with suppress(ValidationError):
        typed = form.fields["starts_at"].clean(form.initial["starts_at"])
    starts_at = typed or _compute_usual_start(club, timezone.now())
    found = plan_views.build_cards(like, players, starts_at, club.time_zone)
    return tuple(sorted(found, key=lambda card: template is None or card.name != template.name))


def _compute_usual_start(club: Club, now: datetime) -> datetime:
    """Return the same day next week at the usual hour, in the club's time zone."""
    day = local_times.convert_to_local(now, club.time_zone).date() + timedelta(days=7)
    return datetime.combine(day, USUAL_HOUR, tzinfo=ZoneInfo(club.time_zone)).astimezone(UTC)
