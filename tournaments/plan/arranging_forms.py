"""How an event is entered, who reports, what happens to the late; stages have forms of their own (`stages`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.base.form_fields import LatenessStepsField, MinutesField, WallField
from tournaments.models import LONGEST_MATCH, NoShowPolicy, ReportedBy
from tournaments.plan.folds import Fold
from tournaments.plan.templates import Plan, Settings

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

    from draw.play import RulesOfPlay

# Under which heading the fields are folded away.
FOLDS: Final[tuple[tuple[StrPromise, tuple[str, ...]], ...]] = (
    (_("Entering"), ("entries_close_at", "needs_check_in", "has_waiting_list")),
    (_("Results"), ("reporting", "confirm_minutes", "scores_needed")),
    (_("Lateness and no-shows"), ("lateness", "remind_minutes", "no_show_minutes", "no_show_policy")),
)


class SettingsForm(forms.Form):
    """How it is entered, who reports, what happens to the late."""

    match_length = forms.IntegerField(label=_("Matches to"), min_value=1, max_value=LONGEST_MATCH)
    entries_close_at = WallField(label=_("Entries close"), required=False)
    needs_check_in = forms.BooleanField(
        label=_("Players check in"),
        required=False,
        help_text=_("Players who have not checked in when the draw is published are left out."),
    )
    has_waiting_list = forms.BooleanField(
        label=_("With a waiting list"),
        required=False,
        help_text=_("When the event is full, further players wait and move up when somebody withdraws."),
    )
    reporting = forms.ChoiceField(label=_("Results are reported by"), choices=ReportedBy.choices)
    scores_needed = forms.BooleanField(
        label=_("Results need a score"),
        required=False,
        help_text=_(
            "If not, it is enough to say who won. Such a match counts as won, with no points for or against."
        ),
    )
    confirm_minutes = MinutesField(
        label=_("A report becomes final after"),
        min_value=1,
        max_value=10080,
        required=False,
        help_text=_("Minutes without an answer. Empty: only when it is confirmed."),
    )
    lateness = LatenessStepsField(
        label=_("Lateness"),
        required=False,
        max_length=120,
        help_text=_("Minutes and penalty points, as in 5: 1, 10: 2, 15: loss. Empty: none."),
    )
    no_show_minutes = MinutesField(
        label=_("No-show after"),
        min_value=1,
        max_value=600,
        required=False,
        help_text=_("Minutes after the call. Empty: never by itself."),
    )
    no_show_policy = forms.ChoiceField(label=_("After a no-show"), choices=NoShowPolicy.choices)
    remind_minutes = MinutesField(
        label=_("Reminder"),
        min_value=1,
        max_value=10080,
        required=False,
        help_text=_("Minutes before a deadline."),
    )

    def __init__(self, *args: Any, zone: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["entries_close_at"] = WallField(
            label=_("Entries close"),
            zone=zone,
            required=False,
            help_text=_("In the club's time zone. Empty: with the draw."),
        )

    @property
    def folds(self) -> list[Fold]:
        """Return all fields but the length of matches, folded."""
        usual = Settings()

        def is_usual(name: str, value: Any) -> bool:
            return bool(value == getattr(usual, name))

        return [Fold.of(self, title, names, is_usual) for title, names in FOLDS]

    def settings(self, play: RulesOfPlay) -> Settings:
        """Return the settings as they are to be, with rules of play that have a form of their own."""
        values = {name: value for name, value in self.cleaned_data.items() if name != "match_length"}
        return Settings(**values, play=play)


def initial(plan: Plan) -> dict[str, Any]:
    """Return what the form of settings shows at first."""
    values = {name: getattr(plan.settings, name) for name in Settings.__slots__}
    return values | {"match_length": plan.match_length}
