"""The forms for a season and its divisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from players.people.fields import DAY_INPUT, DefaultChoiceField, NameField
from rankings.formulas.divisions import MOST_DIVISIONS, MOST_MOVES
from rankings.formulas.season import AVERAGE, HIGHEST, MASTER, TABLE, season_rules
from rankings.formulas.values import BadMatches
from rankings.models import Season, SeasonDivision
from rankings.seasons.divisions import DivisionTerms
from rankings.seasons.season_pages import compute_version_key, format_points
from rankings.seasons.seasons import SeasonTerms
from tournaments.base import local_times


class SeasonForm(forms.Form):
    name = NameField(label=_("Name"), max_length=80)
    from_day = forms.DateField(
        label=_("First day"), widget=DAY_INPUT, validators=[local_times.validate_moment]
    )
    to_day = forms.DateField(label=_("Last day"), widget=DAY_INPUT, validators=[local_times.validate_moment])
    series = NameField(
        label=_("Words in the name"),
        max_length=80,
        required=False,
        help_text=_("Only events whose name contains them. Leave empty for all events of the club."),
    )
    scheme = DefaultChoiceField(
        label=_("Points"),
        choices=[
            (TABLE, _("By place, as written below")),
            (MASTER, _("Master points: for each match won, and for the place by the number of players")),
        ],
        initial=TABLE,
    )
    places = forms.CharField(
        label=_("Points by place"),
        max_length=400,
        initial="10 7 5 3",
        help_text=_(
            "For first place, second place and so on, separated by spaces. For ABT points: 0.4 0.2 0.2 0.1 0.1, "
            "nothing for taking part, multiplied by the number of players."
        ),
    )
    attendance = forms.CharField(label=_("Points for taking part"), max_length=8, initial="1")
    sharing = forms.ChoiceField(
        label=_("Players who share a place"),
        choices=[
            (AVERAGE, _("get the average of the places they share")),
            (HIGHEST, _("each get the points of the higher place")),
        ],
        initial=AVERAGE,
    )
    by_field = forms.BooleanField(
        label=_("Multiply the points for a place by the number of players"), required=False
    )
    best = forms.IntegerField(
        label=_("Best events that count"),
        min_value=0,
        max_value=366,
        initial=0,
        help_text=_("0: every event counts."),
    )
    decay = forms.IntegerField(
        label=_("Loss with each month, in per cent"),
        min_value=0,
        max_value=100,
        initial=0,
        help_text=_(
            "Points lose this share with each month between their event and the last one of the season."
        ),
    )
    # The version key of the settings that the form was loaded from; "" for a new season.
    seen = forms.CharField(widget=forms.HiddenInput, max_length=16, required=False)

    def clean_places(self) -> list[str]:
        """Require decreasing figures."""
        found = _split_figures(self.cleaned_data["places"])
        if not _has_valid_rules({"places": found}):
            raise forms.ValidationError(
                _("Write figures with at most two decimals, none higher than the one before it."), "places"
            )
        return found

    def clean_attendance(self) -> str:
        """Require a figure."""
        found = _normalize_figure(self.cleaned_data["attendance"])
        if not _has_valid_rules({"attendance": found}):
            raise forms.ValidationError(_("Write a figure with at most two decimals."), "attendance")
        return found

    @property
    def terms(self) -> SeasonTerms:
        cleaned = self.cleaned_data
        rules = {
            **{name: cleaned[name] for name in ("places", "attendance")},
            **{name: cleaned[name] for name in ("sharing", "by_field", "best", "decay")},
            "scheme": cleaned["scheme"] or TABLE,
        }
        return SeasonTerms(cleaned["name"], cleaned["from_day"], cleaned["to_day"], cleaned["series"], rules)

    @staticmethod
    def build_initial(season: Season) -> dict[str, object]:
        rules = season_rules(season.rules)
        return {
            **{name: getattr(season, name) for name in ("name", "from_day", "to_day", "series")},
            **{name: getattr(rules, name) for name in ("scheme", "sharing", "by_field", "best", "decay")},
            "places": " ".join(format_points(points) for points in rules.places),
            "attendance": format_points(rules.attendance),
            "seen": compute_version_key(season),
        }


def _has_valid_rules(given: dict[str, object]) -> bool:
    try:
        season_rules(given)
    except BadMatches:
        return False
    return True


def _split_figures(text: str) -> list[str]:
    """Split typed figures: 10 7 5, or 10,7,5; a decimal comma is allowed."""
    if text.count(",") > 1 and not text.strip().count(" "):
        return [part for part in text.strip().split(",") if part]
    return [_normalize_figure(part.rstrip(",;")) for part in text.split()]


def _normalize_figure(text: str) -> str:
    return text.strip().replace(",", ".")


class DivisionsForm(forms.Form):
    """The divisions of a season, one row each, the highest first; rows without a name are ignored."""

    def __init__(self, data: Any, *, there: Sequence[SeasonDivision]) -> None:
        super().__init__(data)
        sent = sum(f"name_{at}" in self.data for at in range(MOST_DIVISIONS))
        self.count = sent if self.is_bound else min(max(len(there) + 2, 3), MOST_DIVISIONS)
        for at in range(self.count):
            row = there[at] if at < len(there) else None
            self.fields[f"name_{at}"] = NameField(
                label=_("Name"), max_length=80, required=False, initial=row.name if row else ""
            )
            for name, label in (("up", _("Go up")), ("down", _("Go down"))):
                self.fields[f"{name}_{at}"] = forms.IntegerField(
                    label=label,
                    min_value=0,
                    max_value=MOST_MOVES,
                    initial=getattr(row, name) if row else 0,
                )
            # The previous number, so that a renamed division keeps its players.
            self.fields[f"was_{at}"] = forms.IntegerField(
                widget=forms.HiddenInput,
                required=False,
                min_value=0,
                max_value=2 * MOST_DIVISIONS,
                initial=row.number if row else None,
            )

    @property
    def rows(self) -> list[list[forms.BoundField]]:
        names = ("name", "up", "down", "was")
        return [[self[f"{name}_{at}"] for name in names] for at in range(self.count)]

    @property
    def terms(self) -> list[DivisionTerms]:
        cleaned = self.cleaned_data
        return [
            DivisionTerms(
                cleaned[f"name_{at}"], cleaned[f"up_{at}"], cleaned[f"down_{at}"], cleaned[f"was_{at}"]
            )
            for at in range(self.count)
            if cleaned[f"name_{at}"]
        ]
