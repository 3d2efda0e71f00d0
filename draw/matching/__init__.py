"""Finds a partner for each player so that all pairs together cost the least (P60, ADR 21).

Purpose: a round is the best of all rounds only if no other pairing of the whole field is better. An exact matching finds
it, and its prices prove it (`search`, `blossoms`). They also show which pairs a sparse graph lacks, so that two thousand
players need not all be compared with each other (`prices`).

Cost: some 550 lines here and 140 in `draw.matchmaking` that look for such pairs, of an algorithm that few know by heart.

Without it: no proof, and no large fields. Rings of exchanges pair the 384 rounds of sixteen real tournaments with the
same results, in 8 seconds instead of 6, and found the best matching of all 9,400 random graphs, but without a guarantee.
The larger matching of a round takes them 0.1 seconds instead of 0.01 for 200 players, 0.3 instead of 0.01 for 500, and
12 instead of 0.09 for 1,000.

To switch it off, set `draw.matching.is_on` to False; then `rings` finds the partners, in 70 lines that are easy to read.
To remove it, keep `rings`, and delete the rest with `near` and `missing` in `draw.matchmaking`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draw.matching import prices, rings
from draw.matching.prices import Missing
from draw.matching.search import QUARTERS, Matching, Pair

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["QUARTERS", "Matching", "Missing", "Pair", "find_partners", "is_on"]

# The switch: if False, partners are found by rings of exchanges.
is_on = True


def _list_nothing(_: Matching) -> Iterator[Missing]:
    return iter(())


def find_partners(
    size: int,
    cost: Callable[[int, int], int],
    near: Iterable[tuple[Pair, int]],
    missing: Callable[[Matching], Iterator[Missing]] = _list_nothing,
) -> tuple[int, ...]:
    """Find each player's partner. *cost* is called with the lower number first.

    *near* are the pairs to begin with; *missing* yields others that the prices show to be too cheap to leave out. Both are for
    speed, and for graphs in which not all players can meet.
    """
    if not is_on:
        return rings.find_partners(size, cost)
    return prices.solve(size, near, missing).mates
