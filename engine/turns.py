"""A graph of all partial turns of a roll, for moving checkers one by one.

`engine.plays` lists the boards that a roll can lead to. A player at a board gets there step by step, in any
order, and needs to know the possible next steps. In the graph, the edges of a node are the steps that
continue some legal play, and a node without edges is a complete play. A client that follows it needs no
rules.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.board import OFF, Board, Step
from engine.dice import Dice, remove_die
from engine.movegen import play_step, results
from engine.packed import LANE
from engine.side import Side


class TurnEdge(NamedTuple):
    """One step from a node, the die it uses, and the node it leads to."""

    step: Step
    die: int
    to: int


class TurnTree(NamedTuple):
    """The nodes of a roll; the first is the starting position."""

    nodes: tuple[tuple[TurnEdge, ...], ...]

    def to_json(self) -> list[list[list[int]]]:
        """Serialize as a list of nodes; an edge is its source, its target, its die and its node."""
        return [[[*way.step, way.die, way.to] for way in ways] for ways in self.nodes]


def build_turn_tree(board: Board, side: Side, dice: Dice) -> TurnTree:
    """Build the graph of the legal plays of *side* (R12 to R39).

    >>> from engine.board import STANDARD
    >>> from engine.dice import Dice
    >>> from engine.side import Side
    >>> turn = build_turn_tree(STANDARD, Side.WHITE, Dice(6, 5))
    >>> [str(way.step) for way in turn.nodes[0]]
    ['24/18', '13/7', '13/8', '8/2', '8/3']
    """
    position = board.seen_by(side)
    used, found = results(position, dice.high, dice.low)
    return _TurnSearch(frozenset(found), used).turn(position, dice.numbers)


class _TurnSearch:
    """A search for the paths that end in one of *ends* with *used* dice."""

    def __init__(self, ends: frozenset[int], used: int) -> None:
        self.ends = ends
        self.used = used
        self.numbers: dict[tuple[int, tuple[int, ...]], int | None] = {}
        self.nodes: list[tuple[TurnEdge, ...]] = []

    def turn(self, position: int, dice: tuple[int, ...]) -> TurnTree:
        """Return the graph; a single node if there is no play."""
        self.nodes.append(())
        ways = self._list_edges(position, dice, 0) if self.used else ()
        self.nodes[0] = ways
        return TurnTree(tuple(self.nodes))

    def _find_node(self, position: int, dice: tuple[int, ...], made: int) -> int | None:
        """Return the node of a partial turn, None if no legal play contains it."""
        key = (position, dice)
        if key not in self.numbers:
            self.numbers[key] = None
            if made == self.used:
                if position in self.ends:
                    self.numbers[key] = self._add_node(())
            elif ways := self._list_edges(position, dice, made):
                self.numbers[key] = self._add_node(ways)
        return self.numbers[key]

    def _add_node(self, ways: tuple[TurnEdge, ...]) -> int:
        self.nodes.append(ways)
        return len(self.nodes) - 1

    def _list_edges(self, position: int, dice: tuple[int, ...], made: int) -> tuple[TurnEdge, ...]:
        ways: list[TurnEdge] = []
        mine = position & LANE
        for source in range(25, 0, -1):
            if not mine >> 8 * source & 15:
                continue
            for die in dict.fromkeys(dice):
                after = play_step(position, source, die)
                to = None if after is None else self._find_node(after, remove_die(dice, die), made + 1)
                if to is not None:
                    ways.append(TurnEdge(Step(source, max(source - die, OFF)), die, to))
        return tuple(ways)
