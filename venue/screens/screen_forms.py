"""Directors' forms for screens. They validate shape only; services decide."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from players.people.fields import NameField
from tournaments.models import Tournament
from venue.models import Layout, Room, Show
from venue.models.screens import LONGEST_DELAY
from venue.screens import screens

if TYPE_CHECKING:
    from datetime import datetime

    from players.models import Club
    from venue.models import Screen


class BindForm(forms.Form):
    """The letters of a waiting browser, and the name of its screen."""

    letters = forms.CharField(
        label=_("Letters"),
        min_length=4,
        max_length=8,
        help_text=_("The four letters the screen shows."),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}
        ),
    )
    name = NameField(
        label=_("Name"),
        max_length=80,
        help_text=_("Such as Bar. With the name of an existing screen, this one replaces it."),
    )
    room: forms.ModelChoiceField[Room] = forms.ModelChoiceField(
        queryset=Room.objects.none(), label=_("Room"), required=False, empty_label=_("All rooms")
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["room"].queryset = screens.list_rooms(club)  # type: ignore[attr-defined]


class ProgrammeForm(forms.Form):
    name = NameField(label=_("Name"), max_length=80)
    room: forms.ModelChoiceField[Room] = forms.ModelChoiceField(
        queryset=Room.objects.none(), label=_("Room"), required=False, empty_label=_("All rooms")
    )
    event: forms.ModelChoiceField[Tournament] = forms.ModelChoiceField(
        queryset=Tournament.objects.none(),
        label=_("Event"),
        required=False,
        empty_label=_("Any match in progress"),
    )
    programme = forms.MultipleChoiceField(
        label=_("In turn"),
        choices=Show.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Pages with nothing to show are skipped."),
    )
    seconds = forms.IntegerField(label=_("Seconds a page"), min_value=5, max_value=120)
    held = forms.ChoiceField(
        label=_("Show only one page"),
        choices=[("", _("No, show all in turn")), *Show.choices],
        required=False,
    )
    speaks = forms.BooleanField(
        label=_("Say each call aloud"),
        required=False,
        help_text=_("In the club's language. Most browsers speak only after a tap or a key on that screen."),
    )
    announcement = forms.CharField(
        label=_("Announcement"),
        max_length=160,
        required=False,
        help_text=_("Shown where Announcement is chosen above. Words between **two stars** stand out."),
    )
    minutes = forms.IntegerField(
        label=_("Minutes the announcement stays"),
        min_value=1,
        max_value=7 * 24 * 60,
        required=False,
        help_text=_("Empty: until you change it."),
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["room"].queryset = screens.list_rooms(club)  # type: ignore[attr-defined]
        self.fields["event"].queryset = screens.list_events(club)  # type: ignore[attr-defined]

    @staticmethod
    def build_initial(screen: Screen, *, now: datetime) -> dict[str, object]:
        """Return the initial values of the form; an expired announcement is left out."""
        until = screen.announced_until
        is_over = until is not None and until <= now
        return {
            "name": screen.name,
            "room": screen.room_id,
            "event": screen.event_id,
            "programme": screen.programme,
            "seconds": screen.seconds,
            "held": screen.held,
            "speaks": screen.speaks,
            "announcement": "" if is_over else screen.announcement,
            "minutes": None
            if until is None or is_over
            else max(1, math.ceil((until - now).total_seconds() / 60)),
        }


class OverlayForm(forms.Form):
    layout = forms.ChoiceField(label=_("Layout"), choices=Layout.choices)
    delay = forms.IntegerField(
        label=_("Delay in seconds"),
        min_value=0,
        max_value=LONGEST_DELAY,
        help_text=_("As many seconds as the picture of the stream is delayed."),
    )
