"""One stage of a plan: its format, whom it takes, how long matches are, how rounds begin and end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from draw.brackets.structure import MAIN
from draw.formats import FORMATS
from draw.options import Asked
from tournaments import formats, plan_edits
from tournaments.forms import options
from tournaments.models import LONGEST_MATCH, DeadlinePolicy, Pairs
from tournaments.selectors import labels

if TYPE_CHECKING:
    from tournaments.templates import StagePlan


class StageForm(forms.Form):
    """One stage, with the fields that its format asks for."""

    def __init__(self, *args: Any, plan: StagePlan, has_others: bool = False, **given: Any) -> None:
        super().__init__(*args, **given)
        self.plan = plan
        self.title = formats.name(plan.format)
        self.fields["format"] = forms.ChoiceField(
            label=_("Format"), choices=[(name, formats.name(name)) for name in FORMATS], initial=plan.format
        )
        if has_others:
            self.fields["name"] = forms.CharField(
                label=pgettext_lazy("name", "Called"), max_length=40, initial=plan.name
            )
        self.fields |= dict(_taking(plan))
        # What belongs to the format stands in one row; what few change is a click away.
        known = formats.of(plan).options
        asked = dict(options.asked(known, plan.options, Asked.FIRST))
        self.checks = [name for name, field in asked.items() if isinstance(field, forms.BooleanField)]
        self.lists = [name for name, field in asked.items() if isinstance(field, options.LinesField)]
        self.figures = [name for name in asked if name not in {*self.checks, *self.lists}]
        more = dict(options.asked(known, plan.options, Asked.IF_WANTED))
        self.more_checks = [name for name, field in more.items() if isinstance(field, forms.BooleanField)]
        self.more = [name for name in more if name not in self.more_checks]
        self.lengths = dict(_lengths(plan))
        self.fields |= asked | self.lengths | more | dict(_pace(plan))

    @property
    def shown(self) -> dict[str, list[forms.BoundField]]:
        """Return the fields of the format, as they stand together."""
        names = {
            "figures": [*self.figures, *self.lengths],
            "lists": self.lists,
            "checks": self.checks,
            "more": self.more,
            "more_checks": self.more_checks,
        }
        return {part: [self[name] for name in of] for part, of in names.items()}

    @property
    def has_more(self) -> bool:
        """Say whether something was said, or is wrong, that few change."""
        kept = {*self.more, *self.more_checks}
        return not kept.isdisjoint(self.plan.options) or not kept.isdisjoint(self.errors)

    def clean(self) -> dict[str, Any]:
        """Refuse two clocks for one round, and places that are none."""
        found = super().clean() or self.cleaned_data
        if found.get("round_minutes") and found.get("round_days"):
            self.add_error("round_days", _("Minutes or days, not both."))
        first, last = found.get("take_first"), found.get("take_last")
        if first and last and first > last:
            self.add_error("take_last", _("Not before the first of them."))
        return found

    def stage(self) -> StagePlan:
        """Return the stage as it is to be; with another format, its options begin anew."""
        said = self.cleaned_data
        made = replace(
            self.plan,
            name=said.get("name", self.plan.name),
            takes=self._takes(),
            options=options.chosen(formats.of(self.plan).options, said, self.plan.options),
            rules=self._rules(),
            pairs=said["pairs"],
            round_minutes=said["round_minutes"],
            round_days=said["round_days"],
            deadline_policy=said["deadline_policy"],
        )
        return made if said["format"] == made.format else plan_edits.with_format(made, said["format"])

    def _takes(self) -> tuple[dict[str, Any], ...]:
        if "take_first" not in self.fields:
            return tuple(dict(take) for take in self.plan.takes)
        said = self.cleaned_data
        take = dict(self.plan.takes[0]) | {"first": said["take_first"], "last": said["take_last"]}
        if "each_group" in self.fields:
            take["each_group"] = said["each_group"]
        return (take,)

    def _rules(self) -> tuple[dict[str, Any], ...]:
        """Return the match rules: those of the form, and such as it knows nothing of."""
        ours = {("", -1), (MAIN, -1), *((name, 1) for name in formats.of(self.plan).brackets)}
        kept = [
            dict(rule)
            for rule in self.plan.rules
            if (rule.get("bracket", ""), rule.get("round", 1)) not in ours
        ]
        made = [
            {"bracket": name, "length": length}
            for name in formats.of(self.plan).brackets
            if (length := self.cleaned_data.get(f"side-{name}"))
        ]
        if final := self.cleaned_data.get("final"):
            made.append({"bracket": MAIN, "round": -1, "length": final})
        return (*kept, *made)


Fields = Iterator[tuple[str, forms.Field]]


def _taking(plan: StagePlan) -> Fields:
    """Yield whom a later stage takes, where it takes from one."""
    if len(plan.takes) != 1:
        return
    (take,) = plan.takes
    yield (
        "take_first",
        forms.IntegerField(
            label=_("Takes places from"), min_value=1, max_value=999, initial=take.get("first", 1)
        ),
    )
    yield (
        "take_last",
        forms.IntegerField(
            label=pgettext_lazy("places", "to"),
            min_value=1,
            max_value=999,
            required=False,
            initial=take.get("last"),
            help_text=_("Empty: all that follow."),
        ),
    )
    if take.get("each_group") is not None:
        yield (
            "each_group",
            forms.BooleanField(
                label=_("These places of every group"), required=False, initial=take["each_group"]
            ),
        )


def _lengths(plan: StagePlan) -> Fields:
    """Yield the lengths that some matches of a knock-out may have of their own."""
    if not formats.of(plan).is_elimination:
        return
    said = dict(_said_lengths(plan))
    yield "final", _length(_("The final to"), said.get("final"))
    for name in formats.of(plan).brackets:
        label = _("%(bracket)s to") % {"bracket": labels.bracket(name)}
        yield f"side-{name}", _length(label, said.get(f"side-{name}"))


def _said_lengths(plan: StagePlan) -> Iterator[tuple[str, int]]:
    for rule in plan.rules:
        if "length" not in rule:
            continue
        if rule.get("bracket", "") in {"", MAIN} and rule.get("round") == -1:
            yield "final", rule["length"]
        elif rule.get("bracket") and rule.get("round", 1) == 1:
            yield f"side-{rule['bracket']}", rule["length"]


def _length(label: Any, initial: int | None) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, min_value=1, max_value=LONGEST_MATCH, required=False, initial=initial
    )


def _pace(plan: StagePlan) -> Fields:
    """Yield how rounds begin and end."""
    yield "pairs", forms.ChoiceField(label=_("New rounds"), choices=Pairs.choices, initial=plan.pairs)
    yield (
        "round_minutes",
        forms.IntegerField(
            label=_("Minutes a round"),
            min_value=5,
            max_value=1440,
            required=False,
            initial=plan.round_minutes,
            help_text=_("Empty: no limit."),
        ),
    )
    yield (
        "round_days",
        forms.IntegerField(
            label=_("Days a round"), min_value=1, max_value=90, required=False, initial=plan.round_days
        ),
    )
    yield (
        "deadline_policy",
        forms.ChoiceField(
            label=_("After that"), choices=DeadlinePolicy.choices, initial=plan.deadline_policy
        ),
    )
