"""Forms for a draw that was made with slips of paper, and for its witnesses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django import forms
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.utils.translation import gettext_lazy as _

from players import names
from players.people.fields import NameField, clean_text
from tournaments.base.errors import ByesMeet
from tournaments.plan import drawing

MOST_WITNESSES: Final = 10
LONGEST_NAME: Final = 80
LONGEST_NOTE: Final = 300
BYE: Final = gettext_lazy("— bye —")


class WitnessesField(forms.CharField):
    def __init__(self, **options: Any) -> None:
        super().__init__(label=_("Witnesses"), required=False, max_length=1_200, strip=True, **options)

    def clean(self, value: Any) -> Any:
        """Return the names without duplicates."""
        parts = (part.strip() for part in super().clean(value).replace("\n", ",").split(","))
        found = list(
            dict.fromkeys(clean_text(names.clean_name, part, limit=LONGEST_NAME) for part in parts if part)
        )
        if len(found) > MOST_WITNESSES:
            sentence = ngettext(
                "No more than %(count)s witness.", "No more than %(count)s witnesses.", MOST_WITNESSES
            )
            raise forms.ValidationError(sentence % {"count": MOST_WITNESSES})
        return found


class WitnessesForm(forms.Form):
    witnesses = WitnessesField(
        help_text=_("Who watched: names, separated by commas."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    note = NameField(
        label=_("Note"),
        required=False,
        max_length=LONGEST_NOTE,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class SharedOptionsSelect(forms.Select):
    """A select whose options are rendered once, for pages with many selects of the same options."""

    def __init__(self, options: SafeString, **more: Any) -> None:
        super().__init__(**more)
        self.options_html = options

    def render(
        self, name: str, value: Any, attrs: Mapping[str, Any] | None = None, renderer: Any = None
    ) -> SafeString:
        """Mark the selected option in the rendered options.

        This is fast even for 128 selects of 128 options.
        """
        chosen = format_html('value="{}"', "" if value is None else value)
        # Safe: the replaced text is an escaped value, whether an option has it or not.
        options = mark_safe(self.options_html.replace(chosen, f"{chosen} selected", 1))  # noqa: S308
        attributes = format_html_join(" ", '{}="{}"', self.build_attrs(self.attrs, dict(attrs or {})).items())
        return format_html('<select name="{}" {}>{}</select>', name, attributes, options)


class HandDrawForm(WitnessesForm):
    def __init__(self, *args: Any, size: int, people: Sequence[tuple[int, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        self.size, self.people = size, dict(people)
        self.fields["witnesses"].widget = forms.Textarea(attrs={"rows": 3, "autocomplete": "off"})
        written = format_html_join(
            "", '<option value="{}">{}</option>', (("", BYE), *((number, name) for number, name in people))
        )
        for line in range(1, size + 1):
            self.fields[f"line-{line}"] = self._build_line_field(line, written)

    def _build_line_field(self, line: int, options: SafeString) -> forms.TypedChoiceField:
        gone = gettext("Line %(line)s: this player does not play here any more.") % {"line": line}
        return forms.TypedChoiceField(
            choices=[("", BYE), *self.people.items()],
            coerce=int,
            empty_value=None,
            required=False,
            widget=SharedOptionsSelect(
                options, attrs={"aria-label": gettext("Line %(line)s") % {"line": line}}
            ),
            error_messages={"invalid_choice": gone},
        )

    def clean(self) -> dict[str, Any]:
        """Refuse lines with a player twice or missing, and empty lines that meet."""
        found = super().clean() or self.cleaned_data
        lines = self.lines()
        for problem in (*self._list_repeated_players(lines), *self._list_missing_players(lines)):
            self.add_error(None, problem)
        if not self.non_field_errors():
            for line in drawing.list_meeting_byes(lines):
                self.add_error(None, str(ByesMeet(line=line, next=line + 1)))
        return found

    def lines(self) -> list[int | None]:
        return [self.cleaned_data.get(f"line-{line}") for line in range(1, self.size + 1)]

    def wrong_lines(self) -> frozenset[int]:
        if not self.is_bound:
            return frozenset()
        lines = self.lines()
        unknown = {line for line in range(1, self.size + 1) if self.errors.get(f"line-{line}")}
        often = Counter(who for who in lines if who is not None)
        twice = {line for line, who in enumerate(lines, 1) if who is not None and often[who] > 1}
        return frozenset(
            unknown | twice | {one for at in drawing.list_meeting_byes(lines) for one in (at, at + 1)}
        )

    def problems(self) -> tuple[str, ...]:
        of_lines = (each for line in range(1, self.size + 1) for each in self.errors.get(f"line-{line}", ()))
        return (*of_lines, *self.non_field_errors())

    def _list_repeated_players(self, lines: Sequence[int | None]) -> Iterator[str]:
        for who, count in Counter(one for one in lines if one is not None).items():
            if count > 1:
                where = ", ".join(str(line) for line, one in enumerate(lines, 1) if one == who)
                yield gettext("%(name)s is on several lines: %(lines)s.") % {
                    "name": self.people[who],
                    "lines": where,
                }

    def _list_missing_players(self, lines: Sequence[int | None]) -> Iterator[str]:
        missing = [name for number, name in self.people.items() if number not in lines]
        if missing:
            sentence = ngettext("%(names)s is not on any line.", "Not on any line: %(names)s.", len(missing))
            yield sentence % {"names": ", ".join(missing)}
