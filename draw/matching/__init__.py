"""Finds a partner for each player so that all pairs together cost the least (P60, ADR 21).

What it is for: a round is the best of all rounds only if nobody could be paired better anywhere in the field. An exact
matching finds it, and its prices prove it (`search`, `blossoms`); they also say which pairs a small graph lacks, so that
two thousand players need not be compared each with each (`prices`).

What it costs: some 550 lines here and 140 in `draw.matchmaking` that look for such pairs, of an algorithm that few know
by heart.

What you lose without it: the proof, and large fields. Rings of exchanges pair the 384 rounds of sixteen real
tournaments as the matching does, in 8 seconds instead of 6, and have missed the best in none of 9,400 random graphs; but
nothing says that they must find it. The larger matching of a round takes them 0.1 seconds instead of 0.01
for 200 players, 0.3 instead of 0.01 for 500, and 12 instead of 0.09 for 1,000.

How to do without it: set `draw.matching.is_on` to False; then `rings` finds the partners, in 70 lines that anybody can
read. To drop it for good, keep `rings`, and delete the rest with `near` and `missing` in `draw.matchmaking`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draw.matching import prices, rings
from draw.matching.prices import Missing
from draw.matching.search import QUARTERS, Matching, Pair

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["QUARTERS", "Matching", "Missing", "Pair", "is_on", "partners"]

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
