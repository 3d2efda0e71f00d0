"""Form to begin a transcription."""

from __future__ import annotations

from typing import Final

from django import forms
from django.utils.translation import gettext_lazy as _

from engine.rules import LONGEST_READ

# More games than any match has.
MOST_GAMES: Final = 9_999


class TranscriptionForm(forms.Form):
    """Names and length of a match; 0 is unlimited play."""

    white = forms.CharField(max_length=80, label=_("Left column"))
    black = forms.CharField(max_length=80, label=_("Right column"))
    length = forms.IntegerField(
        min_value=0, max_value=LONGEST_READ, label=_("Points"), help_text=_("0 is unlimited play.")
    )

    @property
    def names(self) -> tuple[str, str]:
        """The names, the left column's first."""
        return self.cleaned_data["white"], self.cleaned_data["black"]
