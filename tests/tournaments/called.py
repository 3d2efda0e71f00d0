"""Stages under any name: what people write, and what a name could be mistaken for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import strategies as st

from draw.event import Stage
from tournaments.plan.templates import StagePlan

# Brackets, formats, numbers of entries, keys of matches, and what a list or an address is cut at.
TRICKY = ("main", "Main", "swiss", "1", "p1", "main/1.1", "groups", "A / B", "50 %", "Final #2?", "Été", "0")
LETTERS = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=12)
NAMES = st.one_of(st.sampled_from(TRICKY), LETTERS)


def names(count: int) -> st.SearchStrategy[list[str]]:
    """Draw a name for each stage; a single one may have none."""
    if count == 1:
        return st.one_of(st.just([""]), NAMES.map(lambda name: [name]))
    return st.lists(NAMES, min_size=count, max_size=count, unique=True)


def planned(stages: Sequence[StagePlan], names: Sequence[str]) -> tuple[StagePlan, ...]:
    """Call the stages of a plan so, also where they take from each other."""
    by_old = {stage.name: name for stage, name in zip(stages, names, strict=True)}
    return tuple(
        replace(
            stage,
            name=by_old[stage.name],
            takes=tuple({**take, "stage": by_old[take["stage"]]} for take in stage.takes),
        )
        for stage in stages
    )


def pure(stages: Sequence[Stage], names: Sequence[str]) -> tuple[Stage, ...]:
    """Call the stages of an event so, also where they take from each other."""
    by_old = {stage.name: name for stage, name in zip(stages, names, strict=True)}
    return tuple(
        replace(
            stage,
            name=by_old[stage.name],
            takes=tuple(replace(take, stage=by_old[take.stage]) for take in stage.takes),
        )
        for stage in stages
    )
