"""Partners without prices: any matching, improved by exchanges in rings while that is cheaper.

In a ring some pairs part, and each of these players meets one of the next pair. Of two ways to the same player only
the cheaper is followed, so a ring can be missed: the result is not proven to be the best.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from draw.matching.search import Pair

Ring = tuple["Pair", ...]


def find_partners(size: int, cost: Callable[[int, int], int]) -> tuple[int, ...]:
    """Find each player's partner.

    >>> find_partners(4, lambda a, b: {(0, 1): 1, (1, 2): 0, (2, 3): 5, (0, 3): 5}.get((a, b), 9))
    (3, 2, 1, 0)
    """
    table = [[0] * size for _ in range(size)]
    for a in range(size):
        for b in range(a + 1, size):
            table[a][b] = table[b][a] = cost(a, b)
    mates = _match_greedily(table)
    quiet, start = 0, 0
    while quiet < size:
        ring = _find_ring(table, mates, start)
        for a, b in ring:
            mates[a], mates[b] = b, a
        quiet = 0 if ring else quiet + 1
        start = start if ring else (start + 1) % size
    return tuple(mates)


def _match_greedily(table: Sequence[Sequence[int]]) -> list[int]:
    """Give each player in turn the cheapest free partner."""
    mates = [-1] * len(table)
    for a, row in enumerate(table):
        if mates[a] < 0:
            b = min((b for b, mate in enumerate(mates) if mate < 0 and b != a), key=row.__getitem__)
            mates[a], mates[b] = b, a
    return mates


def _find_ring(table: Sequence[Sequence[int]], mates: Sequence[int], start: int) -> Ring:
    """Find the new pairs of a profitable ring that begins by parting *start*'s pair; empty if none."""
    first = mates[start]
    best = {first: table[start][first]}
    # By the free player at the end of each way: what it saves, and the pairs made on it.
    ways: dict[int, tuple[int, Ring]] = {first: (table[start][first], ())}
    while ways:
        further: dict[int, tuple[int, Ring]] = {}
        for free, (saved, pairs) in ways.items():
            row = table[free]
            if saved > row[start]:
                return (*pairs, (free, start))
            met = {start, free, *(one for pair in pairs for one in pair)}
            for other, price in enumerate(row):
                if price >= saved or other in met:
                    continue
                parted = mates[other]
                after = saved - price + table[other][parted]
                if after > best.get(parted, 0):
                    best[parted] = after
                    further[parted] = (after, (*pairs, (free, other)))
        ways = further
    return ()
