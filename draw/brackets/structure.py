"""All the places of a sheet and what leads to them, before anybody sits there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from draw.brackets.notation import Notation, Size
    from draw.event import Key

MAIN = "main"
FINAL = "final"
# Matches that separate those who are level; not of a bracket that is drawn.
PLAYOFF_BRACKET = "play-off"


class Feed(IntEnum):
    """What a seat waits for."""

    LINE = 0  # a line of the draw
    WINNER = 1
    LOSER = 2
    FIRST = 3  # the one from this place who lost their first match, here or, after byes, later (P25)
    AGAIN = 4  # the same player once more, if the first final did not decide (P26)


@dataclass(frozen=True, slots=True)
class Source:
    """A feed and the line or node it points at."""

    feed: Feed
    index: int


@dataclass(frozen=True, slots=True)
class Node:
    """A place: its address and its two sources. Nodes stand in an order in which sources come first."""

    key: Key
    bracket: str
    round: int
    number: int
    slot: int
    a: Source
    b: Source


@dataclass(frozen=True, slots=True)
class Bracket:
    """One bracket of the sheet: its rounds of nodes, their letters and when they are played."""

    name: str
    rounds: tuple[tuple[int, ...], ...]
    letters: tuple[str, ...]
    slots: tuple[int, ...]
    notation: Notation | None = None
    sizes: tuple[Size, ...] = ()
    drops: tuple[tuple[Source, ...], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Structure:
    """The nodes of a sheet; `compact`: its sides were counted without the byes, so that no bye can be filled.

    It is built once for all sheets of its kind, and what is worked out for it is kept by which it is.
    """

    size: int
    nodes: tuple[Node, ...]
    brackets: tuple[Bracket, ...]
    # Of each node: how many can come there at all, the byes of the draw being what they are.
    comers: tuple[int, ...]
    compact: bool = False
