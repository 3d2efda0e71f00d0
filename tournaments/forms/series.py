"""What directors fill in about a series. A form shapes and checks; a service decides."""

from __future__ import annotations

from datetime import time
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _

from players.fields import NameField
from players.keys import new_key
from tournaments.forms.announcing import KEY, LONGEST_KEY
from tournaments.models import MOST_DAYS_BEFORE
from tournaments.selectors import series as selectors
from tournaments.services.series import SeriesTerms

if TYPE_CHECKING:
    from players.models import Club
    from tournaments.models import Series

USUAL_HOUR = time(19, 30)


class SeriesForm(forms.Form):
    """When a series has its evenings, and what they are like."""

    name = NameField(label=_("Name"), max_length=80, help_text=_("Each of its events is called so."))
    weekday = forms.TypedChoiceField(label=_("Weekday"), coerce=int, choices=list(WEEKDAYS.items()))
    at = forms.TimeField(
        label=_("Starts at"),
        initial=USUAL_HOUR,
        widget=forms.TimeInput(attrs={"type": "time", "step": 300}, format="%H:%M"),
    )
    like = forms.ChoiceField(
        label=_("Model"),
        required=False,
        help_text=_(
            "Each event has its format, its settings, its room and its fees, and the same place and description."
        ),
    )
    days_before = forms.IntegerField(
        label=_("Announced so many days before"),
        min_value=1,
        max_value=MOST_DAYS_BEFORE,
        initial=6,
        help_text=_("By itself, at the hour at which it starts."),
    )
    until = forms.DateField(
        label=_("Last day"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=_("Leave it empty for: until somebody ends or pauses it."),
    )
    # Names the series before it is there, so that a form sent twice begins one.
    key = forms.RegexField(
        regex=f"^{KEY.pattern}$", max_length=LONGEST_KEY, widget=forms.HiddenInput, initial=new_key
    )
    # The version that is changed.
    seen = forms.IntegerField(widget=forms.HiddenInput, initial=0, min_value=0, max_value=2**31 - 1)

    def __init__(self, *args: Any, club: Club, **options: Any) -> None:
        super().__init__(*args, **options)
        said = self.data.get("like") if self.is_bound else self.initial.get("like", "")
        like: Any = self.fields["like"]
        like.choices = [
            ("", _("The club's last event on this weekday")),
            *selectors.models(club, chosen=str(said or "")),
        ]
        zone = _("By the club's clock (%(zone)s), in summer and in winter.") % {"zone": club.time_zone}
        self.fields["at"].help_text = zone

    @property
    def terms(self) -> SeriesTerms:
        """The series that was asked for."""
        asked = ("name", "weekday", "at", "days_before", "until", "like")
        return SeriesTerms(**{name: self.cleaned_data[name] for name in asked})

    @staticmethod
    def told(series: Series) -> dict[str, object]:
        """Return what the form shows of a series."""
        same = ("name", "weekday", "at", "days_before", "until", "key")
        like = series.like.key if series.like else ""
        return {**{name: getattr(series, name) for name in same}, "like": like, "seen": series.version}


class DayForm(forms.Form):
    """One day of a series."""

    day = forms.DateField(widget=forms.HiddenInput)
