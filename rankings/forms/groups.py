"""What directors fill in about a group of clubs, and whose matches a list rates."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from players.fields import NameField, UsualChoiceField
from players.models import Club
from rankings.models import Reach


class AskForm(forms.Form):
    """The club that is asked, by its name or its address."""

    club = NameField(
        label=_("Club"), max_length=80, help_text=_("Its name, or the last part of the address of its page.")
    )

    def clean_club(self) -> Any:
        """Find the club."""
        said = self.cleaned_data["club"]
        found = Club.objects.filter(slug=said.lower()).first()
        named = list(Club.objects.filter(name__iexact=said)[:2]) if found is None else [found]
        if len(named) > 1:
            raise forms.ValidationError(
                _now("Several clubs have this name. Write the address of the one you mean.")
            )
        if not named:
            raise forms.ValidationError(_now("There is no club of this name or address."))
        return named[0]


class ReachForm(forms.Form):
    """Whose matches a list rates; only administrators open lists of all clubs."""

    reach = UsualChoiceField(label=_("Whose matches"), initial=Reach.CLUB, widget=forms.RadioSelect)

    def __init__(self, *args: Any, is_operator: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        choices = [each for each in Reach if is_operator or each != Reach.SITE]
        field = cast("forms.ChoiceField", self.fields["reach"])
        field.choices = [(each.value, each.label) for each in choices]

    def clean_reach(self) -> Reach:
        """Who chose nothing means their club."""
        return Reach(self.cleaned_data["reach"] or Reach.CLUB)
