"""The form of an event's settings; stages have their own forms (`stage_forms`)."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.base import option_words, settings
from tournaments.base.form_fields import LocalTimeField
from tournaments.models import LONGEST_MATCH
from tournaments.plan import option_forms
from tournaments.plan.folds import Fold

if TYPE_CHECKING:
    from draw.rules_of_play import RulesOfPlay
    from tournaments.base.settings import Settings
    from tournaments.plan.templates import Plan


class SettingsForm(forms.Form):
    """Settings for entering, reporting and lateness."""

    match_length = forms.IntegerField(label=_("Matches to"), min_value=1, max_value=LONGEST_MATCH)

    def __init__(self, *args: Any, zone: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self.known = settings.list_options()
        self.fields |= dict(option_forms.list_fields(self.known, self.initial))
        for field in self.fields.values():
            if isinstance(field, LocalTimeField):
                field.zone = zone

    @property
    def folds(self) -> list[Fold]:
        """All fields but the length of matches, folded."""
        return [
            Fold.build(
                self,
                option_words.translate_label(heading),
                [one.name for one in self.known.values() if one.heading is heading],
                lambda name, value: bool(value == self.known[name].default),
            )
            for heading in settings.SettingHeading
        ]

    def settings(self, play: RulesOfPlay) -> Settings:
        """Return the settings, with rules of play from another form."""
        values = {name: value for name, value in self.cleaned_data.items() if name != "match_length"}
        return settings.Settings(**values, play=play)


def build_initial_values(plan: Plan) -> dict[str, Any]:
    values = {each.name: getattr(plan.settings, each.name) for each in fields(plan.settings)}
    return values | {"match_length": plan.match_length}
