"""The forms of an event's settings and of its rules of play; stages have their own (`stage_forms`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from draw.options import list_settings
from draw.rules_of_play import MOST_FLAG_POINTS, USUAL, RulesOfPlay
from engine.clock import PRESETS
from matches.state import clock_words
from tournaments.base import rules_in_words, settings
from tournaments.base.form_fields import LocalTimeField
from tournaments.base.settings import Settings
from tournaments.models import LONGEST_MATCH
from tournaments.plan import option_forms
from tournaments.plan.option_forms import Fold
from tournaments.plan.templates import Plan

PREFIX: Final = "play"
BOTH: Final = "both"
GAMMONS: Final = "gammons"
NEITHER: Final = "neither"
DECLARED: Final = {name: each.option for name, each in list_settings(RulesOfPlay).items()}
GAMES: Final = (3, 5, 7, 9)
COUNTS: Final = (
    (BOTH, _("Gammons double, backgammons triple")),
    (GAMMONS, _("Both count double")),
    (NEITHER, _("Neither: every game is single")),
)


class SettingsForm(forms.Form):
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
                rules_in_words.translate_label(heading),
                [one.name for one in self.known.values() if one.heading is heading],
                lambda name, value: bool(value == self.known[name].default),
            )
            for heading in settings.SettingHeading
        ]

    def settings(self, play: RulesOfPlay) -> Settings:
        values = {name: value for name, value in self.cleaned_data.items() if name != "match_length"}
        return settings.Settings(**values, play=play)


def build_initial_values(plan: Plan) -> dict[str, Any]:
    values = {each.name: getattr(plan.settings, each.name) for each in fields(plan.settings)}
    return values | {"match_length": plan.match_length}


class PlayForm(forms.Form):
    """Rules of play.

    Fields that are not declared here come from the options. A request without the form changes nothing.
    """

    # Browsers do not send unchecked boxes: this field shows that the form was sent.
    shown = forms.BooleanField(required=False, initial=True, widget=forms.HiddenInput)
    best_of = forms.TypedChoiceField(
        label=_("A match is"),
        coerce=int,
        help_text=_("In a “best of” there is no cube, and every game counts as single."),
    )
    counts = forms.ChoiceField(label=_("Gammons and backgammons"), choices=COUNTS)
    clock = forms.ChoiceField(label=_("Clock"), required=False)
    flag_points = forms.TypedChoiceField(label=_("A player who runs out of time"), coerce=int)
    field_order = "shown best_of counts cube crawford jacoby clock flag_points moves pips".split()  # noqa: SIM905

    def __init__(self, data: Mapping[str, Any] | None, *, play: RulesOfPlay) -> None:
        super().__init__(
            data if data is not None and data.get(f"{PREFIX}-shown") else None,
            prefix=PREFIX,
            initial=_build_play_values(play),
        )
        self.play = play
        self.fields |= dict(option_forms.list_fields(DECLARED, self.initial))
        self.order_fields(self.field_order)
        games = sorted({*GAMES, play.best_of} - {0})
        fields: Any = self.fields
        fields["best_of"].choices = [
            (0, _("played to a score")),
            *((count, _("the best of %(games)s games") % {"games": count}) for count in games),
        ]
        fields["clock"].choices = [
            ("", _("none")),
            *((name, clock_words.get_preset_name(name)) for name in PRESETS),
        ]
        fields["flag_points"].choices = [
            (0, _("loses the match")),
            *(
                (points, _("%(points)s to the opponent, half the time back") % {"points": points})
                for points in range(1, MOST_FLAG_POINTS + 1)
            ),
        ]

    @property
    def fold(self) -> Fold:
        usual = _build_play_values(USUAL)
        return Fold.build(self, _("Rules of play"), self.fields, lambda name, value: value == usual[name])

    def is_right(self) -> bool:
        """True if the form is valid or was not sent."""
        return not self.is_bound or self.is_valid()

    def clean(self) -> dict[str, Any]:
        """Refuse the Jacoby rule without a cube."""
        found = super().clean() or self.cleaned_data
        if found.get("jacoby") and not (found.get("cube") and not found.get("best_of")):
            self.add_error("jacoby", _("Without a cube, no one can double."))
        return found

    def rules(self) -> RulesOfPlay:
        """Return the chosen rules, or the initial ones if the form was not sent."""
        if not self.is_bound:
            return self.play
        counts = self.cleaned_data["counts"]
        values = {name: value for name, value in self.cleaned_data.items() if name in DECLARED}
        return RulesOfPlay(**values, gammons=counts != NEITHER, backgammons=counts == BOTH)


def _build_play_values(play: RulesOfPlay) -> dict[str, Any]:
    counts = BOTH if play.backgammons else GAMMONS if play.gammons else NEITHER
    return {"shown": True, "counts": counts} | asdict(play)
