"""The form for the divisions of a season."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from players.people.fields import NameField
from rankings.formulas.divisions import MOST_DIVISIONS, MOST_MOVES
from rankings.seasons.divisions import DivisionTerms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rankings.models import SeasonDivision


class DivisionsForm(forms.Form):
    """The divisions of a season, one row each, the highest first; rows without a name are ignored."""

    def __init__(self, data: Any, *, there: Sequence[SeasonDivision]) -> None:
        super().__init__(data)
        self.count = min(max(len(there) + 2, 3), MOST_DIVISIONS)
        for at in range(self.count):
            row = there[at] if at < len(there) else None
            self.fields[f"name_{at}"] = NameField(
                label=_("Name"), max_length=80, required=False, initial=row.name if row else ""
            )
            for name, label in (("up", _("Go up")), ("down", _("Go down"))):
                self.fields[f"{name}_{at}"] = forms.IntegerField(
                    label=label,
                    min_value=0,
                    max_value=MOST_MOVES,
                    initial=getattr(row, name) if row else 0,
                )
            # The previous number, so that a renamed division keeps its players.
            self.fields[f"was_{at}"] = forms.IntegerField(
                widget=forms.HiddenInput,
                required=False,
                min_value=0,
                max_value=2 * MOST_DIVISIONS,
                initial=row.number if row else None,
            )

    @property
    def rows(self) -> list[list[forms.BoundField]]:
        names = ("name", "up", "down", "was")
        return [[self[f"{name}_{at}"] for name in names] for at in range(self.count)]

    @property
    def terms(self) -> list[DivisionTerms]:
        said = self.cleaned_data
        return [
            DivisionTerms(said[f"name_{at}"], said[f"up_{at}"], said[f"down_{at}"], said[f"was_{at}"])
            for at in range(self.count)
            if said[f"name_{at}"]
        ]
