"""The places within reach at any moment, where the end of somebody who leaves after a match hangs on it (P33, P35)."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING, Final, TypeAlias

from draw.brackets.finishing_order import rank_entrants
from draw.brackets.resolution import resolve_spots
from draw.event import Kind, Pairing, Result, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draw.brackets.resolution import Facts, Spot
    from draw.brackets.structure import Structure
    from draw.event import EntrantId, Ranked

    Span: TypeAlias = tuple[int, int]

# So many matches with a leaver are looked at both ways; each doubles the work. More at one moment are no real night.
MOST: Final = 5


def rank_within_reach(structure: Structure, facts: Facts, spots: Sequence[Spot]) -> tuple[Ranked, ...]:
    """Rank everybody by the places that they hold or can still reach.

    Whoever leaves after a match is out wherever it takes them, and others pass where they would have stood, some who have
    left themselves among them. So such a match is looked at both ways, and what is shown covers both.
    """
    order = rank_entrants(structure, spots, facts.left)
    if _find_last_match(spots, facts) is None:
        return order
    spans = _compute_spans(structure, facts, spots, MOST)
    widened = (
        replace(one, rank=first, shared=last - first + 1)
        for one in order
        for first, last in (spans[one.entrant],)
    )
    return tuple(sorted(widened, key=attrgetter("rank", "shared")))


def _compute_spans(
    structure: Structure, facts: Facts, spots: Sequence[Spot], most: int
) -> dict[EntrantId, Span]:
    """Return the best and the worst place of everybody, whichever way the matches of those who leave end."""
    at = _find_last_match(spots, facts) if most else None
    if at is None:
        return {one.entrant: (one.rank, one.last) for one in rank_entrants(structure, spots, facts.left)}
    key, pair = structure.nodes[at].key, (spots[at].a, spots[at].b)
    a, b = (one for one in pair if isinstance(one, str))
    found: dict[EntrantId, Span] = {}
    for winner in (a, b):
        played = Pairing(key, a, b, Result(Kind.PLAYED, winner))
        then = replace(facts, records={**facts.records, key: played})
        for entrant, (first, last) in _compute_spans(
            structure, then, resolve_spots(structure, then), most - 1
        ).items():
            best, worst = found.get(entrant, (first, last))
            found[entrant] = min(best, first), max(worst, last)
    return found


def _find_last_match(spots: Sequence[Spot], facts: Facts) -> int | None:
    """Return an open match that somebody plays and then leaves."""
    return next(
        (
            at
            for at, spot in enumerate(spots)
            if spot.state is State.READY and (spot.a in facts.left or spot.b in facts.left)
        ),
        None,
    )
