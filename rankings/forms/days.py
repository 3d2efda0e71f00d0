"""How a day is asked for."""

from __future__ import annotations

from typing import Final

from django import forms

DAY: Final = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
