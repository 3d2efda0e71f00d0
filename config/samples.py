"""Data of the style guide: themes, and a form with every kind of field."""

from __future__ import annotations

from django import forms


class SampleForm(forms.Form):
    """One of each kind of field, two of them with errors."""

    name = forms.CharField(label="Name of the evening", help_text="As it stands on the poster.")
    places = forms.IntegerField(label="Places", min_value=2)
    day = forms.DateField(label="Day", widget=forms.DateInput(attrs={"type": "date"}))
    begins = forms.TimeField(label="Begins", widget=forms.TimeInput(attrs={"type": "time"}))
    length = forms.ChoiceField(label="Match length", choices=[("5", "5 points"), ("7", "7 points")])
    form = forms.ChoiceField(
        label="Form",
        choices=[("knock-out", "Knock-out with consolation"), ("swiss", "Swiss")],
        widget=forms.RadioSelect,
    )
    note = forms.CharField(label="Note", required=False, widget=forms.Textarea(attrs={"rows": 3}))
    is_open = forms.BooleanField(
        label="Anyone may enter", help_text="Otherwise members alone.", required=False
    )


def list_sheets() -> list[dict[str, object]]:
    """Return the themes in display order. Each has its own form, so that ids are unique."""
    themes = (
        ("light", "Light", "light", "normal"),
        ("dark", "Dark", "dark", "normal"),
        ("light-high", "Light, high contrast", "light", "high"),
        ("dark-high", "Dark, high contrast", "dark", "high"),
    )
    return [
        {"key": key, "name": name, "theme": theme, "contrast": contrast, "form": _build_form(key)}
        for key, name, theme, contrast in themes
    ]


def _build_form(key: str) -> SampleForm:
    data = {
        "name": "",
        "places": "1",
        "day": "2031-05-08",
        "begins": "19:30",
        "length": "7",
        "form": "swiss",
        "is_open": "on",
    }
    return SampleForm({f"{key}-{name}": value for name, value in data.items()}, prefix=key)
