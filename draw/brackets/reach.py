"""Places within reach, also while players who leave after their current match are playing (P33, P35)."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from draw.brackets.finishing_order import rank_entrants
from draw.brackets.resolution import resolve_spots
from draw.event import Kind, Pairing, Result, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draw.brackets.resolution import Facts, ResolvedPlace
    from draw.brackets.spans import Span
    from draw.brackets.structure import Structure
    from draw.event import EntrantId, Ranked

# Both outcomes of at most this many matches are tried; each doubles the work.
MOST: Final = 5


def rank_within_reach(
    structure: Structure, facts: Facts, spots: Sequence[ResolvedPlace]
) -> tuple[Ranked, ...]:
    """Rank all entrants by the places that they hold or can still reach.

    An entrant who leaves after a match is eliminated at the place they reach, and opponents get byes. So both outcomes of such
    a match are computed, and the places shown cover both.
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
    structure: Structure, facts: Facts, spots: Sequence[ResolvedPlace], most: int
) -> dict[EntrantId, Span]:
    """Compute the best and the worst place of each entrant over all outcomes of the leavers' matches."""
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


def _find_last_match(spots: Sequence[ResolvedPlace], facts: Facts) -> int | None:
    """Find the first open match of a player who leaves after it; None if there is none."""
    return next(
        (
            at
            for at, spot in enumerate(spots)
            if spot.state is State.READY and (spot.a in facts.left or spot.b in facts.left)
        ),
        None,
    )
