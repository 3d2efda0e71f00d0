"""Forms of a match's code."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from draw.rules_of_play import RulesOfPlay
from tournaments.base.errors import BadScore
from tournaments.models import Pairing


class ShortCodeForm(forms.Form):
    letters = forms.CharField(
        label=_("Letters"),
        max_length=20,
        help_text=_("The seven letters beside the QR code, such as BCD FGHJ."),
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "autocapitalize": "characters",
                "autofocus": True,
                "class": "letters-field",
                "spellcheck": "false",
            }
        ),
    )


class ReportForm(forms.Form):
    """A reported result: the points of both, or the winner."""

    a = forms.IntegerField(min_value=0, max_value=99, required=False)
    b = forms.IntegerField(min_value=0, max_value=99, required=False)
    winner = forms.IntegerField(min_value=1, max_value=99_999, required=False)

    def __init__(self, row: Pairing, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.row = row

    def claim(self) -> dict[str, Any]:
        """Return the reported score, or without one the winner.

        :raises BadScore: neither was given.
        """
        said = self.cleaned_data if self.is_valid() else {}
        a, b, winner = (said.get(name) for name in ("a", "b", "winner"))
        if a is None and b is None and winner is not None:
            return {"winner": winner}
        if a is None or b is None:
            play = RulesOfPlay.from_match_rules(self.row.rules)
            raise BadScore(length=self.row.length, best_of=play.best_of)
        return {"score": (a, b)}
