"""What the score sheet sends."""

from __future__ import annotations

from typing import Any

from django import forms

from records.sheet import GAME, SIDES, UNDO, Tap
from tournaments.scores import ENDS, LARGEST_CUBE


class TapForm(forms.Form):
    """One tap with its key."""

    do = forms.ChoiceField(choices=[(GAME, GAME), (UNDO, UNDO)])
    key = forms.RegexField(r"^[0-9a-zA-Z-]{8,40}$")
    number = forms.IntegerField(min_value=1)
    winner = forms.ChoiceField(choices=[(side, side) for side in SIDES], required=False)
    end = forms.ChoiceField(choices=[(end, end) for end in ENDS], required=False)
    cube = forms.IntegerField(min_value=1, max_value=LARGEST_CUBE, required=False)

    def clean(self) -> dict[str, Any]:
        """Let a game pass only with its winner."""
        said = super().clean() or {}
        if said.get("do") == GAME and not said.get("winner"):
            self.add_error("winner", "required")
        return said

    def tap(self) -> Tap:
        """Return the tap."""
        said = self.cleaned_data
        return Tap(said["do"], said["number"], said["winner"], said["end"] or "single", said["cube"] or 1)
