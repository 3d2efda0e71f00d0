"""The paired round is the best: against all other pairings, and against the complete graph."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from draw.matchmaking import PairedRound, make_round
from draw.wishes import ByeTo, Method, Player, Wishes
from tests.draw.test_matching import perfect

PRIME = (1 << 61) - 1


def lot(one: Player, other: Player) -> int:
    return one.lot * other.lot % PRIME >> 29


class Judge:
    """Counts the criteria of docs/pairing-rounds.md in their order (P62): first across groups, then inside them."""

    def __init__(self, players: list[Player], wishes: Wishes) -> None:
        self.players, self.wishes = players, wishes
        self.first, self.second = [0] * 13, [0, 0]
        self.settled: set[int] = set()

    def sits_out(self, rank: int) -> None:
        player, first, wishes = self.players[rank], self.first, self.wishes
        self.settled.add(rank)
        first[3] += max(0, player.byes + 1 - wishes.bye_cap)
        first[12] += player.lot >> 32
        if wishes.bye_to is ByeTo.RANDOM:
            return
        levels = [one.level for one in self.players]
        is_lowest = wishes.bye_to is ByeTo.LOWEST
        first[5] += player.level - min(levels) if is_lowest else max(levels) - player.level
        first[10] += player.sat_out
        if wishes.method is not Method.RANDOM:
            first[11] += len(self.players) - rank if is_lowest else rank

    def meets(self, a: int, b: int) -> None:
        one, other, first, wishes = self.players[a], self.players[b], self.first, self.wishes
        times, last = wishes.met.get((a, b), (0, 0))
        gap = one.level - other.level
        first[1] += times
        first[2] += last
        first[4 if wishes.soft_first else 8] += len(one.soft & other.soft)
        if one.hard & other.hard or (wishes.patience is not None and (times or gap > wishes.patience)):
            first[0] += 1
            self.sits_out(a)
            self.sits_out(b)
        if gap:
            self.settled |= {a, b}
            first[6] += gap
            first[7] += gap * gap
            first[9] += 2 * (one.floats[0] < 0) + (one.floats[1] < 0)
            first[9] += 2 * (other.floats[0] > 0) + (other.floats[1] > 0)
            first[11] += (b - a) ** 2
            first[12] += lot(one, other)

    def inside(self, level: int, pairs) -> None:
        ranks = range(len(self.players))
        group = [rank for rank in ranks if self.players[rank].level == level and rank not in self.settled]
        if self.wishes.method is Method.RANDOM:
            group.sort(key=lambda rank: self.players[rank].lot)
        place = {rank: at for at, rank in enumerate(group)}
        for a, b in pairs:
            if a in place and b in place:
                upper, lower = sorted((place[a], place[b]))
                named = {
                    Method.SLIDE: upper + len(group) // 2,
                    Method.FOLD: len(group) - 1 - upper,
                    Method.MONRAD: upper + 1,
                    Method.RANDOM: upper + 1,
                }[self.wishes.method]
                self.second[0] += (lower - named) ** 2
                half = len(group) // 2
                if self.wishes.method in (Method.SLIDE, Method.FOLD) and (upper < half) == (lower < half):
                    self.second[0] += len(group) ** 2
                self.second[1] += lot(self.players[a], self.players[b])


def judged(players: list[Player], wishes: Wishes, pairs) -> tuple[list[int], list[int]]:
    judge = Judge(players, wishes)
    for a, b in pairs:
        if b == len(players):
            judge.sits_out(a)
        else:
            judge.meets(a, b)
    for level in {player.level for player in players}:
        judge.inside(level, pairs)
    return judge.first, judge.second


def random_event(seed: int, largest: int = 8) -> tuple[list[Player], Wishes]:
    rng = random.Random(seed)
    count, top = rng.randint(1, largest), rng.choice([0, 1, 2, 3, 5])
    wall, club = rng.choice([0, 0, 0.2, 0.5, 0.8]), rng.choice([0, 0.3])
    players = [
        Player(
            level,
            byes=rng.choice([0, 0, 1, 2]),
            sat_out=rng.randint(0, 2),
            floats=(rng.randint(-1, 1), rng.randint(-1, 1)),
            lot=rng.getrandbits(64),
            hard=frozenset(circle for circle in range(3) if rng.random() < wall),
            soft=frozenset(circle for circle in range(3) if rng.random() < club),
        )
        for level in sorted((rng.randint(0, top) for _ in range(count)), reverse=True)
    ]
    density = rng.random()
    return players, Wishes(
        rng.choice(list(Method)),
        rng.choice(list(ByeTo)),
        rng.choice([1, 1, 2]),
        {
            (a, b): (rng.choice([1, 1, 2]), rng.randint(1, 4))
            for a in range(count)
            for b in range(a + 1, count)
            if rng.random() < density
        },
        rng.random() < 0.3,
        rng.choice([None, None, None, 0, 1]),
    )


def least(players: list[Player], wishes: Wishes, made: PairedRound) -> tuple[list[int], list[int]]:
    """Judge a round; stranded players count as the cheapest forbidden pairs they could form."""
    count = len(players)
    known = [*made.pairs, *((rank, count) for rank in made.byes)]
    return min(judged(players, wishes, [*known, *way]) for way in perfect(list(made.stranded)))


@pytest.mark.long
@pytest.mark.parametrize("block", range(20))
def test_two_thousand_random_events_equal_brute_force(block):
    for seed in range(100 * block, 100 * (block + 1)):
        players, wishes = random_event(seed)
        count = len(players)
        best = min(judged(players, wishes, way) for way in perfect(list(range(count + count % 2))))
        for view in (1, 8):
            made = make_round(players, wishes, view)
            assert least(players, wishes, made) == best, seed


@pytest.mark.parametrize("seed", range(40))
def test_how_far_one_looks_at_first_does_not_matter(seed):
    players, wishes = random_event(seed, largest=60)
    if len(players) % 2 and wishes.patience is not None:
        wishes = replace(wishes, patience=None)
    near, far = make_round(players, wishes, 1), make_round(players, wishes, len(players))
    if not near.stranded:
        assert near == far
    assert len(near.stranded) == len(far.stranded)


def test_nobody_makes_no_round():
    assert make_round([], Wishes()) == PairedRound(())
    assert make_round([Player(0)], Wishes()) == PairedRound((), (0,))


@pytest.mark.parametrize(
    ("method", "pairs"),
    [
        (Method.MONRAD, "01 23 45 67"),
        (Method.SLIDE, "04 15 26 37"),
        (Method.FOLD, "07 16 25 34"),
    ],
)
def test_the_pictures_of_the_methods(method, pairs):
    made = make_round([Player(0, lot=place + 1) for place in range(8)], Wishes(method))
    assert " ".join(f"{a}{b}" for a, b in made.pairs) == pairs


def test_random_pairs_follow_the_lots():
    lots = [5, 3, 8, 1, 2, 9]
    made = make_round([Player(0, lot=value) for value in lots], Wishes(Method.RANDOM))
    assert made.pairs == ((0, 1), (2, 5), (3, 4))


@pytest.mark.parametrize(
    ("down", "up", "floater"),
    [
        ((0, 0), (0, 0), (2, 3)),
        ((-1, 0), (0, 0), (1, 3)),
        ((0, -1), (1, 0), (1, 4)),
        ((1, 1), (-1, -1), (2, 3)),
    ],
)
def test_the_same_float_is_not_repeated_while_another_can_take_it(down, up, floater):
    """Three and three: the last of the upper meets the first of the lower, unless they floated before."""
    players = [Player(1), Player(1), Player(1, floats=down), Player(0, floats=up), Player(0), Player(0)]
    assert floater in make_round(players, Wishes()).pairs
