"""The matching proves its result: its prices show that no perfect matching is cheaper."""

from __future__ import annotations

import random

import pytest

from draw.matching import QUARTERS, Matching, rings
from draw.matching.search import NoMatching, find_cheapest

Edges = list[tuple[int, int, int]]


def perfect(left: list[int]):
    if not left:
        yield ()
        return
    first, *rest = left
    for at, other in enumerate(rest):
        for more in perfect(rest[:at] + rest[at + 1 :]):
            yield ((first, other), *more)


def cost_of(mates: tuple[int, ...], edges: Edges) -> int:
    cost = {frozenset((a, b)): value for a, b, value in edges}
    return sum(cost[frozenset((a, b))] for a, b in enumerate(mates) if a < b)


def prove(found: Matching, edges: Edges) -> None:
    """Check the certificate: the sum of prices minus rebates is a lower bound, and this matching reaches it."""
    assert all(
        found.mates[found.mates[vertex]] == vertex != found.mates[vertex]
        for vertex in range(len(found.mates))
    )
    for a, b, cost in edges:
        slack = found.slack(a, b, cost)
        assert slack >= 0
        assert slack == 0 or found.mates[a] != b
    members: dict[int, set[int]] = {}
    rebate: dict[int, int] = {}
    for vertex, shell in enumerate(found.shells):
        for blossom, amount in shell:
            members.setdefault(blossom, set()).add(vertex)
            rebate[blossom] = amount
    for blossom, inside in members.items():
        assert rebate[blossom] > 0
        assert len(inside) % 2 == 1
        assert sum(found.mates[vertex] not in inside for vertex in inside) == 1
    bound = sum(found.prices) - sum(
        amount * (len(members[blossom]) - 1) // 2 for blossom, amount in rebate.items()
    )
    assert bound == QUARTERS * cost_of(found.mates, edges)


def graph(seed: int, size: int, reach: int, dearest: int) -> Edges:
    rng = random.Random(seed)
    return [
        (a, b, rng.randrange(dearest))
        for a in range(size)
        for b in range(a + 1, min(size, a + reach))
        if b == a + 1 or rng.random() < 0.8
    ]


@pytest.mark.parametrize("seed", range(150))
def test_small_graphs_equal_every_other_way(seed):
    rng = random.Random(seed)
    size = rng.choice([2, 4, 6, 8])
    density, dearest = rng.uniform(0.2, 1), rng.choice([1, 2, 5, 10**30])
    edges = [
        (a, b, rng.randrange(dearest))
        for a in range(size)
        for b in range(a + 1, size)
        if rng.random() < density
    ]
    known = {(a, b): cost for a, b, cost in edges}
    ways = [
        sum(known[pair] for pair in way) for way in perfect(list(range(size))) if all(p in known for p in way)
    ]
    if not ways:
        with pytest.raises(NoMatching):
            find_cheapest(size, edges)
        return
    found = find_cheapest(size, edges)
    prove(found, edges)
    assert cost_of(found.mates, edges) == min(ways)


@pytest.mark.parametrize("seed", range(60))
def test_large_graphs_prove_themselves(seed):
    rng = random.Random(seed)
    size = rng.choice([40, 80, 160])
    edges = graph(seed, size, rng.choice([4, 6, 10, 20]), rng.choice([2, 3, 4, 10, 100, 10**6]))
    prove(find_cheapest(size, edges), edges)


def test_an_odd_number_has_no_perfect_matching():
    with pytest.raises(NoMatching):
        find_cheapest(3, [(0, 1, 0), (1, 2, 0), (0, 2, 0)])
    with pytest.raises(NoMatching):
        find_cheapest(4, [(0, 1, 0), (0, 2, 0), (0, 3, 0)])
    assert find_cheapest(0, []).mates == ()


@pytest.mark.slow
@pytest.mark.pure
@pytest.mark.parametrize("seed", range(400))
def test_many_more_graphs_prove_themselves(seed):
    rng = random.Random(1000 + seed)
    size = rng.choice([20, 60, 120, 240])
    edges = graph(seed, size, rng.choice([3, 5, 8, 16, 40]), rng.choice([2, 3, 5, 50, 10**9]))
    prove(find_cheapest(size, edges), edges)


@pytest.mark.parametrize("seed", range(60))
def test_rings_of_exchanges_find_what_the_matching_finds(seed):
    """Not guaranteed, but no counterexample is known."""
    rng = random.Random(seed)
    size = rng.choice([2, 4, 10, 20, 30])
    dearest = rng.choice([2, 5, 100, 10**30])
    cost = {(a, b): rng.randrange(dearest) for a in range(size) for b in range(a + 1, size)}
    edges = [(a, b, value) for (a, b), value in cost.items()]
    found = rings.find_partners(size, lambda a, b: cost[a, b])
    assert cost_of(found, edges) == cost_of(find_cheapest(size, edges).mates, edges)
