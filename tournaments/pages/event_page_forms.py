"""Forms of an event's page: guest, reason, finishing order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from players import names
from players.people.fields import NameField, clean_text

if TYPE_CHECKING:
    from collections.abc import Iterable


class GuestForm(forms.Form):
    name = NameField(label=_("Guest"), max_length=80, widget=forms.TextInput(attrs={"autocomplete": "off"}))


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=_("Why?"), max_length=300, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, *args: Any, form_id: str = "", **options: Any) -> None:
        super().__init__(*args, **options)
        if form_id:
            # The field is in the dialog's body, its form in the dialog's footer.
            self.fields["reason"].widget.attrs["form"] = form_id

    def clean_reason(self) -> str:
        """Return the normalized reason; it has to contain a letter or a digit."""
        if not any(char.isalnum() for char in self.cleaned_data["reason"]):
            raise forms.ValidationError(_("Enter a reason. The players concerned will read it."))
        return clean_text(names.clean_name, self.cleaned_data["reason"], limit=300)


class FinishForm(forms.Form):
    """A finishing order: a place for each player, empty for players who were not placed."""

    def __init__(self, *args: Any, players: Iterable[tuple[str, str, int | None]], **options: Any) -> None:
        super().__init__(*args, **options)
        self.players = tuple(players)
        for key, name, place in self.players:
            self.fields[f"place-{key}"] = forms.IntegerField(
                label=name,
                initial=place,
                required=False,
                min_value=1,
                max_value=max(len(self.players), 1),
                widget=forms.NumberInput(attrs={"inputmode": "numeric", "class": "input"}),
            )

    def places(self) -> dict[str, int | None]:
        """Return the place of each player in the submitted form, by key of the player."""
        return {
            key: self.cleaned_data.get(f"place-{key}")
            for key, _name, _place in self.players
            if f"place-{key}" in self.data
        }
