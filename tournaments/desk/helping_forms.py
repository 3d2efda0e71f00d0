"""What a director says of a helper."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class HelperForm(forms.Form):
    """Whom the link is for: the event's log calls them so."""

    name = forms.CharField(label=_("Helper's name"), max_length=40)
