"""What directors fill in about who may play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from players.fields import DAY_INPUT
from rankings.selectors import reach
from rankings.services.eligibility import RequirementTerms
from rankings.services.openings import MOST_RATING

if TYPE_CHECKING:
    from players.models import Club
    from rankings.models import Requirement


class RequirementForm(forms.Form):
    """Who may play in an event or a division; with no limit everybody may."""

    list = forms.ChoiceField(label=_("List"), choices=())
    day = forms.DateField(
        label=_("List of"),
        widget=DAY_INPUT,
        help_text=_("The day of a dated list. It may be one that is still to come."),
    )
    at_least = forms.FloatField(
        label=_("Rated at least"), min_value=-MOST_RATING, max_value=MOST_RATING, required=False
    )
    at_most = forms.FloatField(
        label=_("Rated at most"), min_value=-MOST_RATING, max_value=MOST_RATING, required=False
    )
    first = forms.IntegerField(label=_("Among the first"), required=False, min_value=1, max_value=100_000)

    def __init__(self, data: Any, *, club: Club, there: Requirement | None) -> None:
        names = ("day", "at_least", "at_most", "first")
        initial = {"list": there.list.key, **{name: getattr(there, name) for name in names}} if there else {}
        super().__init__(data, initial=initial)
        self.lists = {row.key: row for row in reach.nearest(club.pk)}
        field = self.fields["list"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - it stands above
        field.choices = [(key, reach.called(row, club.pk)) for key, row in self.lists.items()]

    @property
    def terms(self) -> RequirementTerms:
        """What was asked for."""
        said = self.cleaned_data
        names = ("day", "at_least", "at_most", "first")
        return RequirementTerms(self.lists[said["list"]], **{name: said[name] for name in names})
