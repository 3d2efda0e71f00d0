"""Simulation of the rest of a sheet: places become a table of numbers, a match three look-ups (P38)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from draw.brackets.finishing_order import group_by_exit
from draw.brackets.reachable_levels import SheetMap
from draw.brackets.resolution import NOBODY, Occupant, ResolvedPlace
from draw.brackets.structure import Feed, Level, Node, Source, Structure, list_levels
from draw.event import UNDECIDED, EntrantId
from draw.format import Finishes, Odds
from draw.random_stream import CERTAIN, OutcomeWalk, RandomStream

NONE = -1  # empty
TAKEN = -2  # dropped after a first loss, so not eliminated here
MATCH, FIRST, AGAIN = range(3)


@dataclass(frozen=True, slots=True)
class SimulationStep:
    """One simulation step: a match, a drop after a first loss, or the second final."""

    kind: int
    out: int  # the winner's slot; the loser's is the next
    a: int
    b: int  # FIRST: the player with a bye so far
    length: int


class Thresholds(dict[tuple[int, int], int]):
    """The 32-bit words below which the first of two players wins, each computed on first use."""

    def __init__(self, chance: Callable[[int, int, int], float], length: int) -> None:
        super().__init__()
        self.chance, self.length = chance, length

    def __missing__(self, pair: tuple[int, int]) -> int:
        below = int(self.chance(*pair, self.length) * CERTAIN)
        self[pair] = below
        return below


class Decisions(Thresholds):
    """Thresholds for enumeration, where every word is 0: positive if the first player wins this time."""

    def __init__(self, chance: Callable[[int, int, int], float], length: int, way: OutcomeWalk) -> None:
        super().__init__(chance, length)
        self.way = way

    def __missing__(self, pair: tuple[int, int]) -> int:
        return int(self.way.decide(self.chance(*pair, self.length)))


# A step for the inner loop: kind, out, a, b, and the winning thresholds for its match length.
Planned = tuple[int, int, int, int, Thresholds]


# Entrants leaving at one level: those already out, and the slots that will hold the others.
Exits = tuple[tuple[int, ...], tuple[int, ...]]


class UndecidedSheet:
    def __init__(
        self, structure: Structure, spots: Sequence[ResolvedPlace], lengths: Sequence[int], odds: Odds
    ) -> None:
        self.structure, self.spots, self.lengths, self.odds = structure, spots, lengths, odds
        self.entrants: list[EntrantId] = []
        self.number: dict[EntrantId, int] = {}
        self.start: list[int] = [NONE] * (2 * len(structure.nodes))
        self.steps: list[SimulationStep] = []
        self.winner_to = SheetMap.build(structure).winner_to
        for at, (node, spot) in enumerate(zip(structure.nodes, spots, strict=True)):
            self.add(at, node, spot)
        self.exits = self.list_exits()
        self.open = sum(spot.state in UNDECIDED for spot in spots)
        self.work = 0

    def add(self, at: int, node: Node, spot: ResolvedPlace) -> None:
        """Add a place to the table: known occupants as numbers, open matches as steps."""
        a, b = self.find_slot(node.a, spot.a), self.find_slot(node.b, spot.b)
        if spot.state in UNDECIDED:
            if a == NONE:
                # The second final overwrites the first: it has the same players.
                first = 2 * node.a.index
                challenger = next(step.b for step in self.steps if step.out == first)
                self.steps.append(SimulationStep(AGAIN, first, first, challenger, self.lengths[at]))
            else:
                self.steps.append(SimulationStep(MATCH, 2 * at, a, b, self.lengths[at]))
        else:
            self.start[2 * at] = self.get_number(spot.winner)
            self.start[2 * at + 1] = self.get_number(spot.loser)

    def get_number(self, occupant: Occupant) -> int:
        """Return the entrant's number, assigned on first use."""
        if occupant is None or occupant is NOBODY:
            return NONE
        if occupant not in self.number:
            self.number[occupant] = len(self.entrants)
            self.entrants.append(occupant)
        return self.number[occupant]

    def find_slot(self, source: Source, occupant: Occupant) -> int:
        """Return the slot that holds the occupant of a seat; a known occupant gets a separate slot."""
        if occupant is not None:
            self.start.append(self.get_number(occupant))
            return len(self.start) - 1
        match source.feed:
            case Feed.WINNER:
                return 2 * source.index
            case Feed.FIRST:
                return self.find_first_loss(source.index)
            case Feed.AGAIN:
                return NONE
            case _:
                return 2 * source.index + 1

    def find_first_loss(self, index: int) -> int:
        """Return the slot of the player who loses their first match here, or later after a bye here."""
        at = index
        while self.spots[at].state not in UNDECIDED:
            at = self.winner_to[at]
        if at == index:
            return 2 * index + 1
        self.start.extend((NONE, NONE))
        out = len(self.start) - 2
        passer = self.get_number(self.spots[index].winner)
        self.steps.append(SimulationStep(FIRST, out, 2 * at + 1, passer, self.lengths[index]))
        return out

    def list_exits(self) -> tuple[Exits, ...]:
        """List exits per level, from the winner down."""
        gone = group_by_exit(self.structure, self.spots)
        open_slots: dict[Level, list[int]] = {}
        goes_on = {
            2 * source.index + (source.feed is not Feed.WINNER)
            for node in self.structure.nodes
            for source in (node.a, node.b)
            if source.feed in (Feed.WINNER, Feed.LOSER, Feed.FIRST)
        }
        for step in self.steps:
            if step.kind == MATCH:
                node = self.structure.nodes[step.out // 2]
                for slot in {step.out, step.out + 1} - goes_on:
                    open_slots.setdefault((node.bracket, node.round, slot == step.out), []).append(slot)
        return tuple(
            (tuple(self.get_number(one) for one in gone.get(level, ())), tuple(open_slots.get(level, ())))
            for level in list_levels(self.structure)
        )

    def finishes(self, rng: RandomStream, runs: int) -> Finishes:
        size = len(self.entrants)
        counts: list[defaultdict[int, int]] = [defaultdict(int) for _ in range(size)]
        matches = [0] * size
        for values in self.runs(rng, runs, matches):
            rank = 1
            for level in self.exits:
                out = _list_exits(level, values)
                for one in out:
                    counts[one][rank] += 1
                rank += len(out)
        return Finishes(
            runs,
            {name: dict(counts[at]) for at, name in enumerate(self.entrants)},
            {name: matches[at] for at, name in enumerate(self.entrants)},
        )

    def winners(self, rng: RandomStream, runs: int) -> dict[EntrantId, int]:
        found = [0] * len(self.entrants)
        for values in self.runs(rng, runs, [0] * len(self.entrants)):
            for one in self.find_winners(values):
                found[one] += 1
        return {name: found[at] for at, name in enumerate(self.entrants)}

    def every_winner(self) -> dict[EntrantId, float]:
        found = dict.fromkeys(self.entrants, 0.0)
        words = [0] * len(self.steps)
        for way in OutcomeWalk():
            tables = {length: Decisions(self.chance, length, way) for length in set(self.lengths)}
            values = self.start.copy()
            _play_steps(values, self.plan(tables), words, [0] * len(self.entrants))
            for one in self.find_winners(values):
                found[self.entrants[one]] += way.weight
        return found

    def find_winners(self, values: Sequence[int]) -> Sequence[int]:
        return next((out for level in self.exits if (out := _list_exits(level, values))), ())

    def chance(self, one: int, other: int, length: int) -> float:
        """Return the probability that the first entrant beats the second; entrants by number."""
        return self.odds(self.entrants[one], self.entrants[other], length)

    def plan(self, tables: Mapping[int, Thresholds]) -> list[Planned]:
        return [(step.kind, step.out, step.a, step.b, tables[step.length]) for step in self.steps]

    def runs(self, rng: RandomStream, runs: int, matches: list[int]) -> Iterator[list[int]]:
        """Yield the values of every slot after each run; add each entrant's matches to *matches*."""
        plan = self.plan({length: Thresholds(self.chance, length) for length in set(self.lengths)})
        self.work += runs * len(plan)
        for words in rng.words_of_runs(runs, len(plan)):
            values = self.start.copy()
            _play_steps(values, plan, words, matches)
            yield values


def _list_exits(level: Exits, values: Sequence[int]) -> list[int]:
    known, slots = level
    return [*known, *(values[slot] for slot in slots if values[slot] >= 0)]


def _play_steps(values: list[int], plan: Sequence[Planned], words: Sequence[int], matches: list[int]) -> None:
    for word, (kind, out, a, b, table) in zip(words, plan, strict=True):
        one, other = values[a], values[b]
        if kind:
            if kind == FIRST:
                values[out] = NONE
                if one == b:
                    values[out], values[a] = one, TAKEN
                continue
            if one != other:
                continue  # the challenger has not won the first final
            one = values[a + 1]
        if one < 0:
            values[out], values[out + 1] = other, NONE
        elif other < 0:
            values[out], values[out + 1] = one, NONE
        else:
            matches[one] += 1
            matches[other] += 1
            if word < table[one, other]:
                values[out], values[out + 1] = one, other
            else:
                values[out], values[out + 1] = other, one
