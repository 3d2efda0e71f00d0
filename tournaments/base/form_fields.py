"""Form fields: local time, minutes, lateness steps; and normalization of texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.base import local_times

STEP: Final = re.compile(r"^\s*(\d{1,3})\s*[:=]\s*(\d{1,2}|loss)\s*$", re.IGNORECASE)


class LocalTimeField(forms.DateTimeField):
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    default_validators = [local_times.validate_moment]

    def __init__(self, *, zone: str = "UTC", **options: Any) -> None:
        super().__init__(**options)
        self.zone = zone

    def to_python(self, value: str | datetime | date | None) -> datetime | None:
        """Parse local time; a time that summer time skips is refused."""
        with timezone.override(ZoneInfo(self.zone)):
            return super().to_python(value)

    def prepare_value(self, value: object) -> object:
        if isinstance(value, datetime) and timezone.is_aware(value):
            return local_times.convert_to_local(value, self.zone).replace(tzinfo=None)
        return value


class MinutesField(forms.IntegerField):
    """A number of minutes."""


class LatenessStepsField(forms.CharField):
    """Penalties for lateness: minutes with points, or with the loss of the match."""

    def prepare_value(self, value: Any) -> str:
        """Format the steps in one line; typed text is returned unchanged."""
        if isinstance(value, str):
            return value
        return ", ".join(f"{at}: {'loss' if points is None else points}" for at, points in value or ())

    def clean(self, value: Any) -> tuple[tuple[int, int | None], ...]:
        """Return the steps: minutes, and points or None for a lost match."""
        steps: list[tuple[int, int | None]] = []
        for part in filter(None, (each.strip() for each in super().clean(value).split(","))):
            found = STEP.match(part)
            if found is None:
                raise forms.ValidationError(_("Write it like this: 5: 1, 10: 2, 15: loss."))
            steps.append((int(found[1]), None if found[2].lower() == "loss" else int(found[2])))
        return tuple(steps)


def disable_fields(form: forms.Form, names: Iterable[str]) -> None:
    """Disable fields that can no longer be changed, except those that were submitted.

    An older page may still submit them: the service refuses the change then.
    """
    for name in [name for name in names if form.add_prefix(name) not in form.data]:
        field = form.fields[name]
        field.disabled = True
        if form.is_bound:
            # Django cleans the initial value of a disabled field.
            form.initial[name] = field.prepare_value(form.get_initial_for_field(field, name))
