"""The form for announcing an event, and the field for its room."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from players.keys import ALPHABET, new_key
from players.models import Club
from players.people.fields import NameField, ProseField
from tournaments import hooks
from tournaments.base import labels
from tournaments.base.form_fields import LocalTimeField
from tournaments.hooks import WantedRoom
from tournaments.models import LARGEST_CAPACITY, LONGEST_MATCH, SMALLEST_CAPACITY, Tournament
from tournaments.plan.option_forms import Fold
from tournaments.plan.setup import Details

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

MOST_TABLES: Final = 99
ROOM_FIELDS: Final = ("room", "tables")
KEY: Final = re.compile(f"[{ALPHABET}]{{10}}")
LONGEST_KEY: Final = 10
# Suggested formats, stored as formats to be shown in every language. Directors may also write their own text.
FORMATS: Final[tuple[list[dict[str, Any]], ...]] = (
    [{"format": "single-elimination"}],
    [{"format": "progressive-consolation"}],
    [{"format": "double-elimination"}],
    [{"format": "round-robin"}],
    [{"format": "swiss", "rounds": 3}],
    [{"format": "swiss", "rounds": 5}],
    [{"format": "groups"}, {"format": "single-elimination"}],
    [{"format": labels.FRIENDLY}],
)
# The fields that are not folded. With a template the format is known, and its field is folded.
FIRST: Final[tuple[str, ...]] = ("name", "starts_at", "format_label", "match_length")
# The folded fields, each group with its heading.
FOLDS: Final[tuple[tuple[StrPromise, tuple[str, ...]], ...]] = (
    (_("Place and limit"), ("place", "capacity")),
    (_("Description"), ("format_label", "about")),
)


class KeyField(forms.RegexField):
    """The key of a new row, chosen with the form: a form that is sent twice creates one row."""

    def __init__(self) -> None:
        super().__init__(KEY, max_length=LONGEST_KEY, widget=forms.HiddenInput, initial=new_key)


class EventForm(forms.Form):
    name = NameField(label=_("Name"), max_length=80)
    starts_at = LocalTimeField(label=_("Starts"))
    place = NameField(
        label=_("Where"),
        max_length=120,
        required=False,
        help_text=_("The room or the address. Leave it empty for the club's usual place."),
    )
    format_label = NameField(
        label=_("Format"),
        max_length=60,
        required=False,
        widget=forms.TextInput(attrs={"list": "formats", "autocomplete": "off"}),
        help_text=_("Choose one, or write your own words."),
    )
    match_length = forms.IntegerField(
        label=_("Matches to"),
        min_value=1,
        max_value=LONGEST_MATCH,
        initial=5,
        help_text=_("Points, from 1 to 25."),
    )
    capacity = forms.IntegerField(
        label=_("Limit"),
        min_value=SMALLEST_CAPACITY,
        max_value=LARGEST_CAPACITY,
        required=False,
        help_text=_("The most players who can take part. Empty means no limit."),
    )
    about = ProseField(
        label=_("More about it"),
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("What players should know: entry fee, breaks, house rules. Markdown may be used."),
    )
    key = KeyField()

    def __init__(self, *args: Any, club: Club, **options: Any) -> None:
        super().__init__(*args, **options)
        self.first = FIRST
        starts_at: Any = self.fields["starts_at"]
        starts_at.zone = club.time_zone
        starts_at.help_text = _("In the club's time zone (%(zone)s).") % {"zone": club.time_zone}

    def suggest_format(self, words: str) -> None:
        """Show the template's format as a placeholder, and fold the field, since few directors change it."""
        self.fields["format_label"].widget.attrs["placeholder"] = words
        self.first = tuple(name for name in FIRST if name != "format_label")

    @property
    def folds(self) -> list[Fold]:
        return [
            Fold.build(
                self,
                title,
                [name for name in names if name not in self.first],
                lambda _name, value: not value,
            )
            for title, names in FOLDS
        ]

    def details(self, event: Tournament | None = None) -> Details:
        values = {name: self.cleaned_data[name] for name in self.base_fields if name != "key"}
        details = Details(**{**values, "starts_at": values["starts_at"].astimezone(UTC)})
        return set_format(details, values["format_label"], event)


def set_format(details: Details, words: str, event: Tournament | None = None) -> Details:
    """Set the format that *words* describe: a suggested one is stored as a format, not as text.

    Words that describe the format of *event* in the current language change nothing.
    """
    if event is not None and words == labels.describe_format(event.format_label, event.played_as):
        return replace(details, format_label=event.format_label, played_as=event.played_as)
    if event is not None and event.stages.exists():
        # The stages define how it is played, independent of the label.
        own = "" if words == labels.describe_plan(event.played_as) else words
        return replace(details, format_label=own, played_as=event.played_as)
    picked = next((one for one in FORMATS if labels.describe_plan(one) == words), [])
    return replace(details, format_label="" if picked else words, played_as=picked)


def get_valid_key(wanted: str) -> str:
    """Return the key from the form, or a new one if it is malformed."""
    return wanted if KEY.fullmatch(wanted) else new_key()


def add_room_field(
    form: forms.Form, club: Club, like: Tournament | None, *, is_over_days: bool = False
) -> None:
    """Add the field to a form: a room of the club or, if it has none yet, a number of tables.

    The initial value is the room of *like*, or else the club's last room, or none if the matches are played
    by appointment.
    """
    provider = hooks.ROOMS.get()
    if provider is None:
        return
    if rooms := provider.list_rooms(club):
        form.fields["room"] = forms.ChoiceField(
            label=_("Room"),
            required=False,
            choices=[("", _("None: matches are not called to tables")), *rooms],
            initial="" if is_over_days and like is None else provider.find_usual(club, like),
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
