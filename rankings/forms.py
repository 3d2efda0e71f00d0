"""What directors fill in about a list. A form shapes and checks; a service decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.fields import NameField
from rankings.errors import BadPolicy
from rankings.formulas.systems import SYSTEMS
from rankings.models import DatedEach, PlayedWhere
from rankings.services.lists import Terms
from tournaments.forms.announcing import WallField

if TYPE_CHECKING:
    from players.models import Club


def systems() -> list[tuple[str, str]]:
    """Return the systems there are, each with what it says of itself."""
    return [(name, gettext(how.summary)) for name, how in SYSTEMS.items()]


def dated_field(**options: Any) -> forms.ChoiceField:
    """Ask how often a list is published with a date."""
    return forms.ChoiceField(
        label=_("Dated lists"),
        choices=DatedEach.choices,
        required=False,
        help_text=_("A copy of the list that never changes, published beside the live one."),
        **options,
    )


class TermsForm(forms.Form):
    """What a list rates."""

    shortest = forms.IntegerField(label=_("Shortest rated match"), min_value=1, max_value=25, initial=1)
    longest = forms.IntegerField(label=_("Longest rated match"), min_value=1, max_value=25, initial=25)
    played = forms.ChoiceField(
        label=_("Matches that count"), choices=PlayedWhere.choices, initial=PlayedWhere.ANYWHERE
    )
    provisional_under = forms.IntegerField(
        label=_("Provisional until"),
        min_value=0,
        max_value=10_000,
        initial=100,
        help_text=_("Points of experience: the lengths of all rated matches added up."),
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
        names = ("shortest", "longest", "played", "provisional_under")
        return Terms(**{name: self.cleaned_data[name] for name in names})


class ListForm(TermsForm):
    """A new list."""

    name = NameField(label=_("Name"), max_length=80)
    system = forms.ChoiceField(label=_("System"), choices=systems, initial="fibs", widget=forms.RadioSelect)
    has_past = forms.BooleanField(
        label=_("Rate the matches that have been played already"), required=False, initial=True
    )
    dated = dated_field(initial=DatedEach.MONTH)

    field_order = ("name", "system")


class DatedForm(forms.Form):
    """How often a list is published with a date."""

    each = dated_field()


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
