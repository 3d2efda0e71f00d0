"""What directors fill in about a room. A form shapes and checks; a service decides."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from players.fields import NameField
from venue.models import TableState, TableTag


class TablesForm(forms.Form):
    """The tables of a room, or more of them."""

    tables = forms.CharField(
        label=_("Tables"),
        max_length=1000,
        help_text=_(
            "What is written on them: numbers such as 1-8, or short names, with commas between them."
        ),
    )


class RoomForm(TablesForm):
    """A room with its tables."""

    name = NameField(label=_("Name"), max_length=80)
    field_order = ("name", "tables")


class TableForm(forms.Form):
    """One table."""

    label = forms.CharField(label=_("Label"), max_length=12)
    state = forms.ChoiceField(
        label=_("State"),
        choices=TableState.choices,
        help_text=_("Only a free table gets a match. Hold one for a match you want there."),
    )
    tags = forms.MultipleChoiceField(
        label=_("Tags"), choices=TableTag.choices, required=False, widget=forms.CheckboxSelectMultiple
    )
