"""Directors' forms for rooms, tables and breaks. They validate shape only; services decide."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final, cast

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from players.models import Club
from players.people.fields import NameField
from runtime.refusals import Refusal
from tournaments.base.form_fields import LocalTimeField
from venue.models import CallMode, Room, TableState, TableTag
from venue.models.queues import LONGEST_BREAK_NAME
from venue.rooms.breaks import PlannedBreak

# Version keys consist of row numbers.
LONGEST_SAW: Final = 2_000


class TablesForm(forms.Form):
    tables = forms.CharField(
        label=_("Tables"),
        max_length=1000,
        help_text=_("Their labels: numbers such as 1-8, or short names, separated by commas."),
    )


class RoomForm(TablesForm):
    name = NameField(label=_("Name"), max_length=80)
    field_order = ("name", "tables")


class SeenForm(forms.Form):
    # Version of what was shown when the form was rendered; empty on outdated pages.
    saw = forms.CharField(max_length=LONGEST_SAW, widget=forms.HiddenInput, required=False)


class TableForm(SeenForm):
    label = forms.CharField(label=_("Label"), max_length=12)
    state = forms.ChoiceField(
        label=_("State"),
        choices=TableState.choices,
        help_text=_("Only a free table gets a match. Hold one for a match you want there."),
    )
    tags = forms.MultipleChoiceField(
        label=_("Tags"), choices=TableTag.choices, required=False, widget=forms.CheckboxSelectMultiple
    )


class EventRoomForm(SeenForm):
    room = forms.ModelChoiceField(
        label=_("Room"),
        queryset=Room.objects.none(),
        required=False,
        empty_label=_("None: matches are not called to tables"),
    )
    mode = forms.ChoiceField(label=_("Calls"), choices=CallMode.choices, widget=forms.RadioSelect)

    def __init__(self, *args: Any, club: Club, **options: Any) -> None:
        super().__init__(*args, **options)
        cast("forms.ModelChoiceField[Room]", self.fields["room"]).queryset = Room.objects.filter(club=club)


class BreakForm(SeenForm):
    # The form of the room on the same page has fields of the same names.
    IDS: Final = "break_%s"

    begins = LocalTimeField(label=_("Begins"))
    minutes = forms.IntegerField(label=_("Minutes"), min_value=1, max_value=12 * 60, initial=30)
    name = NameField(
        label=_("Name"), max_length=LONGEST_BREAK_NAME, required=False, help_text=_("Such as: Dinner.")
    )

    def __init__(self, *args: Any, zone: str, **options: Any) -> None:
        """Parse hours in *zone*, the club's time zone."""
        super().__init__(*args, **options)
        cast("LocalTimeField", self.fields["begins"]).zone = zone

    def span(self) -> PlannedBreak:
        cleaned = self.cleaned_data
        return PlannedBreak(
            cleaned["begins"], cleaned["begins"] + timedelta(minutes=cleaned["minutes"]), cleaned["name"]
        )


def show_conflict(form: forms.Form, refusal: Refusal, *, saw: str) -> None:
    """Show the conflict beside the submitted values, with the new version for the next submission."""
    data = cast("QueryDict", form.data).copy()
    data["saw"] = saw
    form.data = data
    form.add_error(None, str(refusal))
