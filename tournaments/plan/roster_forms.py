"""Forms of the roster: pasted names, an uploaded file, and the traits of a player."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from players import names
from players.access.requests import parse_number
from players.files.cells import list_columns
from players.people.fields import LONGEST_FILE_NAME, LongTextField, clean_text
from tournaments.base import pasted_lists
from tournaments.hooks import ExtraColumn
from tournaments.plan import roster_file

Table = list[list[str]]
MOST_NAMES: Final = 256
LONGEST: Final = 80
# Limits of an uploaded table, which the page contains as a hidden field.
MOST_COLUMNS: Final = 12
LONGEST_CELL: Final = 80
MOST_CHARACTERS: Final = 60_000
# With quotes, commas and letters escaped as \\u00e4.
LONGEST_TABLE: Final = 250_000


class NamesForm(forms.Form):
    names = LongTextField(
        label=_("Names"),
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 6, "autocomplete": "off", "spellcheck": "false"}),
        help_text=_(
            "One name a line. Numbers, bullets and ratings may stay. Members are found by their name, all "
            "others are entered as guests."
        ),
    )

    def clean_names(self) -> list[pasted_lists.PastedLine]:
        """Parse the lines that contain a name, without duplicates."""
        by_name: dict[str, pasted_lists.PastedLine] = {}
        for line in pasted_lists.parse_list(self.cleaned_data["names"]):
            name = clean_text(names.clean_name, line.name, limit=LONGEST)
            by_name.setdefault(name, replace(line, name=name))
        found = list(by_name.values())
        if not found:
            raise forms.ValidationError(_("There is no name in this list."))
        if len(found) > MOST_NAMES:
            sentence = ngettext(
                "No more than %(count)s name at once.", "No more than %(count)s names at once.", MOST_NAMES
            )
            raise forms.ValidationError(sentence % {"count": MOST_NAMES})
        return found


class RosterFileForm(forms.Form):
    file = forms.FileField(
        label=_("File"),
        max_length=LONGEST_FILE_NAME,
        help_text=_(
            "csv, xlsx or ods: a row for each player, with name and, if you like, rating and "
            "club. You can check everything before anyone is entered."
        ),
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx,.ods"}),
    )


class RosterColumnsForm(forms.Form):
    """The columns of an uploaded table.

    The page contains the cells of the table in a hidden field until the players are entered.
    """

    table = forms.JSONField(max_length=LONGEST_TABLE, widget=forms.HiddenInput)

    def __init__(
        self, data: Any, *, table: Table, guess: Mapping[str, int | None], extra: Mapping[str, ExtraColumn]
    ) -> None:
        super().__init__(data, initial={"table": table})
        letters = [("", "-"), *list_columns(table)]
        titles = roster_file.TITLES | {name: column.title for name, column in extra.items()}
        self._asked = tuple(titles)
        for what, title in titles.items():
            start = guess[what]
            self.fields[f"column_{what}"] = forms.ChoiceField(
                label=title,
                choices=letters,
                required=False,
                initial="" if start is None else str(start),
            )

    def columns(self, guess: Mapping[str, int | None]) -> dict[str, int | None]:
        """Return the column of each field, as chosen or else as guessed."""
        if not (self.is_bound and self.is_valid()):
            return dict(guess)
        places = {what: self.cleaned_data[f"column_{what}"] for what in self._asked}
        return {what: int(at) if at else None for what, at in places.items()}

    def choices(self) -> dict[int, str]:
        return {
            at: str(value)
            for name, value in (self.data or {}).items()
            if name.startswith("row_") and (at := parse_number(name.removeprefix("row_"))) is not None
        }


def parse_table(text: str) -> Table | None:
    """Parse the table in a hidden field; None if it is malformed."""
    try:
        table = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(table, list) or not 0 < len(table) <= MOST_NAMES + 1:
        return None
    if not all(isinstance(row, list) and all(isinstance(cell, str) for cell in row) for row in table):
        return None
    return [[cell[:LONGEST_CELL] for cell in row[:MOST_COLUMNS]] for row in table]


class TraitsForm(forms.Form):
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=1,
        max_value=1024,
        required=False,
        help_text=_("Set by hand: 1 is the top seed."),
    )
    pot = forms.IntegerField(label=_("Pot"), min_value=1, max_value=64, required=False)
    rating = forms.FloatField(label=_("Rating"), min_value=0, max_value=4000, required=False)
    club = forms.CharField(
        label=_("Club"),
        max_length=80,
        required=False,
        help_text=_("Players from the same club are kept apart where the format allows."),
    )
    family = forms.CharField(label=_("Family"), max_length=80, required=False)
