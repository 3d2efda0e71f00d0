"""The form of one stage of a plan: format, players, match lengths, and start and end of rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from draw.brackets.structure import MAIN
from draw.formats import FORMATS
from draw.options import OptionHeading, Prominence, Specs
from tournaments.base import formats, labels, rules_in_words
from tournaments.models import LONGEST_MATCH, DeadlinePolicy, PairingMode
from tournaments.plan import option_forms, plan_edits
from tournaments.plan.option_forms import Fold
from tournaments.plan.templates import StagePlan

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


class StageForm(forms.Form):
    def __init__(self, *args: Any, plan: StagePlan, has_others: bool = False, **given: Any) -> None:
        super().__init__(*args, **given)
        self.plan = plan
        self.title = formats.format_name(plan.format)
        self.fields["format"] = forms.ChoiceField(
            label=_("Format"),
            choices=[(name, formats.format_name(name)) for name in FORMATS],
            initial=plan.format,
        )
        if has_others:
            self.fields["name"] = forms.CharField(
                label=pgettext_lazy("name", "Called"), max_length=40, initial=plan.name
            )
        self.fields |= _build_take_fields(plan)
        known = formats.get_format(plan).options
        lengths, pace = _build_length_fields(plan), _build_pace_fields(plan)
        self.fields |= dict(option_forms.list_fields(known, plan.options)) | lengths | pace
        # Important options are visible, others are folded.
        self._first = [one.name for one in known.values() if one.asked is Prominence.FIRST]
        self._headings: tuple[tuple[str | StrPromise, list[str]], ...] = (
            *_list_headings(known),
            (_("Length of some matches"), [*lengths]),
            (_("Time for a round"), [*pace]),
        )

    @property
    def first(self) -> list[forms.BoundField]:
        return [self[name] for name in self._first]

    @property
    def folds(self) -> list[Fold]:
        return [Fold.build(self, title, names, self._is_default) for title, names in self._headings if names]

    def _is_default(self, name: str, value: Any) -> bool:
        option = formats.get_format(self.plan).options.get(name)
        if option is not None:
            return option_forms.is_default(option, value)
        return bool(value == getattr(StagePlan(format=self.plan.format), name, None))

    def clean(self) -> dict[str, Any]:
        """Refuse time limits that a round cannot have, ranks in the wrong order, and a match that is never played."""
        found = super().clean() or self.cleaned_data
        form, minutes = found.get("format", self.plan.format), found.get("round_minutes")
        if form != self.plan.format and plan_edits.counts_days(form):
            # The change of the format drops them.
            minutes = None
        problem = plan_edits.find_pace_problem(form, minutes, found.get("round_days"))
        if problem and not self.fields["round_minutes"].disabled:
            self.add_error(*problem)
        if found.get("redraw") and found.get("third_place") and not self.fields["redraw"].disabled:
            self.add_error("third_place", plan_edits.NO_SIDE_BRACKETS)
        first, last = found.get("take_first"), found.get("take_last")
        if first and last and first > last:
            self.add_error("take_last", _("Not before the first of them."))
        return found

    def stage(self) -> StagePlan:
        """Return the stage; another format resets its options."""
        cleaned = self.cleaned_data
        made = replace(
            self.plan,
            name=cleaned.get("name", self.plan.name),
            takes=self._read_takes(),
            options=option_forms.read_options(
                formats.get_format(self.plan).options, cleaned, self.plan.options
            ),
            rules=self._read_rules(),
            pairs=cleaned["pairs"],
            round_minutes=cleaned["round_minutes"],
            round_days=cleaned["round_days"],
            deadline_policy=cleaned["deadline_policy"],
        )
        return made if cleaned["format"] == made.format else plan_edits.change_format(made, cleaned["format"])

    def _read_takes(self) -> tuple[dict[str, Any], ...]:
        if "take_first" not in self.fields:
            return tuple(dict(take) for take in self.plan.takes)
        cleaned = self.cleaned_data
        take = dict(self.plan.takes[0]) | {"first": cleaned["take_first"], "last": cleaned["take_last"]}
        if "each_group" in self.fields:
            take["each_group"] = cleaned["each_group"]
        return (take,)

    def _read_rules(self) -> tuple[dict[str, Any], ...]:
        """Return the match rules with the lengths of the form. Other parts of the rules do not change."""
        shown = {
            name: {"length": length} if (length := self.cleaned_data[name]) else {}
            for name in self.fields
            if name == "final" or name.startswith("side-")
        }
        rules, stored = [], set()
        for rule in self.plan.rules:
            stored.add(name := _get_length_field(rule))
            changed = dict(rule)
            if name in shown:
                changed.pop("length", None)
                changed |= shown[name]
            if changed.keys() - {"bracket", "round"}:
                rules.append(changed)
        for name, length in shown.items():
            if length and name not in stored:
                matches = (
                    {"bracket": MAIN, "round": -1}
                    if name == "final"
                    else {"bracket": name.removeprefix("side-")}
                )
                rules.append(matches | length)
        return tuple(rules)


Fields = dict[str, forms.Field]


def _list_headings(known: Specs) -> Iterator[tuple[str, list[str]]]:
    folded = [one for one in known.values() if one.asked is Prominence.IF_WANTED]
    for heading in OptionHeading:
        yield rules_in_words.translate_label(heading), [one.name for one in folded if one.heading is heading]


def _build_take_fields(plan: StagePlan) -> Fields:
    """Return the fields for the players of a later stage, if it takes them from exactly one stage."""
    if len(plan.takes) != 1:
        return {}
    (take,) = plan.takes
    found: Fields = {
        "take_first": forms.IntegerField(
            label=_("Takes places from"), min_value=1, max_value=999, initial=take.get("first", 1)
        ),
        "take_last": forms.IntegerField(
            label=pgettext_lazy("places", "to"),
            min_value=1,
            max_value=999,
            required=False,
            initial=take.get("last"),
            help_text=_("Empty: all that follow."),
        ),
    }
    if take.get("each_group") is not None:
        found["each_group"] = forms.BooleanField(
            label=_("These places of every group"), required=False, initial=take["each_group"]
        )
    return found


def _build_length_fields(plan: StagePlan) -> Fields:
    """Return the fields for the length of the final and of side brackets of a knock-out."""
    form = formats.get_format(plan)
    if not form.is_elimination:
        return {}
    titles: dict[str, Any] = {"final": _("The final to")}
    for name in form.brackets:
        titles[f"side-{name}"] = _("%(bracket)s to") % {"bracket": labels.format_bracket(name)}
    lengths = {_get_length_field(rule): rule["length"] for rule in plan.rules if "length" in rule}
    return {
        name: forms.IntegerField(
            label=title, min_value=1, max_value=LONGEST_MATCH, required=False, initial=lengths.get(name)
        )
        for name, title in titles.items()
    }


def _get_length_field(rule: Mapping[str, Any]) -> str:
    """Return the name of the field that shows the length of a rule, "" if none does."""
    bracket, number = rule.get("bracket", ""), rule.get("round", 1)
    if bracket in {"", MAIN} and number == -1:
        return "final"
    return f"side-{bracket}" if bracket and number == 1 else ""


def _build_pace_fields(plan: StagePlan) -> Fields:
    is_in_days = plan_edits.counts_days(plan.format)
    return {
        "pairs": forms.ChoiceField(label=_("New rounds"), choices=PairingMode.choices, initial=plan.pairs),
        "round_minutes": forms.IntegerField(
            label=_("Minutes a round"),
            min_value=5,
            max_value=1440,
            required=False,
            initial=plan.round_minutes,
            help_text=plan_edits.NO_MINUTES if is_in_days else _("Empty: no limit."),
        ),
        "round_days": forms.IntegerField(
            label=_("Days a round"),
            min_value=1,
            max_value=90,
            required=False,
            initial=plan.round_days,
            help_text=_("Empty: a week.") if is_in_days else "",
        ),
        "deadline_policy": forms.ChoiceField(
            label=_("When time is up"), choices=DeadlinePolicy.choices, initial=plan.deadline_policy
        ),
    }
