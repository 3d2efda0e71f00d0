"""The event's page, also with the invalid forms of a refused request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.access import context
from players.keys import new_key
from tournaments.models import ReportStatus, Tournament
from tournaments.pages import event_page_data, tabs, tabs_views
from tournaments.pages.event_page_forms import FinishForm, GuestForm, ReasonForm

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Report
    from tournaments.pages.event_page_data import EventPage, Permissions

ENTERED = _("You are in. See you there!")
WITHDRAWN = _("You have withdrawn from this event.")


def format_report_message(said: Report) -> str:
    if said.status == ReportStatus.OPEN:
        return gettext("Reported. Waiting for your opponent to confirm it.")
    if said.status == ReportStatus.DISPUTED:
        return gettext("Reported. Your opponent reports something else: the director decides.")
    return gettext("You both report the same: the result stands.")


def show_event(
    request: HttpRequest, event: Tournament, *, status: int = 200, **extra: object
) -> HttpResponse:
    """Render the event's page. *extra* has the forms that a refused request shows again."""
    opened = tabs.open_event(event)
    shown = event_page_data.load_page(event, request.user, now=timezone.now(), stages=opened.view.stages)
    values = {
        "event": shown,
        "finish": build_finish_form(shown) if shown.may.finish else None,
        "guest_form": GuestForm(auto_id="guest-%s"),
        "cancel_form": build_reason_form("cancel"),
        "clone_key": new_key(),
        "reopen_form": build_reason_form("reopen"),
        **extra,
    }
    if shown.is_staged:
        return tabs_views.show_overview(request, opened, values, status=status)
    context.set_club(request, event.club)
    values["live_topics"] = [opened.live]
    return render(request, "tournaments/event.html", values, status=status)


def load_permissions(request: HttpRequest, event: Tournament) -> Permissions:
    return event_page_data.load_page(event, request.user, now=timezone.now()).may


def build_reason_form(act: str, data: object = None) -> ReasonForm:
    return ReasonForm(data, auto_id=f"{act}-%s", form_id=f"{act}-form")


def build_finish_form(shown: EventPage, data: object = None) -> FinishForm:
    """Return the form of the finishing order, players sorted by name."""
    ranked = sorted(shown.entrants, key=lambda each: each.name.casefold())
    return FinishForm(data, players=[(each.key, each.name, each.place) for each in ranked])
