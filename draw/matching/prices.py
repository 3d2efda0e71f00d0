"""Finds the best matching from a sparse graph: prices show which pairs are missing from it."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import nsmallest
from typing import TYPE_CHECKING

from draw.matching.search import Matching, Pair, find_cheapest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

# Missing pairs added for each player at a time; has no effect on the result.
PROMISING = 6


@dataclass(frozen=True, slots=True, order=True)
class Missing:
    """A pair that costs less than the worth of its ends, with the difference."""

    slack: int
    pair: Pair
    cost: int


def solve(
    size: int,
    near: Iterable[tuple[Pair, int]],
    missing: Callable[[Matching], Iterator[Missing]],
) -> Matching:
    """Solve, add the pairs whose prices show them to be too cheap to leave out, and repeat until there are none."""
    graph = dict(near)
    while True:
        found = find_cheapest(size, [(a, b, cost) for (a, b), cost in graph.items()])
        best: dict[int, list[Missing]] = {}
        for one in missing(found):
            for rank in one.pair:
                best.setdefault(rank, []).append(one)
        if not best:
            return found
        # The most promising few are enough: others show up in the next prices.
        for several in best.values():
            graph.update((one.pair, one.cost) for one in nsmallest(PROMISING, several))
