"""Form fields for the options of a format, and folded groups of rarely used fields.

The heading of a group lists the values that differ from the default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from draw.options import (
    BadOption,
    Choice,
    Choices,
    Decimal,
    Flag,
    Option,
    Prominence,
    Ratings,
    Specs,
    Text,
    Texts,
    WholeNumber,
)
from tournaments.base import local_times, rules_in_words
from tournaments.base.form_fields import LatenessStepsField, LocalTimeField, MinutesField
from tournaments.base.rules_in_words import translate_label
from tournaments.base.settings import DateAndTime, Lateness, Minutes

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

Shown = dict[str, Any]
# True if a field has its default value.
IsUsual = Callable[[str, Any], bool]

# Published lists of tie-breaks are seldom longer.
LINES: Final = 6
LONGEST_LATENESS: Final = 120
# Longer texts are truncated in the heading of a fold.
MOST_TOLD: Final = 60


def list_fields(known: Specs, values: Mapping[str, Any]) -> Iterator[tuple[str, forms.Field]]:
    for option in known.values():
        if option.asked is not Prominence.NEVER:
            value = values.get(option.name)
            made = _build_field(option, option.first if value is None else value)
            made.label, made.help_text = translate_label(option.label), translate_label(option.help)
            made.has_usual = isinstance(option, Choice | Choices) or bool(option.default)  # type: ignore[attr-defined]
            yield option.name, made


def read_options(known: Specs, typed: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options after a form: default values are left out, options that are not in the form stay."""
    found = {name: value for name, value in values.items() if name not in typed}
    options_sent = ((name, option) for name, option in known.items() if name in typed)
    return found | {name: typed[name] for name, option in options_sent if not is_default(option, typed[name])}


def is_default(option: Option[Any], value: Any) -> bool:
    """True if the value is empty, or is the default of an option that may be left empty."""
    if value in (None, "", []):
        return True
    held = option.read(tuple(value) if isinstance(value, list) else value)
    return option.first is None and held == option.default


def _build_field(option: Option[Any], value: Any) -> forms.Field:
    """Return the form field for an option; *value* is its value, or the initial one."""
    shown = option.default if value is None else value
    match option:
        case WholeNumber():
            made = MinutesField if isinstance(option, Minutes) else forms.IntegerField
            return made(
                min_value=option.least_said,
                max_value=max(option.most, value or 0),
                required=option.first is not None,
                # A default of 0 is shown as an empty field.
                initial=option.default or None if value is None else value,
            )
        case Flag():
            return forms.BooleanField(required=False, initial=shown)
        case Choice():
            offered = [(name, translate_label(one)) for name, one in option.choices.items()]
            standard = [("", gettext("Standard"))] if option.default is None else []
            return forms.ChoiceField(
                choices=standard + offered,
                required=option.first is not None,
                initial=value or option.default or "",
            )
        case Choices():
            offered = [("", "–"), *((name, translate_label(one)) for name, one in option.choices.items())]  # noqa: RUF001
            initial = [*(value or option.default or ())]
            return LinesField(offered, max(LINES, len(initial) + 1), initial=initial)
        case Text():
            return forms.CharField(required=False, max_length=200, initial=value or option.default)
        case Decimal():
            return VerbatimField(option, initial=shown)
        case DateAndTime():
            return LocalTimeField(required=False, initial=value)
        case Lateness():
            return LatenessStepsField(required=False, max_length=LONGEST_LATENESS, initial=value)
        case Texts() | Ratings():
            return CommasField(option, initial=value or option.default)
        case _:
            raise NotImplementedError(option)


class VerbatimField(forms.CharField):
    """A value with several notations, stored as written."""

    def __init__(self, option: Option[Any], **given: Any) -> None:
        super().__init__(required=False, max_length=200, **given)
        self.option = option

    def prepare_value(self, value: Any) -> str:
        return "" if value is None else str(value)

    def clean(self, value: Any) -> Any:
        """Refuse values that the option does not allow."""
        return self._check_value(super().clean(value))

    def _check_value(self, value: Any) -> Any:
        try:
            if value:
                self.option.read(tuple(value) if isinstance(value, list) else value)
        except BadOption as problem:
            raise forms.ValidationError(_("This value is not allowed."), code="bad_option") from problem
        return value


class CommasField(VerbatimField):
    def prepare_value(self, value: Any) -> str:
        return value if isinstance(value, str) else ", ".join(f"{one}" for one in value or ())

    def clean(self, value: Any) -> Any:
        typed = forms.CharField.clean(self, value)
        parts = [part.strip() for part in typed.split(",") if part.strip()]
        return self._check_value(
            [_parse_number(part) for part in parts] if isinstance(self.option, Ratings) else parts
        )


def _parse_number(text: str) -> float | str:
    try:
        return int(text) if text.isdecimal() else float(text)
    except ValueError:
        return text


class LinesWidget(forms.MultiWidget):
    """Selects below each other."""

    template_name = "tournaments/_lines_widget.html"
    use_fieldset = True

    def __init__(self, offered: Sequence[tuple[str, str]], count: int) -> None:
        super().__init__(
            [
                forms.Select({"aria-label": gettext("Line %(number)s") % {"number": number}}, offered)
                for number in range(1, count + 1)
            ]
        )

    def decompress(self, value: Any) -> list[str]:
        return [*(value or ())]


class LinesField(forms.MultiValueField):
    """An ordered list with one select for each line, without duplicates."""

    def __init__(self, offered: Sequence[tuple[str, str]], count: int, **given: Any) -> None:
        lines = [forms.ChoiceField(choices=offered, required=False) for _line in range(count)]
        super().__init__(
            lines, widget=LinesWidget(offered, count), required=False, require_all_fields=False, **given
        )

    def compress(self, data_list: list[str]) -> list[str]:
        return [*dict.fromkeys(filter(None, data_list))]


@dataclass(frozen=True, slots=True)
class Fold:
    """A folded group of form fields, with a summary of values that differ from the default."""

    title: str | StrPromise
    fields: tuple[forms.BoundField, ...]
    summary: tuple[str, ...]

    @classmethod
    def build(
        cls, form: forms.Form, title: str | StrPromise, names: Iterable[str], is_usual: IsUsual
    ) -> Fold:
        fields = tuple(form[name] for name in names)
        descriptions = tuple(
            _describe_value(one)
            for one in fields
            if not one.is_hidden and not is_usual(one.name, _get_value(one))
        )
        return cls(title, fields, descriptions)

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
    sentence = gettext("no") if value is False else _format_value(one.field, value)
    return gettext("%(label)s: %(value)s") % {"label": one.label, "value": sentence}


def _format_value(field: Any, value: Any) -> str:
    match field:
        case LinesField():
            # Names can contain commas.
            return "; ".join(_get_choice_label(field.fields[0], one) for one in value)
        case CommasField():
            return field.prepare_value(value)
        case MinutesField():
            return rules_in_words.format_minutes(value)
        case LocalTimeField():
            return local_times.format_moment(value, field.zone, local_times.format_day)
        case LatenessStepsField():
            return rules_in_words.describe_lateness(value)
        case forms.ChoiceField():
            return _get_choice_label(field, value)
        case forms.CharField():
            return Truncator(" ".join(str(value).split())).chars(MOST_TOLD)
        case _:
            return str(value)


def _get_choice_label(field: Any, value: Any) -> str:
    names = {str(name): str(label) for name, label in field.choices}
    return names.get(str(value), str(value))
