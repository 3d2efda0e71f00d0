"""How an event is played: its format's options, its rounds, its rules of lateness."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.announcing import WallField
from tournaments.models import LONGEST_MATCH, DeadlinePolicy, NoShowPolicy, Pairs, ReportedBy
from tournaments.pairing.brackets.structure import MAIN
from tournaments.pairing.formats import FORMATS as PAIRED
from tournaments.selectors import labels
from tournaments.templates import Plan, Settings, StagePlan

DRAWS: Final = (
    ("random", _("By lot, all of them")),
    ("rating", _("By rating")),
    ("pots", _("By pots: the best are drawn apart")),
    ("hand", _("Seeds by hand, the others by lot")),
    ("listed", _("As entered")),
)
STEP: Final = re.compile(r"^\s*(\d{1,3})\s*[:=]\s*(\d{1,2}|loss)\s*$", re.IGNORECASE)
# Which brackets of which format may have a length of their own.
SIDES: Final = {
    "consolation": ("consolation",),
    "progressive-consolation": ("consolation",),
    "feed-in": ("consolation",),
    "first-match-losers": ("consolation",),
    "last-chance": ("consolation", "last-chance"),
    "double-elimination": ("losers", "final"),
}
MADE_OF_ROUNDS: Final = frozenset({"swiss", "lives", "round-robin", "groups", "league"})


class StageForm(forms.Form):
    """One stage: how long matches are, how it is drawn, how rounds begin and end."""

    def __init__(self, *args: Any, plan: StagePlan, usual: int, **options: Any) -> None:
        super().__init__(*args, **options)
        self.plan = plan
        self.usual = usual
        self.title = labels.format_name(plan.format)
        is_knockout = PAIRED[plan.format].preview is not None
        if is_knockout:
            self.fields["final"] = _length(_("The final to"), required=False)
            for name in SIDES.get(plan.format, ()):
                self.fields[f"side-{name}"] = _length(
                    _("%(bracket)s to") % {"bracket": labels.bracket(name)}, required=False
                )
            self.fields["draw"] = forms.ChoiceField(
                label=_("Drawn"), choices=DRAWS, required=False, initial=plan.options.get("draw", "random")
            )
        if plan.format in MADE_OF_ROUNDS - {"league"}:
            self.fields["rounds"] = forms.IntegerField(
                label=_("Rounds"),
                min_value=1,
                max_value=30,
                required=plan.format == "swiss",
                initial=plan.options.get("rounds"),
                help_text="" if plan.format == "swiss" else _("Empty: as many as it takes."),
            )
        if plan.format == "groups":
            self.fields["size"] = forms.IntegerField(
                label=_("Players in a group"),
                min_value=2,
                max_value=16,
                initial=plan.options.get("size", 4),
            )
        if plan.format == "lives":
            self.fields["lives"] = forms.IntegerField(
                label=_("Lives"), min_value=1, max_value=9, initial=plan.options.get("lives", 3)
            )
        self.fields["pairs"] = forms.ChoiceField(
            label=_("New rounds"), choices=Pairs.choices, initial=plan.pairs
        )
        self.fields["round_minutes"] = forms.IntegerField(
            label=_("Minutes a round"),
            min_value=5,
            max_value=1440,
            required=False,
            initial=plan.round_minutes,
            help_text=_("Empty: no limit."),
        )
        self.fields["round_days"] = forms.IntegerField(
            label=_("Days a round"), min_value=1, max_value=90, required=False, initial=plan.round_days
        )
        self.fields["deadline_policy"] = forms.ChoiceField(
            label=_("After that"), choices=DeadlinePolicy.choices, initial=plan.deadline_policy
        )
        for name, said in self._lengths().items():
            if name in self.fields:
                self.fields[name].initial = said

    def clean(self) -> dict[str, Any]:
        """Refuse two clocks for one round."""
        found = super().clean() or self.cleaned_data
        if found.get("round_minutes") and found.get("round_days"):
            self.add_error("round_days", _("Minutes or days, not both."))
        return found

    def stage(self) -> StagePlan:
        """Return the stage as it is to be."""
        said = self.cleaned_data
        options = dict(self.plan.options)
        for name in ("draw", "rounds", "size", "lives"):
            if said.get(name):
                options[name] = said[name]
            elif name in self.fields:
                options.pop(name, None)
        return replace(
            self.plan,
            options=options,
            rules=self._rules(),
            pairs=said["pairs"],
            round_minutes=said["round_minutes"],
            round_days=said["round_days"],
            deadline_policy=said["deadline_policy"],
        )

    def _lengths(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for rule in self.plan.rules:
            if "length" not in rule:
                continue
            if rule.get("bracket", "") in {"", MAIN} and rule.get("round") == -1:
                found["final"] = rule["length"]
            elif rule.get("bracket") and rule.get("round", 1) == 1:
                found[f"side-{rule['bracket']}"] = rule["length"]
        return found

    def _rules(self) -> tuple[dict[str, Any], ...]:
        """Return the match rules: those of the form, and such as it knows nothing of."""
        ours = {("", -1), (MAIN, -1), *((name, 1) for name in SIDES.get(self.plan.format, ()))}
        kept = [
            dict(rule)
            for rule in self.plan.rules
            if (rule.get("bracket", ""), rule.get("round", 1)) not in ours
        ]
        made = [
            {"bracket": name, "length": length}
            for name in SIDES.get(self.plan.format, ())
            if (length := self.cleaned_data.get(f"side-{name}"))
        ]
        if final := self.cleaned_data.get("final"):
            made.append({"bracket": MAIN, "round": -1, "length": final})
        return (*kept, *made)


class SettingsForm(forms.Form):
    """How it is entered, who reports, what happens to the late."""

    match_length = forms.IntegerField(label=_("Matches to"), min_value=1, max_value=LONGEST_MATCH)
    entries_close_at = WallField(label=_("Entries close"), required=False)
    needs_check_in = forms.BooleanField(
        label=_("Players check in"),
        required=False,
        help_text=_("Who has not checked in when the draw is published is not drawn."),
    )
    has_waiting_list = forms.BooleanField(
        label=_("With a waiting list"),
        required=False,
        help_text=_("Who comes when it is full moves up when somebody withdraws."),
    )
    reporting = forms.ChoiceField(label=_("Results are told by"), choices=ReportedBy.choices)
    confirm_minutes = forms.IntegerField(
        label=_("A report stands after"),
        min_value=1,
        max_value=10080,
        required=False,
        help_text=_("Minutes without an answer. Empty: only when it is confirmed."),
    )
    lateness = forms.CharField(
        label=_("Lateness"),
        required=False,
        max_length=120,
        help_text=_("Minutes and penalty points, as in 5: 1, 10: 2, 15: loss. Empty: none."),
    )
    no_show_minutes = forms.IntegerField(
        label=_("No-show after"),
        min_value=1,
        max_value=600,
        required=False,
        help_text=_("Minutes after the call. Empty: never by itself."),
    )
    no_show_policy = forms.ChoiceField(label=_("Then"), choices=NoShowPolicy.choices)
    remind_minutes = forms.IntegerField(
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
            help_text=_("By the club's clock. Empty: with the draw."),
        )

    def clean_lateness(self) -> tuple[tuple[int, int | None], ...]:
        """Return the steps: minutes, and points or none for a lost match."""
        steps: list[tuple[int, int | None]] = []
        for part in filter(None, (each.strip() for each in self.cleaned_data["lateness"].split(","))):
            found = STEP.match(part)
            if found is None:
                raise forms.ValidationError(_("Write it like this: 5: 1, 10: 2, 15: loss."))
            steps.append((int(found[1]), None if found[2].lower() == "loss" else int(found[2])))
        return tuple(steps)

    def settings(self) -> Settings:
        """Return the settings as they are to be."""
        return Settings(
            **{name: value for name, value in self.cleaned_data.items() if name != "match_length"}
        )


def initial(plan: Plan) -> dict[str, Any]:
    """Return what the form of settings shows at first."""
    said = plan.settings
    lateness = ", ".join(f"{at}: {'loss' if points is None else points}" for at, points in said.lateness)
    values = {name: getattr(said, name) for name in Settings.__slots__}
    return values | {"lateness": lateness, "match_length": plan.match_length}


def _length(label: Any, *, required: bool) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=1, max_value=LONGEST_MATCH, required=required)
