"""The draw of a stage by its rule, and the ties that the director should break before it (P91).

Otherwise a lot or the list would decide who advances or has a bye.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from draw import groups, rounds, seeding, stages
from draw.brackets import knockout
from draw.event import EntrantId, Event, Field, Proposal, Ranked, Stage
from draw.random_stream import RandomStream

BY_LOT: Final = frozenset({"lot", "number"})


@dataclass(frozen=True, slots=True)
class TiedEntrants:
    """Players separated only by lot or by the list, in that order."""

    stage: str  # in which they are tied
    later: str  # the stage that waits until the tie is broken
    group: str  # "" where there are none, or where they come from different ones
    entrants: tuple[EntrantId, ...]
    rank: int  # the first of their places in the table, or in their group
    is_for_bye: bool  # all of them go on, and not all of them have a bye
    can_play: bool  # a play-off would separate them


def list_undecided(event: Event, name: str) -> tuple[TiedEntrants, ...]:
    """List the ties to break before a stage is drawn; none if its players are unknown or it is drawn."""
    field, done = _read_stage(event, name)
    return () if field is None else _list_ties(event, field, done)


def draw_stage(event: Event, name: str, *, attempt: int = 1) -> seeding.DrawnLines | None:
    """Draw a stage by its rule; None while its players are unknown or a tie waits.

    Each further *attempt* has another lot; the stages before keep theirs. Whether the stage can be played is not
    checked: `stages.propose` does.
    """
    field, done = _read_stage(event, name)
    if field is None or _list_ties(event, field, done):
        return None
    seed = field.seed if attempt == 1 else f"{field.seed}/{attempt}"
    return make_draw(replace(field, seed=seed, rounds=()))


def make_draw(field: Field) -> seeding.DrawnLines:
    """Draw a stage by its rule: eliminations have lines, groups number their players, other formats list them."""
    rng = RandomStream(field.seed).child(field.stage.name)
    form = stages.get_format(field.stage)
    if form.is_elimination:
        return knockout.make_draw(field, rng)
    if form.has_groups:
        return groups.make_draw(field, rng)
    return seeding.DrawnLines(tuple(one.id for one in field.entrants if one.arrived <= 1), "listed")


def _read_stage(event: Event, name: str) -> tuple[Field | None, Mapping[str, Proposal]]:
    stage = next(stage for stage in event.stages if stage.name == name)
    done = stages.propose_stages(event, before=name)
    return stages.build_field(event, stage, done), done


def _list_ties(event: Event, field: Field, done: Mapping[str, Proposal]) -> tuple[TiedEntrants, ...]:
    if field.draw is not None:
        return ()
    later, through = field.stage, {one.entrant for one in field.intake}
    byes = _find_byes(field) if stages.get_format(later).is_elimination else ()
    sources = {take.stage for take in later.takes}
    found: list[TiedEntrants] = []
    for source in (stage for stage in event.stages if stage.name in sources and not _is_left_to_lot(stage)):
        ranking = done[source.name].ranking
        passed_over = stages.find_passed_over(event, source.name)
        for group, rank, level in _group_tied(ranking):
            goes_on = [one in through for one in level if one not in passed_over]
            has_bye = [one in byes for one in level if one not in passed_over]
            is_for_place = any(goes_on) and not all(goes_on)
            if is_for_place or (all(goes_on) and any(has_bye) and not all(has_bye)):
                played_to = rounds.PLAYOFF_FOR.get(source.options, 0)
                is_played = rounds.PLAYOFF.get(source.options) and (is_for_place or rank <= played_to)
                first = next(at for at, one in enumerate(ranking) if one.entrant in level)
                above = {one.entrant for one in ranking[:first]}
                # A play-off is for places of the table, where players who have left count.
                can_play = group is not None and not is_played and passed_over.isdisjoint(above)
                found.append(
                    TiedEntrants(
                        source.name, later.name, group or "", level, rank, not is_for_place, can_play
                    )
                )
    return tuple(found)


def _is_left_to_lot(stage: Stage) -> bool:
    """True if the settings or the director leave ties to the lot; a knock-out has no such ties."""
    ties = stages.list_tie_breaks(stage)[: -len(stages.LAST)]
    return not ties or "lot" in ties or rounds.LOTS.get(stage.options) != "ask"


def _group_tied(ranking: Sequence[Ranked]) -> Iterator[tuple[str | None, int, tuple[EntrantId, ...]]]:
    """Yield the groups of tied players.

    Each has the name of their group (None if they come from several), the first of their places, and the players.
    """
    for rank, same in groupby(ranking, key=lambda one: one.rank):
        tied = list(same)
        if len(tied) > 1:
            yield None if tied[0].group else "", rank, tuple(one.entrant for one in tied)
    for group in sorted({one.group for one in ranking if one.group}):
        own = [one for one in ranking if one.group == group]
        starts = [at for at, one in enumerate(own) if one.decided_by not in BY_LOT]
        for start, end in zip(starts, [*starts[1:], len(own)], strict=True):
            if end - start > 1:
                yield group, start + 1, tuple(one.entrant for one in own[start:end])


def _find_byes(field: Field) -> set[EntrantId]:
    """Find the players who get a bye by their earlier places; none if lines are drawn by lot."""
    if seeding.get_method(field) not in {"cross", "listed"}:
        return set()
    lines = make_draw(replace(field, rounds=())).lines
    alone = [pair for pair in zip(lines[::2], lines[1::2], strict=False) if None in pair]
    return {one for pair in alone for one in pair if one is not None}
