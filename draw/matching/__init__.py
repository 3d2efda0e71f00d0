"""A partner for each player so that all pairs together cost the least (P60, ADR 21).

Purpose: a round is the best of all rounds only if no other pairing of the whole field is better. An exact matching
finds it, and its prices prove it (`search`, `blossoms`). They also show which pairs a sparse graph lacks, so that two
thousand players need not all be compared with each other (`solve_matching`).

Cost: some 550 lines here and 140 in `draw.matchmaking` that look for such pairs, of an algorithm that few know by heart.

Without it: no proof, and no large fields. Rings of exchanges pair the 384 rounds of sixteen real tournaments with the
same results, in 8 seconds instead of 6, and found the best matching of all 9,400 random graphs, but without a guarantee.
The larger matching of a round takes them 0.1 seconds instead of 0.01 for 200 players, 0.3 instead of 0.01 for 500, and
12 instead of 0.09 for 1,000.

To switch it off, set `draw.matching.is_on` to False; then `rings` finds the partners, in 70 lines that are easy to read.
To remove it, keep `rings`, and delete the rest with the methods `near` and `_list_missing` in `draw.matchmaking`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from heapq import nsmallest

from draw.matching import rings
from draw.matching.search import QUARTERS, Matching, Pair, find_cheapest

# Missing pairs added for each player at a time; has no effect on the result.
PROMISING = 6


@dataclass(frozen=True, slots=True, order=True)
class MissingPair:
    """A pair that costs less than the worth of its ends, with the difference."""

    slack: int
    pair: Pair
    cost: int


def solve_matching(
    size: int,
    near: Iterable[tuple[Pair, int]],
    missing: Callable[[Matching], Iterator[MissingPair]],
) -> Matching:
    """Find the cheapest matching of all pairs, of which only the *near* ones are in the graph at first.

    Pairs whose prices show them to be too cheap to leave out are added, until there are none.
    """
    graph = dict(near)
    while True:
        found = find_cheapest(size, [(a, b, cost) for (a, b), cost in graph.items()])
        best: dict[int, list[MissingPair]] = {}
        for one in missing(found):
            for rank in one.pair:
                best.setdefault(rank, []).append(one)
        if not best:
            return found
        # The most promising few are enough: others show up in the next prices.
        for several in best.values():
            graph.update((one.pair, one.cost) for one in nsmallest(PROMISING, several))


__all__ = ["QUARTERS", "Matching", "MissingPair", "Pair", "find_partners", "is_on"]

# The switch: if False, partners are found by rings of exchanges.
is_on = True


def find_partners(
    size: int,
    cost: Callable[[int, int], int],
    near: Iterable[tuple[Pair, int]],
    missing: Callable[[Matching], Iterator[MissingPair]] = lambda _: iter(()),
) -> tuple[int, ...]:
    """Find each player's partner. *cost* is called with the lower number first.

    *near* are the pairs to begin with; *missing* yields others that the prices show to be too cheap to leave out. Both
    are for speed, and for graphs in which not all players can meet.
    """
    if not is_on:
        return rings.find_partners(size, cost)
    return solve_matching(size, near, missing).mates
