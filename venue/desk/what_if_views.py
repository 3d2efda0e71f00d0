"""The expected end of a running event, and what-if questions about it at its desk. Read-only."""

from __future__ import annotations

from typing import Final, cast

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from draw.forecast.what_if import Question
from tournaments.models import Tournament
from tournaments.pages import access
from tournaments.pages.etags import is_part
from tournaments.status import Status
from venue.desk import end_forecast
from venue.desk.end_forecast import Outlook

# Largest change of the match length in a question.
MOST_POINTS: Final = 4
MOST_TABLES: Final = 99


class WhatIfForm(forms.Form):
    """What-if question about the end of an event; each field defaults to the current value."""

    tables = forms.IntegerField(label=_("Tables"), min_value=1, max_value=MOST_TABLES)
    points = forms.TypedChoiceField(label=_("Matches to come"), coerce=int)
    last_round = forms.TypedChoiceField(label=_("The last round is"), coerce=int)

    def __init__(self, question_data: dict[str, str], *, outlook: Outlook) -> None:
        """Fill fields missing from *question* with current values."""
        tables, left = outlook.tables, outlook.rest
        planned = left.last_round
        usual = {"tables": str(tables or ""), "points": "0", "last_round": str(planned), "leaving": "0"}
        super().__init__({name: question_data.get(name, value) for name, value in usual.items()})
        if not tables:
            self.fields["tables"].required = False
            self.fields["tables"].help_text = _("Leave empty for as many as are needed.")
        _set_choices(
            self,
            "points",
            [(points, _format_length_change(points)) for points in range(-MOST_POINTS, MOST_POINTS + 1)],
        )
        if left.stops:
            _set_choices(self, "last_round", [(number, str(number)) for number in (*left.stops, planned)])
        else:
            del self.fields["last_round"]
        if left.most_leaving:
            most = left.most_leaving
            self.fields["leaving"] = forms.IntegerField(
                label=_("Players who leave"), min_value=0, max_value=most
            )

    def question(self) -> Question:
        cleaned = self.cleaned_data
        return Question(
            cleaned["tables"], cleaned["points"], cleaned.get("last_round"), cleaned.get("leaving", 0)
        )


@access.require_director("GET", "HEAD")
def what_if(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Show the expected end of an event, and answer the question if there is one."""
    outlook = end_forecast.forecast_end(event, now=timezone.now())
    form = None if outlook is None else WhatIfForm(request.GET.dict(), outlook=outlook)
    is_asked = form is not None and any(name in request.GET for name in form.fields)
    answer = None
    if outlook is not None and form is not None and form.is_valid() and is_asked:
        answer = outlook.what_if(form.question())
    values = {
        "event": event,
        "club": event.club,
        "outlook": outlook,
        "form": form,
        "is_asked": is_asked,
        "answer": answer,
        # An open desk hides this part when the event is over, and shows it again if the event is reopened.
        "is_gone": is_part(request) and build_desk_part(request, event.key) is None,
        "tab": "desk",
        "live_topics": [access.get_position(event)],
    }
    template = "venue/_what_if.html" if is_part(request) else "venue/what_if.html"
    is_wrong = form is not None and not form.is_valid()
    return render(request, template, values, status=422 if is_wrong else 200)


def build_desk_part(_request: HttpRequest, key: str) -> str | None:
    """Return the event key if its desk shows the expected end.

    It does while the event is running, and neither paused nor played out.
    """
    event = access.load_any_event(key)
    stands_still = event.paused_at is not None or event.over_at is not None
    return key if event.status == Status.RUNNING and not stands_still else None


def _set_choices(form: forms.Form, name: str, choices: list[tuple[int, str]]) -> None:
    cast("forms.TypedChoiceField", form.fields[name]).choices = choices


def _format_length_change(points: int) -> str:
    if not points:
        return str(_("as they are"))
    if points < 0:
        # Translators: matches to come are so many points shorter
        return ngettext("−%(points)d point", "−%(points)d points", -points) % {"points": -points}  # noqa: RUF001
    # Translators: matches to come are so many points longer
    return ngettext("+%(points)d point", "+%(points)d points", points) % {"points": points}
