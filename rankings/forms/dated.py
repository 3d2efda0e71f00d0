"""How often a list is published with a date."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from players.fields import UsualChoiceField
from rankings.models import DatedEach


def dated_field(**options: Any) -> UsualChoiceField:
    """Ask how often a list is published with a date."""
    return UsualChoiceField(
        label=_("Dated lists"),
        choices=DatedEach.choices,
        help_text=_("A copy of the list that never changes, published beside the live one."),
        **options,
    )


class DatedForm(forms.Form):
    """How often a list is published with a date."""

    each = dated_field()
