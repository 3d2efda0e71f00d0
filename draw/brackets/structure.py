"""The places of a sheet and their sources, before any players are known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from draw.brackets.notation import RoundSize
from draw.event import Key

MAIN = "main"
FINAL = "final"


class Feed(IntEnum):
    """The origin of a seat's occupant."""

    LINE = 0  # a line of the draw
    WINNER = 1
    LOSER = 2
    FIRST = 3  # the loser of their first match, here or, after byes, later (P25)
    AGAIN = 4  # the same player once more, if the first final did not decide (P26)


@dataclass(frozen=True, slots=True)
class Source:
    """A feed with the line or node that it refers to."""

    feed: Feed
    index: int


@dataclass(frozen=True, slots=True)
class Node:
    """A place: its address and its two sources. Nodes are ordered so that sources come first."""

    key: Key
    bracket: str
    round: int
    number: int
    slot: int
    a: Source
    b: Source


@dataclass(frozen=True, slots=True)
class Bracket:
    """One bracket of the sheet: its rounds of nodes, their letters, and their time slots."""

    name: str
    rounds: tuple[tuple[int, ...], ...]
    letters: tuple[str, ...]
    slots: tuple[int, ...]
    sizes: tuple[RoundSize, ...] = ()
    drops: tuple[tuple[Source, ...], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Structure:
    """The nodes of a sheet. `compact`: sides were sized without the byes, so that byes cannot be filled.

    One instance is shared by all sheets of the same kind; caches use its identity as a key.
    """

    size: int
    nodes: tuple[Node, ...]
    brackets: tuple[Bracket, ...]
    # For each node, how many players can come there, given the byes.
    comers: tuple[int, ...]
    compact: bool = False


# A level of the order: bracket, round, and whether the round was won.
Level = tuple[str, int, bool]


def list_levels(structure: Structure) -> tuple[Level, ...]:
    """List the levels from the winner down. A side bracket ranks below the last round that drops into it."""
    by_name = {bracket.name: bracket for bracket in structure.brackets}
    fed: dict[Level, list[str]] = defaultdict(list)
    for bracket in structure.brackets[1:]:
        if bracket.name != FINAL:
            latest = structure.nodes[max(source.index for row in bracket.drops for source in row)]
            fed[latest.bracket, latest.round, False].append(bracket.name)

    def expand(name: str) -> Iterator[Level]:
        rounds = len(by_name[name].rounds)
        yield (name, rounds, True)
        for number in range(rounds, 0, -1):
            if name == FINAL and number < rounds:
                yield (name, number, True)
            yield (name, number, False)
            for side in fed[(name, number, False)]:
                yield from expand(side)

    first = [FINAL] if FINAL in by_name else []
    return tuple(level for name in (*first, structure.brackets[0].name) for level in expand(name))
