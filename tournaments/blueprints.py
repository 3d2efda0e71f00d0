"""How a plan is changed in its structure: another format, a stage more, a stage less. Plans in, plans out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import pgettext_lazy

from tournaments.templates import FINALS, GROUPS, StagePlan

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django_stubs_ext import StrPromise

    from tournaments.templates import Plan

# What a format cannot do without, or is usually played with.
USUAL: Final[Mapping[str, Mapping[str, Any]]] = {
    "swiss": {"rounds": 5},
    "groups": {"size": 4},
    "lives": {"lives": 3},
}
NAMES: Final[Mapping[str, StrPromise]] = {
    "groups": GROUPS,
    "swiss": pgettext_lazy("event format", "Swiss"),
    "league": pgettext_lazy("event format", "League"),
    "lives": pgettext_lazy("event format", "Lives"),
}
MAIN: Final = pgettext_lazy("stage", "Main")
MOST_STAGES: Final = 5
BEST: Final = 4


def with_format(stage: StagePlan, form: str) -> StagePlan:
    """Return a stage played otherwise; options and lengths of its brackets were the old format's."""
    return replace(stage, format=form, options=dict(USUAL.get(form, {})), rules=())


def may_grow(plan: Plan) -> bool:
    """Say whether another stage may follow."""
    return len(plan.stages) < MOST_STAGES


def grown(plan: Plan) -> Plan:
    """Return the plan with a knock-out after it, of the best of its last stage."""
    *before, last = plan.stages
    last = replace(last, name=last.name or _free(str(NAMES.get(last.format, MAIN)), plan))
    take: dict[str, Any] = {"stage": last.name, "first": 1, "last": BEST}
    if last.format == "groups":
        take |= {"last": 2, "each_group": True}
    after = StagePlan(format="single-elimination", name=_free(str(FINALS), plan), takes=(take,))
    return replace(plan, stages=(*before, last, after))


def shortened(plan: Plan) -> Plan:
    """Return the plan without its last stage; one that stands alone needs no name."""
    kept = plan.stages[:-1] or plan.stages
    if len(kept) == 1:
        kept = (replace(kept[0], name=""),)
    return replace(plan, stages=kept)


def renamed(stages: tuple[StagePlan, ...], old: Mapping[str, str]) -> tuple[StagePlan, ...]:
    """Return stages that take from each other by the names they have now; *old* says what each was called."""
    return tuple(
        replace(
            stage,
            takes=tuple({**take, "stage": old.get(take["stage"], take["stage"])} for take in stage.takes),
        )
        for stage in stages
    )


def _free(name: str, plan: Plan) -> str:
    taken = {stage.name for stage in plan.stages}
    found, number = name, 2
    while found in taken:
        found, number = f"{name} {number}", number + 1
    return found
