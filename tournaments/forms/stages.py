"""One stage of a plan: its format, whom it takes, how long matches are, how rounds begin and end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from draw.brackets.structure import MAIN
from draw.formats import FORMATS
from tournaments import blueprints, formats
from tournaments.models import LONGEST_MATCH, DeadlinePolicy, Pairs
from tournaments.selectors import labels

if TYPE_CHECKING:
    from tournaments.templates import StagePlan

DRAWS: Final = (
    ("random", _("By lot, all of them")),
    ("rating", _("By rating")),
    ("pots", _("By pots: the best are drawn apart")),
    ("hand", _("Seeds by hand, the others by lot")),
    ("listed", _("As entered")),
)
MODES: Final = (
    ("rounds", _("Round by round")),
    ("continuous", _("Whoever is free, at any time")),
)
TIES: Final = (
    ("", _("By lot, or by the list")),
    ("playoff", _("By a play-off")),
)
MADE_OF_ROUNDS: Final = frozenset({"swiss", "lives", "round-robin", "groups", "league"})


class StageForm(forms.Form):
    """One stage, with the fields that its format asks for."""

    def __init__(self, *args: Any, plan: StagePlan, has_others: bool = False, **options: Any) -> None:
        super().__init__(*args, **options)
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
        # What belongs to the format stands in one row.
        self.figures = dict(_knockout(plan)) | dict(_rounds(plan))
        self.fields |= self.figures
        self.fields |= dict(_ties(plan)) | dict(_pace(plan))

    def shown_figures(self) -> Iterator[forms.BoundField]:
        """Yield the fields of the first row."""
        return (self[name] for name in self.figures)

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
            options=self._options(),
            rules=self._rules(),
            pairs=said["pairs"],
            round_minutes=said["round_minutes"],
            round_days=said["round_days"],
            deadline_policy=said["deadline_policy"],
        )
        return made if said["format"] == made.format else blueprints.with_format(made, said["format"])

    def _options(self) -> dict[str, Any]:
        said, options = self.cleaned_data, dict(self.plan.options)
        for name in ("draw", "rounds", "size", "lives", "batch_minutes", "playoff_for"):
            if said.get(name):
                options[name] = said[name]
            elif name in self.fields:
                options.pop(name, None)
        if "ties" in self.fields:
            options.pop("playoff", None)
            options |= {"playoff": True} if said["ties"] else {}
        if "mode" in self.fields:
            options["mode"] = said["mode"]
            if said["mode"] != "continuous":
                options.pop("batch_minutes", None)
        return options

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


def _knockout(plan: StagePlan) -> Fields:
    """Yield how a knock-out is drawn, and the lengths that some of its matches may have of their own."""
    if FORMATS[plan.format].preview is None:
        return
    drawn = plan.options.get("draw", "random")
    yield (
        "draw",
        forms.ChoiceField(label=pgettext_lazy("how", "Drawn"), choices=DRAWS, required=False, initial=drawn),
    )
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


def _rounds(plan: StagePlan) -> Fields:
    """Yield what formats made of rounds ask for."""
    options = plan.options
    if plan.format in MADE_OF_ROUNDS - {"league"}:
        must = plan.format == "swiss"
        yield (
            "rounds",
            forms.IntegerField(
                label=_("Rounds"),
                min_value=1,
                max_value=30,
                required=must,
                initial=options.get("rounds"),
                help_text="" if must else _("Empty: as many as it takes."),
            ),
        )
    if plan.format == "groups":
        size = options.get("size", 4)
        yield (
            "size",
            forms.IntegerField(label=_("Players in a group"), min_value=2, max_value=16, initial=size),
        )
    if plan.format == "lives":
        lives = options.get("lives", 3)
        yield "lives", forms.IntegerField(label=_("Lives"), min_value=1, max_value=9, initial=lives)
        yield (
            "mode",
            forms.ChoiceField(label=_("Paired"), choices=MODES, initial=options.get("mode", "rounds")),
        )
        yield (
            "batch_minutes",
            forms.IntegerField(
                label=_("Every so many minutes"),
                min_value=1,
                max_value=120,
                required=False,
                initial=options.get("batch_minutes"),
                help_text=_("If whoever is free is paired. Empty: at once."),
            ),
        )


def _ties(plan: StagePlan) -> Fields:
    """Yield what becomes of those who are tied for places that count."""
    if "playoff" not in FORMATS[plan.format].options:
        return
    yield (
        "ties",
        forms.ChoiceField(
            label=_("Ties for places that count"),
            choices=TIES,
            required=False,
            initial="playoff" if plan.options.get("playoff") else "",
            help_text=_("Who goes on to the next stage, and prize places."),
        ),
    )
    yield (
        "playoff_for",
        forms.IntegerField(
            label=_("Prize places"),
            min_value=1,
            max_value=16,
            required=False,
            initial=plan.options.get("playoff_for"),
            help_text=_(
                "Played off from first to this one. Empty: only the first, and none where a stage follows."
            ),
        ),
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
