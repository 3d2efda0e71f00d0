"""What directors fill in about rooms and screens. A form shapes and checks; a service decides."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, cast

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from draw.forecast.whatif import Question
from players.fields import NameField
from tournaments.base.form_fields import WallField
from tournaments.models import Tournament
from venue.models import CallMode, Layout, Room, Show, TableState, TableTag
from venue.models.overlays import LONGEST_DELAY
from venue.models.queues import LONGEST_BREAK_NAME
from venue.selectors.breaks import PlannedBreak
from venue.services import screens

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import QueryDict

    from players.models import Club
    from runtime.refusals import Refusal
    from venue.models import Screen
    from venue.selectors.ending import Outlook


# Matches can be asked to be so many points longer or shorter.
MOST_POINTS: Final = 4
# What a page was showing: numbers of rows.
LONGEST_SAW: Final = 2_000
MOST_TABLES: Final = 99


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


class BindForm(forms.Form):
    """A screen that waits."""

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
        help_text=_("Such as: Bar. The name of a screen you have puts this one in its place."),
    )
    room: forms.ModelChoiceField[Room] = forms.ModelChoiceField(
        queryset=Room.objects.none(), label=_("Room"), required=False, empty_label=_("All rooms")
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["room"].queryset = screens.rooms(club)  # type: ignore[attr-defined]


class ProgrammeForm(forms.Form):
    """What a screen shows."""

    name = NameField(label=_("Name"), max_length=80)
    room: forms.ModelChoiceField[Room] = forms.ModelChoiceField(
        queryset=Room.objects.none(), label=_("Room"), required=False, empty_label=_("All rooms")
    )
    event: forms.ModelChoiceField[Tournament] = forms.ModelChoiceField(
        queryset=Tournament.objects.none(),
        label=_("Event"),
        required=False,
        empty_label=_("Whatever is being played"),
    )
    programme = forms.MultipleChoiceField(
        label=_("In turn"),
        choices=Show.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("What has nothing to show is passed over."),
    )
    seconds = forms.IntegerField(label=_("Seconds a page"), min_value=5, max_value=120)
    held = forms.ChoiceField(
        label=_("Hold one thing"), choices=[("", _("No, show all in turn")), *Show.choices], required=False
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
        self.fields["room"].queryset = screens.rooms(club)  # type: ignore[attr-defined]
        self.fields["event"].queryset = screens.events(club)  # type: ignore[attr-defined]

    @staticmethod
    def of(screen: Screen, *, now: datetime) -> dict[str, object]:
        """Return what a screen shows, as this form says it; an announcement that is over is gone."""
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
    """How the overlay of a table is shown."""

    layout = forms.ChoiceField(label=_("Layout"), choices=Layout.choices)
    delay = forms.IntegerField(
        label=_("Delay in seconds"),
        min_value=0,
        max_value=LONGEST_DELAY,
        help_text=_("As long as the picture of the stream is late."),
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


class WhatIfForm(forms.Form):
    """What a director asks about the end of an event: every field begins as it is."""

    tables = forms.IntegerField(label=_("Tables"), min_value=1, max_value=MOST_TABLES)
    points = forms.TypedChoiceField(label=_("Matches to come"), coerce=int)
    last_round = forms.TypedChoiceField(label=_("The last round is"), coerce=int)

    def __init__(self, asked: dict[str, str], *, outlook: Outlook) -> None:
        """Take what was asked; what was not is as it is."""
        tables, left = outlook.tables, outlook.rest
        planned = left.last_round
        usual = {
            "tables": str(tables or ""),
            "points": "0",
            "last_round": str(planned),
            "leaving": "0",
        }
        super().__init__({name: asked.get(name, value) for name, value in usual.items()})
        if not tables:
            self.fields["tables"].required = False
            self.fields["tables"].help_text = _("Empty: as many as are wanted.")
        _choices(
            self, "points", [(points, _longer(points)) for points in range(-MOST_POINTS, MOST_POINTS + 1)]
        )
        if left.stops:
            _choices(self, "last_round", [(number, str(number)) for number in (*left.stops, planned)])
        else:
            del self.fields["last_round"]
        if left.most_leaving:
            most = left.most_leaving
            self.fields["leaving"] = forms.IntegerField(
                label=_("Players who leave"), min_value=0, max_value=most
            )

    def question(self) -> Question:
        """Return what was asked."""
        said = self.cleaned_data
        return Question(said["tables"], said["points"], said.get("last_round"), said.get("leaving", 0))


def ask_again(form: forms.Form, refusal: Refusal, *, saw: str) -> None:
    """Show what somebody else has changed meanwhile beside what was filled in, which then counts against it."""
    said = cast("QueryDict", form.data).copy()
    said["saw"] = saw
    form.data = said
    form.add_error(None, str(refusal))


def _choices(form: forms.Form, name: str, choices: list[tuple[int, str]]) -> None:
    cast("forms.TypedChoiceField", form.fields[name]).choices = choices


def _longer(points: int) -> str:
    if not points:
        return str(_("as they are"))
    if points < 0:
        # Translators: matches to come are so many points shorter
        return ngettext("−%(points)d point", "−%(points)d points", -points) % {"points": -points}  # noqa: RUF001
    # Translators: matches to come are so many points longer
    return ngettext("+%(points)d point", "+%(points)d points", points) % {"points": points}


class RehearsalForm(forms.Form):
    """How many play in a rehearsal."""

    players = forms.IntegerField(
        label=_("Players"),
        min_value=0,
        max_value=128,
        required=False,
        help_text=_("Everybody who has entered takes part; made-up players fill the rest."),
    )
