"""Changes to the structure of a plan: another format, one stage more or less. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from draw.format import DueFrom
from draw.formats import FORMATS
from tournaments.base import formats
from tournaments.plan.templates import FINALS, Plan, StagePlan

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

MAIN: Final = pgettext_lazy("stage", "Main")
NO_SIDE_BRACKETS: Final = _(
    "If every round is drawn afresh, there is neither a match for third place nor a side bracket."
)
NO_MINUTES: Final = _("The rounds of a league are counted in days, not in minutes.")
MINUTES_OR_DAYS: Final = _("Minutes or days, not both.")
MOST_STAGES: Final = 5
BEST: Final = 4


def change_format(stage: StagePlan, form: str) -> StagePlan:
    """Return a stage with another format, without the options and lengths of the old one; a league has no minutes."""
    options = {one.name: one.first for one in FORMATS[form].options.values() if one.first is not None}
    minutes = None if counts_days(form) else stage.round_minutes
    return replace(stage, format=form, options=options, rules=(), round_minutes=minutes)


def counts_days(form: str) -> bool:
    """True if the rounds of a format always have days, counted from the draw, and never minutes."""
    return FORMATS[form].due_from is DueFrom.PUBLISHED


def find_pace_problem(form: str, minutes: int | None, days: int | None) -> tuple[str, StrPromise] | None:
    """Return the field with a time for a round that cannot be, and the reason; None if all is well."""
    if minutes and counts_days(form):
        return "round_minutes", NO_MINUTES
    return ("round_days", MINUTES_OR_DAYS) if minutes and days else None


def may_add_stage(plan: Plan) -> bool:
    return len(plan.stages) < MOST_STAGES


def add_stage(plan: Plan) -> Plan:
    *before, last = plan.stages
    usual = str(MAIN) if formats.get_format(last).is_elimination else formats.format_name(last.format)
    last = replace(last, name=last.name or _find_free_name(usual, plan))
    take: dict[str, Any] = {"stage": last.name, "first": 1, "last": BEST}
    if formats.get_format(last).has_groups:
        take |= {"last": 2, "each_group": True}
    after = StagePlan(format="single-elimination", name=_find_free_name(str(FINALS), plan), takes=(take,))
    return replace(plan, stages=(*before, last, after))


def remove_stage(plan: Plan) -> Plan:
    """Remove the last stage, unless it is the only one; a stage that remains alone loses its name."""
    remaining = plan.stages[:-1] or plan.stages
    if len(remaining) == 1:
        remaining = (replace(remaining[0], name=""),)
    return replace(plan, stages=remaining)


def rename_stages(stages: tuple[StagePlan, ...], old: Mapping[str, str]) -> tuple[StagePlan, ...]:
    """Update the references between renamed stages; *old* maps old names to new ones."""
    return tuple(
        replace(
            stage,
            takes=tuple({**take, "stage": old.get(take["stage"], take["stage"])} for take in stage.takes),
        )
        for stage in stages
    )


def _find_free_name(name: str, plan: Plan) -> str:
    taken = {stage.name for stage in plan.stages}
    found, number = name, 2
    while found in taken:
        found, number = f"{name} {number}", number + 1
    return found
