"""The breaks of an event: its directors plan and remove them beside its room, and everybody reads them on its page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from players.requests import by_post
from runtime.refusals import Refusal, for_form
from tournaments.base.errors import ChangedMeanwhile
from tournaments.pages import access
from tournaments.status import Status
from venue.forms import BreakForm, ask_again
from venue.selectors import breaks as planned
from venue.services import breaks
from venue.views import desk

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Tournament
    from venue.selectors.breaks import BreakLine, PlannedBreak

ROOM = "venue:event_room"


@by_post(ROOM)
@access.directs
def plan(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Plan a break, or give the form back with what is wrong about it."""
    form = BreakForm(request.POST, auto_id=BreakForm.IDS, zone=event.club.time_zone)
    if form.is_valid():
        span = form.span()
        try:
            breaks.arrange(
                event=event,
                change=lambda before: [*before, span],
                by=access.signed_in(request),
                now=timezone.now(),
                saw=form.cleaned_data["saw"],
            )
        except ChangedMeanwhile as refusal:
            ask_again(form, refusal, saw=planned.mark(event))
        except Refusal as refusal:
            form.add_error(None, for_form(refusal))
        else:
            messages.success(request, _("The break is planned."))
            return redirect(ROOM, event.key)
    return desk.show_room(request, event, break_form=form)


@by_post(ROOM)
@access.directs
def drop(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Remove a break; one that is on ends with it."""
    typed, saw = request.POST.get("number", ""), request.POST.get("saw", "")
    number = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 4 else -1

    def without(before: list[PlannedBreak]) -> list[PlannedBreak]:
        return [span for at, span in enumerate(before) if at != number]

    by, now = access.signed_in(request), timezone.now()
    return access.attempt(
        request,
        event,
        lambda: breaks.arrange(event=event, change=without, by=by, now=now, saw=saw),
        done=_("The break is removed."),
        to=ROOM,
    )


def part_of_page(_request: HttpRequest, key: str) -> list[BreakLine] | None:
    """Return the breaks of an event that is to come or is played, None where it has none."""
    event = access.find_any(key)
    if event.status not in (Status.PUBLISHED, Status.RUNNING):
        return None
    return planned.lines(event, now=timezone.now()) or None
