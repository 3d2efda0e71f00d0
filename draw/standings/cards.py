"""The input of standings: one card for each player, one turn for each round; and what a tie-break is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from draw.event import HALF, NOTHING, EntrantId


@dataclass(frozen=True, slots=True)
class Turn:
    points: Fraction = NOTHING
    opponent: EntrantId | None = None  # also if they did not appear
    played: bool = False  # at the board
    voluntary: bool = False  # not played by choice: absent, asked to sit out, lost by not coming
    margin: int = 0  # match points won less match points lost


# A player missing from a round was absent.
ABSENT = Turn(voluntary=True)


@dataclass(frozen=True, slots=True)
class Card:
    """One player's rounds, in order."""

    player: EntrantId
    turns: tuple[Turn, ...] = ()
    rating: float | None = None
    start: Fraction = NOTHING  # initial points
    lives: int = 0  # left, where the event counts lives

    @property
    def points(self) -> Fraction:
        return sum((turn.points for turn in self.turns), self.start)


@dataclass(frozen=True)
class Table:
    """All the cards of one stage, in the order that breaks the last ties."""

    cards: tuple[Card, ...]
    # Pairings are known in advance: an absent player still counts as an opponent (P88).
    is_round_robin: bool = False
    playoffs: tuple[tuple[EntrantId, EntrantId], ...] = ()  # (winner, loser), in order of play
    lots: Mapping[EntrantId, int] = field(default_factory=dict[EntrantId, int])  # the lower goes first

    @classmethod
    def summed_up(
        cls,
        cards: tuple[Card, ...],
        *,
        points: dict[EntrantId, Fraction],
        worth: dict[EntrantId, Fraction],
        lots: Mapping[EntrantId, int],
    ) -> Table:
        """Build that of a round robin with known sums: simulations update them instead of adding up every card."""
        table = cls(cards, is_round_robin=True, lots=lots)
        vars(table).update(points=points, worth=worth)
        return table

    @cached_property
    def by_player(self) -> dict[EntrantId, Card]:
        return {card.player: card for card in self.cards}

    @cached_property
    def rounds(self) -> int:
        return max((len(card.turns) for card in self.cards), default=0)

    @cached_property
    def points(self) -> dict[EntrantId, Fraction]:
        return {card.player: card.points for card in self.cards}

    @cached_property
    def worth(self) -> dict[EntrantId, Fraction]:
        """The value of each player in the tie-breaks of their opponents (P86)."""
        return {card.player: self._compute_worth(card) for card in self.cards}

    def _compute_worth(self, card: Card) -> Fraction:
        turns = self.turns(card.player)
        last_there = max((number for number, turn in enumerate(turns, 1) if not turn.voluntary), default=0)
        gone = NOTHING if self.is_round_robin else HALF
        return sum(
            (
                gone if number > last_there and turn.opponent is None else turn.points
                for number, turn in enumerate(turns, 1)
            ),
            card.start,
        )

    def turns(self, player: EntrantId) -> tuple[Turn, ...]:
        """Return a player's turns, padded to the number of rounds."""
        turns = self.by_player[player].turns
        return turns + (ABSENT,) * (self.rounds - len(turns))


# Measures players who are still tied; more is better. None: the tie-break is undefined for them.
Measure: TypeAlias = Callable[[Table, tuple[EntrantId, ...]], Mapping[EntrantId, Fraction] | None]


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A tie-break, as the list of an event publishes it."""

    title: str
    explanation: str
    measure: Measure
    # Applied again to players still tied, as long as that separates some.
    repeats: bool = False
    # Players still tied after this one stay tied.
    ends: bool = False


def measure_each(value: Callable[[Table, EntrantId], Fraction | float]) -> Measure:
    """Build the measure of a value that does not depend on who else is tied."""
    return lambda table, tied: {player: Fraction(value(table, player)) for player in tied}
