"""The input of standings: one card for each player, one turn for each round."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

NOTHING = Fraction(0)
DRAW = Fraction(1, 2)
WIN = Fraction(1)


@dataclass(frozen=True, slots=True)
class Turn:
    """One round of one player."""

    points: Fraction = NOTHING
    opponent: str | None = None  # also if they did not appear
    played: bool = False  # at the board
    voluntary: bool = False  # not played by choice: absent, asked to sit out, lost by not coming
    margin: int = 0  # match points won less match points lost


# A player missing from a round was absent.
ABSENT = Turn(voluntary=True)


@dataclass(frozen=True, slots=True)
class Card:
    """One player's rounds, in order."""

    player: str
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
    playoffs: tuple[tuple[str, str], ...] = ()  # (winner, loser), in order of play
    lots: Mapping[str, int] = field(default_factory=dict[str, int])  # drawn once; the lower goes first

    @classmethod
    def summed_up(
        cls,
        cards: tuple[Card, ...],
        *,
        points: dict[str, Fraction],
        worth: dict[str, Fraction],
        is_round_robin: bool,
        lots: Mapping[str, int],
    ) -> Table:
        """Build a table with known sums: simulations update them instead of adding up every card."""
        table = cls(cards, is_round_robin=is_round_robin, lots=lots)
        vars(table).update(points=points, worth=worth)
        return table

    @cached_property
    def by_player(self) -> dict[str, Card]:
        return {card.player: card for card in self.cards}

    @cached_property
    def rounds(self) -> int:
        return max((len(card.turns) for card in self.cards), default=0)

    @cached_property
    def points(self) -> dict[str, Fraction]:
        return {card.player: card.points for card in self.cards}

    @cached_property
    def worth(self) -> dict[str, Fraction]:
        """The value of each player in the tie-breaks of their opponents (P86)."""
        return {card.player: self._compute_worth(card) for card in self.cards}

    def _compute_worth(self, card: Card) -> Fraction:
        turns = self.turns(card.player)
        last_there = max((number for number, turn in enumerate(turns, 1) if not turn.voluntary), default=0)
        gone = NOTHING if self.is_round_robin else DRAW
        return sum(
            (
                gone if number > last_there and turn.opponent is None else turn.points
                for number, turn in enumerate(turns, 1)
            ),
            card.start,
        )

    def turns(self, player: str) -> tuple[Turn, ...]:
        """Return a player's turns, padded to the number of rounds."""
        turns = self.by_player[player].turns
        return turns + (ABSENT,) * (self.rounds - len(turns))
