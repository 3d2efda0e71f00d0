"""Fields of what is counted in minutes."""

from __future__ import annotations

import re
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

STEP: Final = re.compile(r"^\s*(\d{1,3})\s*[:=]\s*(\d{1,2}|loss)\s*$", re.IGNORECASE)


class MinutesField(forms.IntegerField):
    """A number of minutes."""


class LatenessStepsField(forms.CharField):
    """What lateness costs: minutes with points, or with the match."""

    def prepare_value(self, value: Any) -> str:
        """Show the steps in one line, and what was typed as it was typed."""
        if isinstance(value, str):
            return value
        return ", ".join(f"{at}: {'loss' if points is None else points}" for at, points in value or ())

    def clean(self, value: Any) -> tuple[tuple[int, int | None], ...]:
        """Return the steps: minutes, and points or none for a lost match."""
        steps: list[tuple[int, int | None]] = []
        for part in filter(None, (each.strip() for each in super().clean(value).split(","))):
            found = STEP.match(part)
            if found is None:
                raise forms.ValidationError(_("Write it like this: 5: 1, 10: 2, 15: loss."))
            steps.append((int(found[1]), None if found[2].lower() == "loss" else int(found[2])))
        return tuple(steps)
