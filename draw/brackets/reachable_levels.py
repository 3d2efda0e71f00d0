"""The best and the worst final level that is still reachable from each place (P35).

A player who is out but would have dropped (a withdrawal, a no-show) is treated as losing every match further down the
sheet. So the number of exits at each level is known in advance, and no place depends on who stays away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from draw.brackets.structure import FINAL, Feed, Level, Node, Source, Structure, list_levels

# Whether a player comes to a seat.
NOBODY_COMES, COMES, MAY_COME = 0, 1, 2


@dataclass(frozen=True)
class SheetMap:
    """Transitions between the places of a sheet, by index."""

    structure: Structure
    levels: tuple[Level, ...]
    # Rank of each level. The second final shares that of the first (P26).
    order: Mapping[Level, int]
    winner_to: Mapping[int, int]
    loser_to: Mapping[int, int]
    first_to: Mapping[int, int]  # target of a first-match loser (P25)

    @classmethod
    @lru_cache(maxsize=64)
    def build(cls, structure: Structure) -> SheetMap:
        found = list_levels(structure)
        order = {level: at for at, level in enumerate(found)}
        for won in (True, False):
            if (FINAL, 2, won) in order:
                order[FINAL, 1, won] = order[FINAL, 2, won]
        return cls(
            structure,
            found,
            order,
            *(_map_targets(structure, feed) for feed in (Feed.WINNER, Feed.LOSER, Feed.FIRST)),
        )

    def end(self, index: int, *, won: bool) -> int:
        """Return the rank of the level reached by losing at a place, or by winning its bracket there."""
        node = self.structure.nodes[index]
        return self.order[node.bracket, node.round, won]


def _map_targets(structure: Structure, feed: Feed) -> dict[int, int]:
    return {
        source.index: at
        for at, node in enumerate(structure.nodes)
        for source in (node.a, node.b)
        if source.feed is feed
    }


@dataclass(frozen=True)
class ExitFacts:
    empty: frozenset[int]  # empty lines of the draw
    dead: frozenset[int] = frozenset()  # places at which both have lost (P32)
    walked: frozenset[int] = frozenset()  # places where an eliminated player is counted as losing
    joined: frozenset[tuple[int, str]] = frozenset()  # seats that latecomers were given (P16)
    # First losses that depend on results (P25): whether a player comes to each seat, by source place,
    # and the places from which one or both players would drop.
    firsts: tuple[tuple[int, int], ...] = ()
    droppers: tuple[tuple[int, int], ...] = ()
    # If set, exits are counted from open places, plus the levels of those already out.
    open: frozenset[int] | None = None
    ended: tuple[int, ...] = ()


class ReachableLevels:
    """The reachable levels of every place, and the number of players above and through each level."""

    def __init__(self, found: SheetMap, known: ExitFacts) -> None:
        self.map, self.known = found, known
        self.firsts, self.droppers = dict(known.firsts), dict(known.droppers)
        nodes = found.structure.nodes
        self.wins = [NOBODY_COMES] * len(nodes)
        self.loses = [NOBODY_COMES] * len(nodes)
        self.is_contested = [False] * len(nodes)
        for index, node in enumerate(nodes):
            self._count_arrivals(index, node)
        self.best, self.worst = [0] * len(nodes), [0] * len(nodes)
        for index in reversed(range(len(nodes))):
            self.best[index], self.worst[index] = self._find_level_range(index)
        self.above, self.through = self._count_players()

    def _count_arrivals(self, index: int, node: Node) -> None:
        a = COMES if (index, "a") in self.known.joined else self._count_comers(node.a)
        b = COMES if (index, "b") in self.known.joined else self._count_comers(node.b)
        self.is_contested[index] = bool(a and b) or node.a.feed is Feed.AGAIN
        if index in self.known.dead or not (a or b):
            return
        if index in self.known.walked:
            # One player is out and counts as losing; the other wins, if present.
            self.loses[index] = COMES
            self.wins[index] = max(a, b) if a and b else NOBODY_COMES
            return
        if not (a and b):
            self.wins[index] = a or b
            return
        self.wins[index] = COMES if COMES in (a, b) else MAY_COME
        self.loses[index] = COMES if a == b == COMES else MAY_COME

    def _count_comers(self, source: Source) -> int:
        match source.feed:
            case Feed.LINE:
                return NOBODY_COMES if source.index in self.known.empty else COMES
            case Feed.WINNER:
                return self.wins[source.index]
            case Feed.LOSER:
                return self.loses[source.index]
            case Feed.FIRST:
                return self.firsts.get(source.index, NOBODY_COMES)
            case _:
                # While the first final is open, its two players are counted there.
                is_on = self.known.open is not None and source.index not in self.known.open
                return COMES if is_on else NOBODY_COMES

    def _find_level_range(self, index: int) -> tuple[int, int]:
        ends = [self.after(index, won=True)]
        if self.is_contested[index] and index not in self.known.walked:
            ends.append(self.after(index, won=False))
        return min(best for best, _ in ends), max(worst for _, worst in ends)

    def after(self, index: int, *, won: bool) -> tuple[int, int]:
        """Return the best and the worst level after a win or a loss here, first losses excepted."""
        to = self.map
        target = to.winner_to.get(index) if won else to.loser_to.get(index, to.first_to.get(index))
        if target is not None:
            return self.best[target], self.worst[target]
        end = self.map.end(index, won=won)
        return end, end

    def _count_players(self) -> tuple[list[int], list[int]]:
        """Return, for each level, the minimum number of players above it and the maximum down to it."""
        least, most = [0] * len(self.map.levels), [0] * len(self.map.levels)
        for level in self.known.ended:
            least[level] += 1
            most[level] += 1
        for index in range(len(self.wins)) if self.known.open is None else sorted(self.known.open):
            for level, comes in self._list_exits(index):
                least[level] += comes == COMES
                most[level] += 1
        people = self.map.structure.size - len(self.known.empty) + len(self.known.joined)
        above = _count_before(least)
        below_most, below_least = _count_before(most[::-1])[::-1], _count_before(least[::-1])[::-1]
        through_most = list(accumulate(most))
        return (
            [max(low, people - most[at] - below_most[at]) for at, low in enumerate(above)],
            [min(high, people - below_least[at]) for at, high in enumerate(through_most)],
        )

    def _list_exits(self, index: int) -> list[tuple[int, int]]:
        """List the exits at a place, as (level, whether a player comes)."""
        found: list[tuple[int, int]] = []
        if self.wins[index] and index not in self.map.winner_to:
            found.append((self.map.end(index, won=True), self.wins[index]))
        loses = self._get_final_losses(index)
        if loses and index not in self.map.loser_to:
            found.append((self.map.end(index, won=False), loses))
        return found

    def _get_final_losses(self, index: int) -> int:
        if self.known.open is not None and index in self.known.walked:
            return NOBODY_COMES  # the loser here is already counted in `ended`
        if index in self.map.first_to:
            return NOBODY_COMES
        match self.droppers.get(index, 0):
            case 0:
                return self.loses[index]
            case 1:
                return MAY_COME
            case _:
                return NOBODY_COMES


def _count_before(counts: Sequence[int]) -> list[int]:
    """Return, for each item, the sum of those before it."""
    return list(accumulate(counts, initial=0))[:-1]


@lru_cache(maxsize=64)
def find_reachable_levels(structure: Structure, known: ExitFacts) -> ReachableLevels:
    return ReachableLevels(SheetMap.build(structure), known)
