"""The places of a sheet and their sources, before any players are known."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from draw.brackets.notation import Notation, Size
    from draw.event import Key

MAIN = "main"
FINAL = "final"
# Tie-break matches; not part of a drawn bracket.
PLAYOFF_BRACKET = "play-off"


class Feed(IntEnum):
    """Where the occupant of a seat comes from."""

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
    """One bracket of the sheet: its rounds of nodes, their letters, and when they are played."""

    name: str
    rounds: tuple[tuple[int, ...], ...]
    letters: tuple[str, ...]
    slots: tuple[int, ...]
    notation: Notation | None = None
    sizes: tuple[Size, ...] = ()
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
