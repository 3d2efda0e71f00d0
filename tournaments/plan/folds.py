"""Folded groups of rarely used form fields; the heading lists the values that differ from the default."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.text import Truncator
from django.utils.translation import gettext

from tournaments.base import local_times, option_words
from tournaments.base.form_fields import LatenessStepsField, LocalTimeField, MinutesField
from tournaments.plan.option_forms import CommasField, LinesField

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from django_stubs_ext import StrPromise

    # True if a field has its default value.
    IsUsual = Callable[[str, Any], bool]

# Longer texts are truncated.
MOST_TOLD: Final = 60


@dataclass(frozen=True, slots=True)
class Fold:
    """A folded group of form fields, with a summary of values that differ from the default."""

    title: str | StrPromise
    fields: tuple[forms.BoundField, ...]
    told: tuple[str, ...]

    @classmethod
    def build(
        cls, form: forms.Form, title: str | StrPromise, names: Iterable[str], is_usual: IsUsual
    ) -> Fold:
        fields = tuple(form[name] for name in names)
        told = tuple(
            _describe_value(one)
            for one in fields
            if not one.is_hidden and not is_usual(one.name, _get_value(one))
        )
        return cls(title, fields, told)

    @property
    def is_open(self) -> bool:
        return any(one.errors for one in self.fields)

    @property
    def hidden(self) -> list[forms.BoundField]:
        return [one for one in self.fields if one.is_hidden]

    @property
    def rows(self) -> list[list[forms.BoundField]]:
        """The visible fields by row: checkboxes and lists alone, other fields side by side."""
        rows: list[list[forms.BoundField]] = []
        last_is_wide = True
        for one in self.fields:
            if one.is_hidden:
                continue
            is_wide = isinstance(one.field, forms.BooleanField | LinesField) or isinstance(
                one.field.widget, forms.Textarea
            )
            if is_wide or last_is_wide:
                rows.append([])
            rows[-1].append(one)
            last_is_wide = is_wide
        return rows


def _get_value(one: forms.BoundField) -> Any:
    """Return the value of a field: the new one if it is valid, otherwise the initial one."""
    form = one.form
    return form.cleaned_data[one.name] if form.is_bound and one.name not in form.errors else one.initial


def _describe_value(one: forms.BoundField) -> str:
    value = _get_value(one)
    if value is True:
        return str(one.label)
    said = gettext("no") if value is False else _format_value(one.field, value)
    return gettext("%(label)s: %(value)s") % {"label": one.label, "value": said}


def _format_value(field: Any, value: Any) -> str:
    match field:
        case LinesField():
            # Names can contain commas.
            return "; ".join(_get_choice_label(field.fields[0], one) for one in value)
        case CommasField():
            return field.prepare_value(value)
        case MinutesField():
            return option_words.format_minutes(value)
        case LocalTimeField():
            return local_times.format_moment(value, field.zone, local_times.format_day)
        case LatenessStepsField():
            return option_words.describe_lateness(value)
        case forms.ChoiceField():
            return _get_choice_label(field, value)
        case forms.CharField():
            return Truncator(" ".join(str(value).split())).chars(MOST_TOLD)
        case _:
            return str(value)


def _get_choice_label(field: Any, value: Any) -> str:
    names = {str(name): str(said) for name, said in field.choices}
    return names.get(str(value), str(value))
