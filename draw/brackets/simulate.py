"""Plays a sheet to its end many times over: the places become a table of numbers, a match three look-ups (P38)."""

from __future__ import annotations

import struct
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from draw.brackets.finish import out_at
from draw.brackets.levels import levels
from draw.brackets.resolve import NOBODY
from draw.brackets.structure import Feed
from draw.event import State
from draw.format import Finishes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draw.brackets.levels import Level
    from draw.brackets.resolve import Occupant, Spot
    from draw.brackets.structure import Node, Source, Structure
    from draw.chance import Chance
    from draw.event import EntrantId
    from draw.format import Odds

WORD = 1 << 32
RUNS_A_CHUNK = 500
NONE = -1  # nobody
TAKEN = -2  # a loser who has dropped for a first loss, and so is not out here
MATCH, FIRST, AGAIN = range(3)
OPEN = (State.READY, State.WAITING)


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to work out: a match, who drops for a first loss, or the second final."""

    kind: int
    out: int  # the winner's slot; the loser's is the next
    a: int
    b: int  # FIRST: who has passed so far
    length: int


class Thresholds(dict[tuple[int, int], int]):
    """Below which word the first of two wins, worked out when it is first asked for."""

    def __init__(self, entrants: Sequence[EntrantId], odds: Odds, length: int) -> None:
        super().__init__()
        self.entrants, self.odds, self.length = entrants, odds, length

    def __missing__(self, pair: tuple[int, int]) -> int:
        one, other = pair
        below = int(self.odds(self.entrants[one], self.entrants[other], self.length) * WORD)
        self[pair] = below
        return below


# A step as the inner loop wants it: kind, out, a, b, thresholds of its length.
Planned = tuple[int, int, int, int, Thresholds]


@dataclass(frozen=True, slots=True)
class Exits:
    """Who goes out at one level: those who are out already, and the slots of those who will be."""

    known: tuple[int, ...]
    slots: tuple[int, ...]


class Undecided:
    """The undecided part of a sheet."""

    def __init__(self, structure: Structure, spots: Sequence[Spot], lengths: Sequence[int]) -> None:
        self.structure, self.spots, self.lengths = structure, spots, lengths
        self.entrants: list[EntrantId] = []
        self.number: dict[EntrantId, int] = {}
        self.start: list[int] = [NONE] * (2 * len(structure.nodes))
        self.steps: list[Step] = []
        self.winner_to = {
            source.index: at
            for at, node in enumerate(structure.nodes)
            for source in (node.a, node.b)
            if source.feed is Feed.WINNER
        }
        for at, (node, spot) in enumerate(zip(structure.nodes, spots, strict=True)):
            self.add(at, node, spot)
        self.exits = self.all_exits()

    def add(self, at: int, node: Node, spot: Spot) -> None:
        """Take a place into the table: what is known as numbers, what is not as a step."""
        a, b = self.slot(node.a, spot.a), self.slot(node.b, spot.b)
        if spot.state in OPEN:
            if a == NONE:
                # The second final writes over the first, which is the same two.
                first = 2 * node.a.index
                self.steps.append(Step(AGAIN, first, first, self.seat_b(first), self.lengths[at]))
            else:
                self.steps.append(Step(MATCH, 2 * at, a, b, self.lengths[at]))
        else:
            self.start[2 * at], self.start[2 * at + 1] = self.numbered(spot.winner), self.numbered(spot.loser)

    def seat_b(self, out: int) -> int:
        """Return the slot of the challenger's seat in the first final."""
        return next(step.b for step in self.steps if step.out == out)

    def numbered(self, occupant: Occupant) -> int:
        """Return an entrant's number."""
        if occupant is None or occupant is NOBODY:
            return NONE
        if occupant not in self.number:
            self.number[occupant] = len(self.entrants)
            self.entrants.append(occupant)
        return self.number[occupant]

    def slot(self, source: Source, occupant: Occupant) -> int:
        """Return where the occupant of a seat will stand; one who is known gets a slot of their own."""
        if occupant is not None:
            self.start.append(self.numbered(occupant))
            return len(self.start) - 1
        match source.feed:
            case Feed.WINNER:
                return 2 * source.index
            case Feed.FIRST:
                return self.first(source.index)
            case Feed.AGAIN:
                return NONE
            case _:
                return 2 * source.index + 1

    def first(self, index: int) -> int:
        """Return where the one will stand who loses their first match here or, having passed, at a later place."""
        at = index
        while self.spots[at].state not in OPEN:
            at = self.winner_to[at]
        if at == index:
            return 2 * index + 1
        self.start.extend((NONE, NONE))
        out = len(self.start) - 2
        passer = self.numbered(self.spots[index].winner)
        self.steps.append(Step(FIRST, out, 2 * at + 1, passer, self.lengths[index]))
        return out

    def all_exits(self) -> tuple[Exits, ...]:
        """Return, from the winner down, who goes out where."""
        gone = out_at(self.structure, self.spots)
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
            Exits(tuple(self.numbered(one) for one in gone.get(level, ())), tuple(open_slots.get(level, ())))
            for level in levels(self.structure)
        )

    def finishes(self, rng: Chance, runs: int, odds: Odds) -> Finishes:
        """Play the rest so many times and count who came where."""
        size = len(self.entrants)
        counts: list[defaultdict[int, int]] = [defaultdict(int) for _ in range(size)]
        matches = [0] * size
        for values in self.runs(rng, runs, odds, matches):
            rank = 1
            for level in self.exits:
                tied = rank
                for one in level.known:
                    counts[one][tied] += 1
                    rank += 1
                for slot in level.slots:
                    one = values[slot]
                    if one >= 0:
                        counts[one][tied] += 1
                        rank += 1
        return Finishes(
            runs,
            {name: dict(counts[at]) for at, name in enumerate(self.entrants)},
            {name: matches[at] for at, name in enumerate(self.entrants)},
        )

    def runs(self, rng: Chance, runs: int, odds: Odds, matches: list[int]) -> Iterator[list[int]]:
        """Yield the values of every slot after each run, and count the matches each entrant played."""
        thresholds = {length: Thresholds(self.entrants, odds, length) for length in set(self.lengths)}
        plan = [(step.kind, step.out, step.a, step.b, thresholds[step.length]) for step in self.steps]
        words = struct.Struct(f">{len(plan)}I")
        for chunk in range(0, runs, RUNS_A_CHUNK):
            size = min(RUNS_A_CHUNK, runs - chunk)
            block = rng.child(str(chunk)).stream(words.size * size)
            for run in range(size):
                values = self.start.copy()
                _play(values, plan, words.unpack_from(block, run * words.size), matches)
                yield values


def _play(values: list[int], plan: Sequence[Planned], words: Sequence[int], matches: list[int]) -> None:
    """Work out every step of one run."""
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
