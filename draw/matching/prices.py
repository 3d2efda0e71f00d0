"""The best partners of all, found in a small graph: what is missing in it, the prices tell."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import nsmallest
from typing import TYPE_CHECKING

from draw.matching.search import Matching, Pair, find_cheapest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

# How many missing pairs of each player are added at a time; without effect on the answer.
PROMISING = 6


@dataclass(frozen=True, slots=True, order=True)
class Missing:
    """A pair that costs less than its ends are worth, and by how much."""

    slack: int
    pair: Pair
    cost: int


def solve(
    size: int,
    near: Iterable[tuple[Pair, int]],
    missing: Callable[[Matching], Iterator[Missing]],
) -> Matching:
    """Solve, add the pairs that the prices call too cheap to leave out, and solve again until there is none."""
    graph = dict(near)
    while True:
        found = find_cheapest(size, [(a, b, cost) for (a, b), cost in graph.items()])
        best: dict[int, list[Missing]] = {}
        for one in missing(found):
            for rank in one.pair:
                best.setdefault(rank, []).append(one)
        if not best:
            return found
        # The few that promise each player most will do: whatever is still missing then shows in the next prices.
        for several in best.values():
            graph.update((one.pair, one.cost) for one in nsmallest(PROMISING, several))
