"""Forms for directors of a list: its reach, the versions of its policy, the schedule of dated lists."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, cast

from django import forms
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.models import Club
from players.models.folded_names import fold_name
from players.names import fold
from players.people.fields import DefaultChoiceField, NameField
from rankings.errors import BadPolicy
from rankings.formulas.systems import SYSTEMS
from rankings.lists.lists import LONGEST_AWAY, Terms
from rankings.models import DatedInterval, PlayMedium, Reach, RulesOfPlay
from tournaments.base.form_fields import LocalTimeField


def make_dated_field(**options: Any) -> DefaultChoiceField:
    return DefaultChoiceField(
        label=_("Dated lists"),
        choices=DatedInterval.choices,
        help_text=_("A copy of the list that never changes, published in addition to the live list."),
        **options,
    )


class DatedForm(forms.Form):
    each = make_dated_field()


class InviteForm(forms.Form):
    """The club to invite, by its name or its address."""

    club = NameField(
        label=_("Club"),
        max_length=200,
        help_text=_("The club's name, or the address of its page."),
    )

    def clean_club(self) -> Any:
        cleaned = self.cleaned_data["club"]
        address = cleaned.rstrip("/").rpartition("/")[2].lower()
        # One word may be the name of one club and the address of another.
        rows = Club.objects.filter(Q(folded_name__startswith=fold_name(cleaned)) | Q(slug=address))
        named = [club for club in rows if club.slug == address or fold(club.name) == fold(cleaned)]
        if len(named) > 1:
            raise forms.ValidationError(
                gettext(
                    "Several clubs have this name or address. Write the address of the page of the one you mean."
                )
            )
        if not named:
            raise forms.ValidationError(gettext("There is no club of this name or address."))
        return named[0]


class ReachForm(forms.Form):
    """The reach of a list; only administrators open lists of all clubs."""

    reach = DefaultChoiceField(label=_("Whose matches"), initial=Reach.CLUB, widget=forms.RadioSelect)

    def __init__(self, *args: Any, is_operator: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        choices = [each for each in Reach if is_operator or each != Reach.SITE]
        field = cast("forms.ChoiceField", self.fields["reach"])
        field.choices = [(each.value, each.label) for each in choices]

    def clean_reach(self) -> Reach:
        """Take an empty choice as the club."""
        return Reach(self.cleaned_data["reach"] or Reach.CLUB)


def list_systems() -> list[tuple[str, str]]:
    return [(name, gettext(how.summary)) for name, how in SYSTEMS.items()]


class TermsForm(forms.Form):
    shortest = forms.IntegerField(label=_("Shortest rated match"), min_value=1, max_value=25, initial=1)
    longest = forms.IntegerField(label=_("Longest rated match"), min_value=1, max_value=25, initial=25)
    played = forms.ChoiceField(
        label=_("Matches that count"), choices=PlayMedium.choices, initial=PlayMedium.ANYWHERE
    )
    rules = forms.ChoiceField(
        label=_("Rules of play"),
        choices=RulesOfPlay.choices,
        initial=RulesOfPlay.ANY,
        widget=forms.RadioSelect,
    )
    friendlies = forms.BooleanField(
        label=_("Friendlies count, too"),
        required=False,
        help_text=_("Matches outside events that two members agree on here before they play."),
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
        """Require that some length is rated."""
        cleaned = super().clean() or {}
        if cleaned.get("shortest", 1) > cleaned.get("longest", 25):
            self.add_error("longest", str(BadPolicy()))
        return cleaned

    @property
    def terms(self) -> Terms:
        return Terms(**{field.name: self.cleaned_data[field.name] for field in fields(Terms)})


class ListForm(ReachForm, TermsForm):
    name = NameField(label=_("Name"), max_length=80)
    system = forms.ChoiceField(
        label=_("System"), choices=list_systems, initial="fibs", widget=forms.RadioSelect
    )
    has_past = forms.BooleanField(
        label=_("Rate the matches that have been played already"), required=False, initial=True
    )
    dated = make_dated_field(initial=DatedInterval.MONTH)

    field_order = ("name", "system", "reach")


class PolicyForm(TermsForm):
    """The next version of a list's policy."""

    # The number of the version that the form was loaded from.
    seen = forms.IntegerField(widget=forms.HiddenInput, required=False, min_value=0, max_value=2**31 - 1)

    def __init__(self, *args: Any, club: Club, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["from_at"] = LocalTimeField(
            label=_("Applies from"),
            required=False,
            zone=club.time_zone,
            help_text=_("In the club's time zone (%(zone)s). Leave empty to apply it from now on.")
            % {"zone": club.time_zone},
        )
