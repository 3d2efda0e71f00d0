"""Forms of the score sheet and of a match's code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from draw.rules_of_play import RulesOfPlay
from records.sheets.sheet import ADJOURN, GAME, SIDES, TAKE_UP, UNDO, Tap
from records.sheets.table_clock import CLOCK_TAPS, LATEST, SIDED
from tournaments.base.errors import BadScore
from tournaments.base.scores import ENDS, LARGEST_CUBE

if TYPE_CHECKING:
    from tournaments.models import Pairing


# More games than any match has.
MOST_GAMES: Final = 9_999


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


class TapForm(forms.Form):
    do = forms.ChoiceField(choices=[(do, do) for do in (GAME, UNDO, ADJOURN, TAKE_UP, *CLOCK_TAPS)])
    key = forms.RegexField(r"^[0-9a-zA-Z-]{8,40}$", max_length=40)
    number = forms.IntegerField(min_value=1, max_value=MOST_GAMES)
    winner = forms.ChoiceField(choices=[(side, side) for side in SIDES], required=False)
    end = forms.ChoiceField(choices=[(end, end) for end in ENDS], required=False)
    cube = forms.IntegerField(min_value=1, max_value=LARGEST_CUBE, required=False)
    side = forms.ChoiceField(choices=[(side, side) for side in SIDES], required=False)
    at = forms.IntegerField(min_value=0, max_value=LATEST, required=False)

    position = forms.CharField(max_length=100, required=False)
    # Blank from pages that were open before an upgrade.
    seats = forms.CharField(max_length=100, required=False)

    def clean(self) -> dict[str, Any]:
        """Require a winner for a game, and a side for a turn."""
        said = super().clean() or {}
        if said.get("do") == GAME and not said.get("winner"):
            self.add_error("winner", "required")
        if said.get("do") in SIDED and not said.get("side"):
            self.add_error("side", "required")
        return said

    def tap(self) -> Tap:
        said = self.cleaned_data
        return Tap(
            said["do"],
            said["number"],
            said["winner"],
            said["end"] or "single",
            said["cube"] or 1,
            said["side"],
            said["at"] or 0,
            said["position"],
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
