"""The criteria of a round's pairing, in order of priority."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

Pair = tuple[int, int]

RANDOM_BITS = 32
MIXER = (1 << 61) - 1  # a prime
# Circles of at least one in so many players are searched separately.
CROWD = 10


class Method(StrEnum):
    """The way in which a score group is paired: the four methods of P66."""

    MONRAD = "monrad"  # 1-2, 3-4
    SLIDE = "slide"  # 1-5, 2-6 of eight
    FOLD = "fold"  # 1-8, 2-7 of eight
    RANDOM = "random"


class ByeTo(StrEnum):
    """The player who sits out if the number is odd."""

    LOWEST = "lowest"
    HIGHEST = "highest"
    RANDOM = "random"


@dataclass(frozen=True, slots=True)
class Player:
    """A player's data for the pairing; their rank is their index in the sequence of players."""

    level: int  # the score they are paired by, in whole units
    byes: int = 0
    sat_out: int = 0  # rounds without a match at the board, for any reason
    floats: tuple[int, int] = (0, 0)  # last round, the one before: -1 down or a bye, 1 up
    lot: int = 0  # 64 random bits
    # Circle numbers: players of one hard circle never meet, players of one soft circle should not.
    hard: frozenset[int] = frozenset()
    soft: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Wishes:
    """The announced options of the pairing, and previous meetings."""

    method: Method = Method.SLIDE
    bye_to: ByeTo = ByeTo.LOWEST
    bye_cap: int = 1
    # (better rank, other rank) -> (meetings, last round)
    met: Mapping[Pair, tuple[int, int]] = field(default_factory=dict[Pair, tuple[int, int]])
    soft_first: bool = False  # keeping players apart takes priority over equal scores
    # The largest gap of levels while others will be free soon: players rather wait than accept a larger one
    # or a rematch (P72).
    patience: int | None = None


class Wish(IntEnum):
    """The criteria in order of priority (P62): a later one never outweighs an earlier one."""

    FORBIDDEN = 0  # P63: two who must never meet; both sit out instead
    REMATCH = 1  # how often the two have met
    RECENT = 2  # in which round they met last
    BYE_CAP = 3  # byes beyond the cap
    SOFT_FIRST = 4
    BYE_SCORE = 5
    GAP = 6  # the sum of score gaps
    GAP_SQUARED = 7  # one gap of two is worse than two gaps of one
    SOFT = 8
    FLOAT = 9  # the same float again
    BYE_SAT_OUT = 10  # rounds that the player with the bye has sat out already
    DISTANCE = 11  # squared distance in rank across groups; for the bye, ranks from the end
    METHOD = 12  # the square of the distance from the partner the method names
    LOT = 13


def compute_weights(players: Sequence[Player], wishes: Wishes) -> list[int]:
    """Compute the weight of each wish: above the largest possible sum of all later ones."""
    count = len(players) + 1
    levels = [player.level for player in players]
    span = max(levels) - min(levels)
    met = wishes.met.values()
    largest = {
        Wish.REMATCH: max((times for times, _ in met), default=0),
        Wish.RECENT: max((last for _, last in met), default=0),
        Wish.BYE_CAP: 2 * (max(player.byes for player in players) + 1),
        Wish.SOFT_FIRST: max(len(player.soft) for player in players),
        Wish.BYE_SCORE: 2 * span,
        Wish.GAP: span,
        Wish.GAP_SQUARED: span * span,
        Wish.SOFT: max(len(player.soft) for player in players),
        Wish.FLOAT: 6,
        Wish.BYE_SAT_OUT: 2 * max(player.sat_out for player in players),
        Wish.DISTANCE: 2 * count * count,
        Wish.METHOD: 4 * count * count,
        Wish.LOT: 2 << RANDOM_BITS,
    }
    weight = 1
    found = [0] * len(Wish)
    for wish in reversed(Wish):
        found[wish] = weight
        weight *= largest.get(wish, 1) * count + 1
    return found


def number_crowds(players: Sequence[Player]) -> list[int]:
    """Return each player's crowd, a circle so large that its members may have to meet; 0: none."""
    count: dict[tuple[frozenset[int], frozenset[int]], int] = {}
    for player in players:
        if player.hard or player.soft:
            count[player.hard, player.soft] = count.get((player.hard, player.soft), 0) + 1
    large = [circles for circles, size in count.items() if size * CROWD >= len(players)]
    number = {circles: place for place, circles in enumerate(large, 1)}
    return [number.get((player.hard, player.soft), 0) for player in players]


class Costs:
    """The cost of each pair and each bye; lower is better."""

    def __init__(self, players: Sequence[Player], wishes: Wishes) -> None:
        self.players, self.wishes, self.met = players, wishes, wishes.met
        self.weight = compute_weights(players, wishes)
        self.floor = min(player.level for player in players)
        self.ceiling = max(player.level for player in players)
        self._soft = self.weight[Wish.SOFT_FIRST if wishes.soft_first else Wish.SOFT]
        self.crowd = number_crowds(players)
        # The minimum cost of a pair within one crowd.
        self.within_crowd = {
            crowd: len(players[rank].soft) * self._soft
            + (self.weight[Wish.FORBIDDEN] if players[rank].hard else 0)
            for rank, crowd in enumerate(self.crowd)
            if crowd
        }

    def apart(self, a: int, b: int) -> int:
        """Compute the cost of these two meeting at all; zero for most pairs."""
        cost = 0
        if (a, b) in self.met:
            times, last = self.met[a, b]
            cost = times * self.weight[Wish.REMATCH] + last * self.weight[Wish.RECENT]
        soft = self.players[a].soft
        if soft:
            cost += len(soft & self.players[b].soft) * self._soft
        if self.is_forbidden(a, b):
            cost += self.weight[Wish.FORBIDDEN] + self.bye(a) + self.bye(b)
        return cost

    def is_forbidden(self, a: int, b: int) -> bool:
        """True if these two must not meet, or should rather wait for others (P72)."""
        one, other = self.players[a], self.players[b]
        if one.hard and not one.hard.isdisjoint(other.hard):
            return True
        patience = self.wishes.patience
        return patience is not None and (one.level - other.level > patience or (a, b) in self.met)

    def gap(self, a: int, b: int) -> int:
        """Compute the minimum cost of two players of different groups, regardless of their history."""
        apart = self.players[a].level - self.players[b].level
        weight = self.weight
        return (
            apart * weight[Wish.GAP]
            + apart * apart * weight[Wish.GAP_SQUARED]
            + (b - a) * (b - a) * weight[Wish.DISTANCE]
        )

    def across(self, a: int, b: int) -> int:
        """Compute the cost of two players of different groups; a has more points."""
        down, up = self.players[a].floats, self.players[b].floats
        # P65: last round's float counts twice as much as the one before.
        again = 2 * (down[0] < 0) + (down[1] < 0) + 2 * (up[0] > 0) + (up[1] > 0)
        return self.apart(a, b) + self.gap(a, b) + again * self.weight[Wish.FLOAT] + self.lot(a, b)

    def lot(self, a: int, b: int) -> int:
        """Compute the random part of the cost of a pair, which only breaks ties."""
        return self.players[a].lot * self.players[b].lot % MIXER >> (61 - RANDOM_BITS)

    def bye(self, a: int) -> int:
        """Compute the cost of a bye for this player (P64)."""
        player, weight = self.players[a], self.weight
        cost = max(0, player.byes + 1 - self.wishes.bye_cap) * weight[Wish.BYE_CAP]
        lot = player.lot >> (64 - RANDOM_BITS)
        if self.wishes.bye_to is ByeTo.RANDOM:
            return cost + lot
        if self.wishes.bye_to is ByeTo.LOWEST:
            score, rank = player.level - self.floor, len(self.players) - a
        else:
            score, rank = self.ceiling - player.level, a
        return (
            cost
            + score * weight[Wish.BYE_SCORE]
            + player.sat_out * weight[Wish.BYE_SAT_OUT]
            + (0 if self.wishes.method is Method.RANDOM else rank * weight[Wish.DISTANCE])
            + lot
        )
