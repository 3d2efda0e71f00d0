"""The event's page, also with the invalid forms of a refused request: guest, reason, finishing order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players import names
from players.access import context
from players.keys import new_key
from players.people.fields import NameField, clean_text
from tournaments.models import Report, ReportStatus, Tournament
from tournaments.pages import event_page_data, tabs, tabs_views
from tournaments.pages.event_page_data import EventPage, Permissions
from tournaments.play import claims

ENTERED = _("You are in. See you there!")
WITHDRAWN = _("You have withdrawn from this event.")


class GuestForm(forms.Form):
    name = NameField(label=_("Guest"), max_length=80, widget=forms.TextInput(attrs={"autocomplete": "off"}))


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=_("Why?"), max_length=300, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, *args: Any, form_id: str = "", **options: Any) -> None:
        super().__init__(*args, **options)
        if form_id:
            # The field is in the dialog's body, its form in the dialog's footer.
            self.fields["reason"].widget.attrs["form"] = form_id

    def clean_reason(self) -> str:
        """Return the normalized reason; it has to contain a letter or a digit."""
        if not any(char.isalnum() for char in self.cleaned_data["reason"]):
            raise forms.ValidationError(_("Enter a reason. The players concerned will read it."))
        return clean_text(names.clean_name, self.cleaned_data["reason"], limit=300)


class FinishForm(forms.Form):
    """A finishing order: a place for each player, empty for players who were not placed."""

    def __init__(self, *args: Any, players: Iterable[tuple[str, str, int | None]], **options: Any) -> None:
        super().__init__(*args, **options)
        self.players = tuple(players)
        for key, name, place in self.players:
            self.fields[f"place-{key}"] = forms.IntegerField(
                label=name,
                initial=place,
                required=False,
                min_value=1,
                max_value=max(len(self.players), 1),
                widget=forms.NumberInput(attrs={"inputmode": "numeric", "class": "input"}),
            )

    def places(self) -> dict[str, int | None]:
        """Return the place of each player in the submitted form, by key of the player."""
        return {
            key: self.cleaned_data.get(f"place-{key}")
            for key, _name, _place in self.players
            if f"place-{key}" in self.data
        }


def format_report_message(report: Report) -> str:
    if report.status == ReportStatus.OPEN:
        return gettext("Reported. Waiting for your opponent to confirm it.")
    if report.status == ReportStatus.DISPUTED:
        return gettext("Reported. Your opponent reports something else: the director decides.")
    mine = claims.build_report_claim(report.pairing, report)
    theirs = Report.objects.filter(pairing=report.pairing).exclude(by=report.by_id)
    if any(mine.agrees_with(claims.build_report_claim(report.pairing, one)) for one in theirs):
        return gettext("You both report the same: the result stands.")
    return gettext("The result is entered.")


def show_event(
    request: HttpRequest, event: Tournament, *, status: int = 200, **extra: object
) -> HttpResponse:
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
    ranked = sorted(shown.entrants, key=lambda each: each.name.casefold())
    return FinishForm(data, players=[(each.key, each.name, each.place) for each in ranked])
