"""An event's room, call mode and breaks: a page for its directors; visitors see the breaks."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from players.access.requests import add_refusal, parse_number
from runtime.refusals import Refusal
from tournaments.base import local_times
from tournaments.base.errors import ChangedMeanwhile
from tournaments.models import Tournament
from tournaments.pages import access
from tournaments.status import Status
from venue.models import CallMode, EventRoom, Room
from venue.rooms import breaks, room_settings
from venue.rooms.breaks import BreakLine, PlannedBreak
from venue.rooms.room_forms import BreakForm, EventRoomForm, show_conflict

ROOM = "venue:event_room"


@access.require_director("GET", "POST")
def event_room(request: HttpRequest, event: Tournament) -> HttpResponse:
    used = EventRoom.objects.filter(event=event).first()
    form = EventRoomForm(request.POST or None, club=event.club, initial=_build_initial(used))
    if form.is_valid():
        cleaned = form.cleaned_data
        try:
            room_settings.set_room(
                event=event,
                room=cleaned["room"],
                mode=CallMode(cleaned["mode"]),
                by=access.require_user(request),
                now=timezone.now(),
                saw=cleaned["saw"],
            )
        except ChangedMeanwhile as refusal:
            show_conflict(
                form,
                refusal,
                saw=room_settings.compute_settings_key(EventRoom.objects.filter(event=event).first()),
            )
        except Refusal as refusal:
            add_refusal(form, refusal)
        else:
            messages.success(request, _("The room is saved."))
            return redirect(
                "tournaments:desk" if event.status == Status.RUNNING else "tournaments:roster", event.key
            )
    return render_room(request, event, form=form)


def render_room(
    request: HttpRequest,
    event: Tournament,
    *,
    form: EventRoomForm | None = None,
    break_form: BreakForm | None = None,
) -> HttpResponse:
    """Show room, call mode and breaks, with a submitted form if there is one."""
    used, now = EventRoom.objects.filter(event=event).first(), timezone.now()
    bound = form or break_form
    base = max(event.starts_at, now)
    values = {
        "event": event,
        "club": event.club,
        "form": form or EventRoomForm(club=event.club, initial=_build_initial(used)),
        "break_form": break_form
        or BreakForm(
            auto_id=BreakForm.IDS,
            zone=event.club.time_zone,
            initial={"saw": breaks.compute_version_key(event), "begins": local_times.compute_slot_end(base)},
        ),
        "breaks": breaks.list_lines(event, now=now),
        "breaks_seen": breaks.compute_version_key(event),
        "has_rooms": Room.objects.filter(club=event.club).exists(),
        "tab": "room",
    }
    is_wrong = bound is not None and bound.is_bound
    return render(request, "venue/event_room.html", values, status=422 if is_wrong else 200)


def _build_initial(used: EventRoom | None) -> dict[str, object]:
    return {
        "saw": room_settings.compute_settings_key(used),
        "room": used.room_id if used else "",
        "mode": used.mode if used else CallMode.AUTOMATIC,
    }


@access.require_director(form=ROOM)
def plan(request: HttpRequest, event: Tournament) -> HttpResponse:
    form = BreakForm(request.POST, auto_id=BreakForm.IDS, zone=event.club.time_zone)
    if form.is_valid():
        span = form.span()
        try:
            breaks.change_breaks(
                event=event,
                change=lambda before: [*before, span],
                by=access.require_user(request),
                now=timezone.now(),
                saw=form.cleaned_data["saw"],
            )
        except ChangedMeanwhile as refusal:
            show_conflict(form, refusal, saw=breaks.compute_version_key(event))
        except Refusal as refusal:
            add_refusal(form, refusal)
        else:
            messages.success(request, _("The break is planned."))
            return redirect(ROOM, event.key)
    return render_room(request, event, break_form=form)


@access.require_director(form=ROOM)
def drop(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Remove a break; a current one ends."""
    number, saw = parse_number(request.POST.get("number", ""), 3), request.POST.get("saw", "")

    def without(before: list[PlannedBreak]) -> list[PlannedBreak]:
        return [span for at, span in enumerate(before) if at != number]

    by, now = access.require_user(request), timezone.now()
    return access.run_and_redirect(
        request,
        event,
        lambda: breaks.change_breaks(event=event, change=without, by=by, now=now, saw=saw),
        done=_("The break is removed."),
        to=ROOM,
    )


def build_page_part(_request: HttpRequest, key: str) -> list[BreakLine] | None:
    """Return the breaks of an event that is published or running, None if it has none."""
    event = access.load_any_event(key)
    if event.status not in (Status.PUBLISHED, Status.RUNNING):
        return None
    return breaks.list_lines(event, now=timezone.now()) or None
