"""What directors fill in about rooms, tables and breaks. A form shapes and checks; a service decides."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from players.people.fields import NameField
from tournaments.base.form_fields import WallField
from venue.models import CallMode, Room, TableState, TableTag
from venue.models.queues import LONGEST_BREAK_NAME
from venue.rooms.planned_breaks import PlannedBreak

if TYPE_CHECKING:
    from django.http import QueryDict

    from players.models import Club
    from runtime.refusals import Refusal


# What a page was showing: numbers of rows.
LONGEST_SAW: Final = 2_000


class TablesForm(forms.Form):
    """The tables of a room, or more of them."""

    tables = forms.CharField(
        label=_("Tables"),
        max_length=1000,
        help_text=_(
            "What is written on them: numbers such as 1-8, or short names, with commas between them."
        ),
    )


class RoomForm(TablesForm):
    """A room with its tables."""

    name = NameField(label=_("Name"), max_length=80)
    field_order = ("name", "tables")


class TableForm(forms.Form):
    """One table."""

    # How the table was set when the form was made; without it the page is an old one.
    saw = forms.CharField(max_length=LONGEST_SAW, widget=forms.HiddenInput, required=False)

    label = forms.CharField(label=_("Label"), max_length=12)
    state = forms.ChoiceField(
        label=_("State"),
        choices=TableState.choices,
        help_text=_("Only a free table gets a match. Hold one for a match you want there."),
    )
    tags = forms.MultipleChoiceField(
        label=_("Tags"), choices=TableTag.choices, required=False, widget=forms.CheckboxSelectMultiple
    )


class EventRoomForm(forms.Form):
    """Where an event is played, and who calls its matches."""

    # How that was set when the form was made; without it the page is an old one.
    saw = forms.CharField(max_length=LONGEST_SAW, widget=forms.HiddenInput, required=False)

    room = forms.ModelChoiceField(
        label=_("Room"),
        queryset=Room.objects.none(),
        required=False,
        empty_label=_("None: matches are not called to tables"),
    )
    mode = forms.ChoiceField(label=_("Calls"), choices=CallMode.choices, widget=forms.RadioSelect)

    def __init__(self, *args: Any, club: Club, **options: Any) -> None:
        """Offer the rooms of the club."""
        super().__init__(*args, **options)
        cast("forms.ModelChoiceField[Room]", self.fields["room"]).queryset = Room.objects.filter(club=club)


class BreakForm(forms.Form):
    """A break that is planned."""

    # It stands beside the form of the room, which has fields of the same names.
    IDS: Final = "break_%s"

    # What was seen of the event's breaks when the form was made.
    saw = forms.CharField(max_length=LONGEST_SAW, widget=forms.HiddenInput, required=False)
    begins = WallField(label=_("Begins"))
    minutes = forms.IntegerField(label=_("Minutes"), min_value=1, max_value=12 * 60, initial=30)
    name = NameField(
        label=_("Name"), max_length=LONGEST_BREAK_NAME, required=False, help_text=_("Such as: Dinner.")
    )

    def __init__(self, *args: Any, zone: str, **options: Any) -> None:
        """Read the hour by the clock of the club."""
        super().__init__(*args, **options)
        cast("WallField", self.fields["begins"]).zone = zone

    def span(self) -> PlannedBreak:
        """Return the break."""
        said = self.cleaned_data
        return PlannedBreak(said["begins"], said["begins"] + timedelta(minutes=said["minutes"]), said["name"])


def ask_again(form: forms.Form, refusal: Refusal, *, saw: str) -> None:
    """Show what somebody else has changed meanwhile beside what was filled in, which then counts against it."""
    said = cast("QueryDict", form.data).copy()
    said["saw"] = saw
    form.data = said
    form.add_error(None, str(refusal))
