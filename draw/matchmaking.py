"""The pairing of one round: the best of all possible ones by the published order of wishes (P60 to P67).

There are two matchings. The first chooses the byes and the players who play outside their score group; the second pairs
the rest of each group by the chosen method. Each starts with near neighbours. The prices of its solution show every
other pair that could improve it, and it is solved again with those until there are none. So the result is the best over
all pairs (P61).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, groupby, islice
from math import isqrt

from draw.matching import QUARTERS, Matching, MissingPair, find_partners
from draw.wishes import Costs, Method, Pair, Player, Wish, Wishes

# How far each player looks at first, in ranks; chosen by measuring, has no effect on the result.
VIEW = 8
# The number of longer distances that are tried for members of a large circle.
FAR = 8


@dataclass(frozen=True, slots=True)
class PairedRound:
    """A round, by rank: pairs (better rank first), the bye, and players without an allowed opponent."""

    pairs: tuple[Pair, ...]
    byes: tuple[int, ...] = ()
    stranded: tuple[int, ...] = ()


def make_round(players: Sequence[Player], wishes: Wishes, view: int = VIEW) -> PairedRound:
    """Pair the players, given in rank order: by level first.

    >>> make_round([Player(2), Player(2), Player(1), Player(0)], Wishes(met={(0, 1): (1, 1)})).pairs
    ((0, 2), (1, 3))
    """
    if not players:
        return PairedRound(())
    costs = Costs(players, wishes)
    mates = CrossGroupMatching(costs, view).solve()
    pairs: list[Pair] = []
    byes: list[int] = []
    stranded: list[int] = []
    for a, b in enumerate(mates[: len(players)]):
        if b == len(players):
            byes.append(a)
        elif a < b and costs.is_forbidden(a, b):
            stranded += [a, b]
        elif a < b and players[a].level != players[b].level:
            pairs.append((a, b))
    settled = {*byes, *stranded, *(rank for pair in pairs for rank in pair)}
    for _, ranks in groupby(range(len(players)), key=lambda rank: players[rank].level):
        if group := [rank for rank in ranks if rank not in settled]:
            pairs += GroupMatching(costs, group, view).pairs()
    return PairedRound(tuple(sorted(pairs)), tuple(byes), tuple(sorted(stranded)))


@dataclass(frozen=True, slots=True)
class _Cell:
    """Players of one level, in one blossom and one crowd."""

    best: int  # the highest worth of any of them
    home: int
    crowd: int
    members: list[int]


class CrossGroupMatching:
    """The first matching: the bye, and the players paired outside their group."""

    def __init__(self, costs: Costs, view: int) -> None:
        self.costs, self.view = costs, view
        self.levels = [player.level for player in costs.players]
        self.count = len(self.levels)

    def solve(self) -> tuple[int, ...]:
        """Find each player's partner; the number after the last rank is the bye."""
        size = self.count + self.count % 2
        return find_partners(size, self.cost, self.near(), self._list_missing)

    def cost(self, a: int, b: int) -> int:
        """Compute the cost of a pair or a bye. Inside a group, only that of meeting at all counts yet."""
        if b == self.count:
            return self.costs.bye(a)
        return self.costs.apart(a, b) if self.levels[a] == self.levels[b] else self.costs.across(a, b)

    def near(self) -> Iterator[tuple[Pair, int]]:
        for a in range(self.count):
            for b in range(a + 1, min(self.count, a + 1 + self.view)):
                yield (a, b), self.cost(a, b)
        if any(self.costs.crowd):
            yield from self._list_far_pairs()
        if self.count % 2:
            for a in range(self.count):
                yield (a, self.count), self.cost(a, self.count)

    def _list_far_pairs(self) -> Iterator[tuple[Pair, int]]:
        """Yield some pairs across each group; if one circle is half of it, neighbours are no partners."""
        for _, ranks in groupby(range(self.count), key=lambda rank: self.levels[rank]):
            group = list(ranks)
            for jump in range(1, FAR + 1):
                step = jump * len(group) // (FAR + 1)
                for place in range(len(group) - step if step else 0):
                    pair = (group[place], group[place + step])
                    yield pair, self.cost(*pair)

    def _list_missing(self, found: Matching) -> Iterator[MissingPair]:
        """Yield every pair that costs less than the worth of its ends."""
        # Inside one blossom, a pair is worth less by its rebate: half is taken from each end.
        todo = [(0, {rank: found.prices[rank] for rank in range(self.count)})]
        while todo:
            depth, worth = todo.pop()
            homes: dict[int, list[int]] = {}
            for rank in worth:
                shell = found.shells[rank]
                homes.setdefault(shell[depth][0] if len(shell) > depth else -1 - rank, []).append(rank)
            yield from self._list_missing_between(homes, worth)
            for home in homes.values():
                if len(home) > 1:
                    rebate = found.shells[home[0]][depth][1]
                    todo.append((depth + 1, {rank: worth[rank] - rebate // 2 for rank in home}))

    def _list_missing_between(
        self, homes: dict[int, list[int]], worth: dict[int, int]
    ) -> Iterator[MissingPair]:
        """Yield the missing pairs of players in different blossoms."""
        cells: dict[int, list[_Cell]] = {}
        crowd = self.costs.crowd
        for home, ranks in homes.items():
            parts: dict[tuple[int, int], list[int]] = {}
            for rank in ranks:
                parts.setdefault((self.levels[rank], crowd[rank]), []).append(rank)
            for (level, number), members in parts.items():
                best = max(worth[rank] for rank in members)
                cells.setdefault(level, []).append(_Cell(best, home, number, members))
        for rows in cells.values():
            rows.sort(key=lambda cell: -cell.best)
        weight = self.costs.weight
        for (upper, uppers), (lower, lowers) in combinations_with_replacement(cells.items(), 2):
            apart = abs(upper - lower)
            least = QUARTERS * (apart * weight[Wish.GAP] + apart * apart * weight[Wish.GAP_SQUARED])
            for one in uppers:
                for other in lowers:
                    if one.best + other.best <= least:
                        break
                    if one.home != other.home and one.best + other.best > least + self._compute_crowd_cost(
                        one, other
                    ):
                        yield from self._list_missing_in_cells(one.members, other.members, worth)

    def _compute_crowd_cost(self, one: _Cell, other: _Cell) -> int:
        """Compute the minimum cost of a pair within one crowd; 0 for players of different ones."""
        if one.crowd != other.crowd or not one.crowd:
            return 0
        return QUARTERS * self.costs.within_crowd[one.crowd]

    def _list_missing_in_cells(
        self, above: list[int], below: list[int], worth: dict[int, int]
    ) -> Iterator[MissingPair]:
        """Yield the missing pairs of two cells, beginning with neighbouring ranks."""
        if self.levels[above[0]] < self.levels[below[0]]:
            above, below = below, above
        is_within = self.levels[above[0]] == self.levels[below[0]]
        richest = max(worth[rank] for rank in below)
        for a in reversed(above):
            for b in below:
                if not is_within and QUARTERS * self.costs.gap(a, b) >= worth[a] + richest:
                    break
                if is_within and worth[a] + worth[b] <= 0:
                    continue
                pair = (min(a, b), max(a, b))
                cost = self.cost(*pair)
                slack = QUARTERS * cost - worth[a] - worth[b]
                if slack < 0:
                    yield MissingPair(slack, pair, cost)


def _find_partner(method: Method, place: int, count: int) -> int:
    """Return the ideal partner, further down, of the player at *place* of a group by the method (P66)."""
    if method is Method.SLIDE:
        return place + count // 2
    if method is Method.FOLD:
        return count - 1 - place
    return place + 1


class GroupMatching:
    """The second matching: an even number of players of one score group, by the method."""

    def __init__(self, costs: Costs, group: list[int], view: int) -> None:
        self.costs, self.view = costs, view
        method = costs.wishes.method
        if method is Method.RANDOM:
            # P66: shuffled by their lots, then neighbours.
            group = sorted(group, key=lambda rank: costs.players[rank].lot)
        self.group, self.count = group, len(group)
        self.has_halves = method in (Method.SLIDE, Method.FOLD)
        self.weight = costs.weight[Wish.METHOD]
        self.partners = [_find_partner(method, place, self.count) for place in range(self.count)]

    def pairs(self) -> Iterator[Pair]:
        for place, other in enumerate(find_partners(self.count, self.cost, self.near(), self._list_missing)):
            if place < other:
                yield self._get_ranks(place, other)

    def _get_ranks(self, place: int, other: int) -> Pair:
        a, b = self.group[place], self.group[other]
        return min(a, b), max(a, b)

    def cost(self, place: int, other: int) -> int:
        """Compute the cost of a pair, by places in the group."""
        a, b = self._get_ranks(place, other)
        away = other - self.partners[place]
        off = away * away
        if self.has_halves and (place < self.count // 2) == (other < self.count // 2):
            off += self.count * self.count  # P66: two of one half only as a last resort
        return self.costs.apart(a, b) + off * self.weight + self.costs.lot(a, b)

    def near(self) -> Iterator[tuple[Pair, int]]:
        crowd = [self.costs.crowd[rank] for rank in self.group]
        for place, partner in enumerate(self.partners):
            # Members of a large circle look further, past the others in it.
            view = max(4 * self.view, 3 * isqrt(self.count) // 2) if crowd[place] else self.view
            for other in range(max(place + 1, partner - view), min(self.count - 1, partner + view) + 1):
                if abs(other - partner) <= self.view or crowd[place] != crowd[other]:
                    yield (place, other), self.cost(place, other)

    def _list_missing(self, found: Matching) -> Iterator[MissingPair]:
        """Yield every pair that costs less than its ends are worth.

        The search goes outwards from the ideal partner, in either direction.
        """
        costs = self.costs
        crowds: dict[int, list[int]] = {}
        for place, rank in enumerate(self.group):
            crowds.setdefault(costs.crowd[rank], []).append(place)
        for number, members in crowds.items():
            richest = max(found.prices[place] for place in members)
            for place, partner in enumerate(self.partners):
                is_own = number and costs.crowd[self.group[place]] == number
                worth = found.prices[place] + richest
                if is_own:
                    worth -= QUARTERS * costs.within_crowd[number]
                yield from self._list_missing_for_place(
                    found, place, self._list_around(members, place, partner), worth
                )

    @staticmethod
    def _list_around(members: list[int], place: int, partner: int) -> tuple[Iterable[int], Iterable[int]]:
        """Return the members further down, in both directions from the partner."""
        first = bisect_right(members, place)
        middle = max(first, bisect_left(members, partner))
        return islice(members, middle, None), reversed(members[first:middle])

    def _list_missing_for_place(
        self, found: Matching, place: int, ways: Iterable[Iterable[int]], worth: int
    ) -> Iterator[MissingPair]:
        partner = self.partners[place]
        for way in ways:
            for other in way:
                away = other - partner
                if QUARTERS * away * away * self.weight >= worth:
                    break
                cost = self.cost(place, other)
                slack = found.slack(place, other, cost)
                if slack < 0:
                    yield MissingPair(slack, (place, other), cost)
