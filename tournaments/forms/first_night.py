"""The first evening: how it is played, and who is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext_lazy as _

from players.keys import new_key
from tournaments.forms.announcing import KEY, LONGEST_KEY
from tournaments.forms.roster import NamesForm
from tournaments.templates import TEMPLATES

if TYPE_CHECKING:
    from tournaments.pasted import PastedLine

USUAL = "club-night"


class FirstNightForm(NamesForm):
    """Tonight: a name, a format, and the names of those who are here."""

    name = forms.CharField(label=_("Name of the event"), max_length=80, initial=_("Club night"))
    template = forms.ChoiceField(
        label=_("How it is played"),
        choices=[(name, one.name) for name, one in TEMPLATES.items()],
        initial=USUAL,
        help_text=_("All of it can be changed before the draw is published."),
    )
    # Names the event before it is there, so that a form sent twice makes one event.
    key = forms.RegexField(
        regex=f"^{KEY.pattern}$", max_length=LONGEST_KEY, widget=forms.HiddenInput, initial=new_key
    )
    field_order = ("name", "template", "names", "key")

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        self.fields["names"].label = _("Who is here")
        self.fields["names"].required = False
        self.fields["names"].help_text = _(
            "One name a line. Members are found by their name, all others are entered as guests. "
            "Leave it empty if nobody is here yet."
        )
        self.fields["names"].widget.attrs["rows"] = 10

    def clean_names(self) -> list[PastedLine]:
        """Return the lines that name somebody; none are needed."""
        return super().clean_names() if self.cleaned_data["names"].strip() else []
