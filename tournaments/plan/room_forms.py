"""The form field for the room of an event: a room of the club or, if it has none yet, a number of tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments import hooks
from tournaments.hooks import WantedRoom

if TYPE_CHECKING:
    from players.models import Club
    from tournaments.models import Tournament

MOST_TABLES: Final = 99
NAMES: Final = ("room", "tables")


def add_room_field(form: forms.Form, club: Club, like: Tournament | None) -> None:
    """Add the field to a form, with the room of *like* or else the club's last room as the initial value."""
    provider = hooks.ROOMS.get()
    if provider is None:
        return
    if rooms := provider.list_rooms(club):
        form.fields["room"] = forms.ChoiceField(
            label=_("Room"),
            required=False,
            choices=[("", _("None: matches are not called to tables")), *rooms],
            initial=provider.find_usual(club, like),
        )
        form.fields["room"].has_usual = True  # type: ignore[attr-defined]
    else:
        form.fields["tables"] = forms.IntegerField(
            label=_("Number of tables"),
            required=False,
            min_value=1,
            max_value=MOST_TABLES,
            help_text=_("Matches are called to tables 1, 2, 3. Empty: no tables."),
        )


def read_room(form: forms.Form) -> WantedRoom | None:
    """Return the chosen room; None if the form has no such field, or was sent without it."""
    if "room" in form.fields and "room" in form.data:
        return WantedRoom(key=form.cleaned_data["room"])
    if "tables" in form.fields:
        return WantedRoom(tables=form.cleaned_data["tables"] or 0)
    return None


def is_in_room(event: Tournament, room: WantedRoom | None) -> bool:
    """True if the event has this room of the club, or the form names none."""
    provider = hooks.ROOMS.get()
    return provider is None or room is None or room == WantedRoom(key=provider.find_usual(event.club, event))
