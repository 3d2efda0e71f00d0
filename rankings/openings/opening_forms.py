"""Forms for directors who import ratings from a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from players.files.cells import list_columns
from players.people.fields import DAY_INPUT, LONGEST_FILE_NAME, NameField
from players.people.namesakes import LEAVE, NEW
from rankings.openings import opening_sheet
from rankings.openings.opening_sheet import FIELDS, NAME, RATING, TITLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from players.models import Club
    from rankings.openings.opening_sheet import Sheet


class UploadForm(forms.Form):
    file = forms.FileField(
        label=_("File"),
        max_length=LONGEST_FILE_NAME,
        help_text=_(
            "csv, xlsx or ods: a row for each player, with name and rating. You can check "
            "everything before it is saved."
        ),
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx,.ods"}),
    )
    source = NameField(
        label=_("Source"),
        max_length=120,
        required=False,
        help_text=_("Where the ratings come from, such as the name of the federation. Everyone can read it."),
    )


class ColumnsForm(forms.Form):
    """The meaning of the columns, and defaults for missing values."""

    day = forms.DateField(
        label=_("Date of the ratings"), widget=DAY_INPUT, help_text=_("For rows without a date.")
    )
    points = forms.IntegerField(
        label=_("Points of a match"),
        min_value=1,
        max_value=25,
        initial=5,
        help_text=_(
            "Experience is the lengths of all matches added up. If the table counts matches, they count this much."
        ),
    )
    strangers = forms.ChoiceField(
        label=_("Players who are not members"),
        choices=[(LEAVE, _("Leave out")), (NEW, _("Add as guests"))],
        initial=LEAVE,
    )
    leaves_out = forms.BooleanField(label=_("Leave out rows that cannot be read"), required=False)

    def __init__(
        self, data: Any, *, table: Sequence[Sequence[str]], guess: Mapping[str, int | None], today: date
    ) -> None:
        super().__init__(data, initial={"day": today})
        self.table, self.guess, self.today = table, guess, today
        letters = list_columns(table)
        for what in FIELDS:
            has_to = what in {NAME, RATING}
            start = guess.get(what)
            self.fields[f"column_{what}"] = forms.ChoiceField(
                label=TITLES[what],
                choices=letters if has_to and start is not None else [("", "-"), *letters],
                required=has_to,
                initial="" if start is None else str(start),
            )
        self.order_fields(
            [*(f"column_{what}" for what in FIELDS), "day", "points", "strangers", "leaves_out"]
        )

    def sheet(self, club: Club) -> Sheet:
        """Read the table with these settings."""
        said: dict[str, Any] = self.cleaned_data if self.is_bound and self.is_valid() else {}
        columns = {
            what: (int(said[f"column_{what}"]) if said.get(f"column_{what}") else None)
            if said
            else self.guess[what]
            for what in FIELDS
        }
        choices = {
            int(name.removeprefix("row_")): str(value)
            for name, value in self.data.items()
            if name.startswith("row_") and name.removeprefix("row_").isdecimal() and len(name) < 10
        }
        return opening_sheet.read_sheet(
            self.table,
            club=club,
            columns=columns,
            day=said.get("day") or self.today,
            points=said.get("points") or 5,
            choices=choices,
            strangers=said.get("strangers") or LEAVE,
        )
