"""What directors fill in about a list and the versions of its policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.fields import NameField
from rankings.errors import BadPolicy
from rankings.forms.dated import dated_field
from rankings.forms.groups import ReachForm
from rankings.formulas.systems import SYSTEMS
from rankings.models import DatedEach, PlayedBy, PlayedWhere
from rankings.services.lists import LONGEST_AWAY, Terms
from tournaments.base.form_fields import WallField

if TYPE_CHECKING:
    from players.models import Club


def systems() -> list[tuple[str, str]]:
    """Return the systems there are, each with what it says of itself."""
    return [(name, gettext(how.summary)) for name, how in SYSTEMS.items()]


class TermsForm(forms.Form):
    """What a list rates."""

    shortest = forms.IntegerField(label=_("Shortest rated match"), min_value=1, max_value=25, initial=1)
    longest = forms.IntegerField(label=_("Longest rated match"), min_value=1, max_value=25, initial=25)
    played = forms.ChoiceField(
        label=_("Matches that count"), choices=PlayedWhere.choices, initial=PlayedWhere.ANYWHERE
    )
    rules = forms.ChoiceField(
        label=_("Rules of play"), choices=PlayedBy.choices, initial=PlayedBy.ANY, widget=forms.RadioSelect
    )
    friendlies = forms.BooleanField(
        label=_("Friendlies count, too"),
        required=False,
        help_text=_("Matches of no event that two members agree on here before they play them."),
    )
    provisional_under = forms.IntegerField(
        label=_("Provisional until"),
        min_value=0,
        max_value=10_000,
        initial=100,
        help_text=_("Points of experience: the lengths of all rated matches added up."),
    )

    inactive_after = forms.IntegerField(
        label=_("Inactive after"),
        min_value=0,
        max_value=LONGEST_AWAY,
        initial=12,
        help_text=_("Months without a rated match. 0: nobody is marked as inactive."),
    )

    def clean(self) -> dict[str, Any]:
        """Have some length rated."""
        said = super().clean() or {}
        if said.get("shortest", 1) > said.get("longest", 25):
            self.add_error("longest", str(BadPolicy()))
        return said

    @property
    def terms(self) -> Terms:
        """The policy that was asked for."""
        names = (
            *("shortest", "longest", "played", "rules", "friendlies"),
            *("provisional_under", "inactive_after"),
        )
        return Terms(**{name: self.cleaned_data[name] for name in names})


class ListForm(ReachForm, TermsForm):
    """A new list."""

    name = NameField(label=_("Name"), max_length=80)
    system = forms.ChoiceField(label=_("System"), choices=systems, initial="fibs", widget=forms.RadioSelect)
    has_past = forms.BooleanField(
        label=_("Rate the matches that have been played already"), required=False, initial=True
    )
    dated = dated_field(initial=DatedEach.MONTH)

    field_order = ("name", "system", "reach")


class PolicyForm(TermsForm):
    """The next version of a list's policy."""

    def __init__(self, *args: Any, club: Club, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["from_at"] = WallField(
            label=_("Applies from"),
            required=False,
            zone=club.time_zone,
            help_text=_("By the club's clock (%(zone)s). Leave it empty for: from now on.")
            % {"zone": club.time_zone},
        )
