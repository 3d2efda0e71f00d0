"""Names as they are pasted, and what the draw asks of a player."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from players import names
from tournaments import pasted
from tournaments.forms.announcing import clean
from tournaments.services.entering import Traits

MOST_NAMES: Final = 256
LONGEST: Final = 80


class NamesForm(forms.Form):
    """A list of names, one a line."""

    names = forms.CharField(
        label=_("Names"),
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 6, "autocomplete": "off", "spellcheck": "false"}),
        help_text=_(
            "One name a line. Numbers, bullets and ratings may stay. Members are found by their name, all "
            "others are entered as guests."
        ),
    )

    def clean_names(self) -> list[pasted.PastedLine]:
        """Return the lines that name somebody, each name once."""
        by_name: dict[str, pasted.PastedLine] = {}
        for line in pasted.read(self.cleaned_data["names"]):
            name = clean(names.clean_name, line.name, limit=LONGEST)
            by_name.setdefault(name, replace(line, name=name))
        found = list(by_name.values())
        if not found:
            raise forms.ValidationError(_("There is no name in this list."))
        if len(found) > MOST_NAMES:
            said = ngettext(
                "No more than %(count)s name at once.", "No more than %(count)s names at once.", MOST_NAMES
            )
            raise forms.ValidationError(said % {"count": MOST_NAMES})
        return found


class TraitsForm(forms.Form):
    """What the draw asks of a player."""

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

    def traits(self) -> Traits:
        """Return what was typed, for the services."""
        return Traits(**self.cleaned_data)
