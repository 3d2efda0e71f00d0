"""What a member fills in to propose a friendly. A form shapes and checks; a service decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from engine.clock import PRESETS
from matches import clock_words
from players.keys import new_key
from tournaments.forms.announcing import KEY, LONGEST_KEY
from tournaments.models import LONGEST_MATCH
from tournaments.models.friendlies import FriendlyWhere
from tournaments.selectors.lines import shown_name

if TYPE_CHECKING:
    from players.models import Club, Player

USUAL_LENGTH = 5


class FriendlyForm(forms.Form):
    """Against whom, how long, and where."""

    opponent = forms.ChoiceField(label=_("Opponent"))
    length = forms.IntegerField(label=_("Points"), min_value=1, max_value=LONGEST_MATCH, initial=USUAL_LENGTH)
    where = forms.ChoiceField(
        label=_("Where"),
        choices=FriendlyWhere.choices,
        initial=FriendlyWhere.BOARD,
        widget=forms.RadioSelect,
    )
    clock = forms.ChoiceField(label=_("Clock for a match on this site"), required=False)
    # A form that is sent twice makes one proposal.
    key = forms.RegexField(KEY, max_length=LONGEST_KEY, widget=forms.HiddenInput)

    def __init__(
        self, data: Any, *, people: list[tuple[Club, list[Player]]], opponent: str = "", club: str = ""
    ) -> None:
        """Ask for one of these *people*; those who are named come first."""
        super().__init__(data, initial={"key": new_key()})
        self.people = {
            f"{house.slug}/{player.key}": (house, player) for house, each in people for player in each
        }
        groups = [
            (house.name, [(f"{house.slug}/{player.key}", shown_name(player)) for player in each])
            for house, each in people
        ]
        wanted = [
            name
            for name in self.people
            if name.endswith(f"/{opponent}" if opponent else "")
            and name.startswith(f"{club}/" if club else "")
        ]
        if (opponent or club) and wanted:
            self.initial["opponent"] = wanted[0]
        choices = {
            "opponent": groups[0][1] if len(groups) == 1 else groups,
            "clock": [("", _("none")), *((name, clock_words.name_of(name)) for name in PRESETS)],
        }
        for name, offered in choices.items():
            cast("forms.ChoiceField", self.fields[name]).choices = offered

    @property
    def asked(self) -> tuple[Club, Player]:
        """The club and the member who were chosen."""
        return self.people[self.cleaned_data["opponent"]]
