"""Tie-breaks from a player's own card."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from draw.standings.cards import WIN
from draw.standings.values import Figure, Measure, Part, TieBreak, total

if TYPE_CHECKING:
    from collections.abc import Callable

    from draw.standings.cards import Table, Turn


def _each_round(amount: Callable[[Turn], int]) -> Measure:
    def measure(table: Table, tied: tuple[str, ...]) -> dict[str, Figure]:
        return {
            player: total(
                [Part(number, Fraction(amount(turn))) for number, turn in enumerate(table.turns(player), 1)]
            )
            for player in tied
        }

    return measure


def _points(table: Table, tied: tuple[str, ...]) -> dict[str, Figure]:
    return {player: Figure(table.points[player]) for player in tied}


def _cumulative(table: Table, tied: tuple[str, ...]) -> dict[str, Figure]:
    figures: dict[str, Figure] = {}
    for player in tied:
        so_far = table.by_player[player].start
        parts: list[Part] = []
        for number, turn in enumerate(table.turns(player), 1):
            so_far += turn.points
            parts.append(Part(number, so_far))
        figures[player] = total(parts)
    return figures


def _lives(table: Table, tied: tuple[str, ...]) -> dict[str, Figure]:
    return {player: Figure(Fraction(table.by_player[player].lives)) for player in tied}


def _rating(table: Table, tied: tuple[str, ...]) -> dict[str, Figure]:
    return {player: Figure(Fraction(table.by_player[player].rating or 0)) for player in tied}


POINTS = TieBreak("Points", "Points from all rounds, including byes and any head start.", _points)
LIVES = TieBreak("Lives", "Lives left; those who are out have none.", _lives)
WINS = TieBreak(
    "Wins",
    "Rounds that brought a whole point, played or not.",
    _each_round(lambda turn: turn.points == WIN),
)
WINS_PLAYED = TieBreak(
    "Wins at the board",
    "Matches won at the board.",
    _each_round(lambda turn: turn.played and turn.points == WIN),
)
ROUNDS = TieBreak(
    "Rounds met",
    "Rounds a player was ready to play: played, or worth a whole point without playing.",
    _each_round(lambda turn: turn.played or turn.points == WIN),
)
CUMULATIVE = TieBreak(
    "Cumulative", "The sum of the scores after each round: early points count more often.", _cumulative
)
POINT_DIFFERENCE = TieBreak(
    "Point difference",
    "Points won minus points lost in all matches.",
    _each_round(lambda turn: turn.margin),
)
RATING = TieBreak("Rating", "The higher rating at the start.", _rating)
