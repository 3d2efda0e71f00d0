"""Tie-breaks from a player's own card."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from draw.options import gettext_noop
from draw.standings.cards import WIN
from draw.standings.values import Figure, Measure, Part, TieBreak, add_parts

if TYPE_CHECKING:
    from collections.abc import Callable

    from draw.standings.cards import Table, Turn


def _build_round_sum(amount: Callable[[Turn], int]) -> Measure:
    def measure(table: Table, tied: tuple[str, ...]) -> dict[str, Figure]:
        return {
            player: add_parts(
                [Part(number, Fraction(amount(turn))) for number, turn in enumerate(table.turns(player), 1)]
            )
            for player in tied
        }

    return measure


def _measure_points(table: Table, tied: tuple[str, ...]) -> dict[str, Figure]:
    return {player: Figure(table.points[player]) for player in tied}


def _measure_cumulative(table: Table, tied: tuple[str, ...]) -> dict[str, Figure]:
    figures: dict[str, Figure] = {}
    for player in tied:
        so_far = table.by_player[player].start
        parts: list[Part] = []
        for number, turn in enumerate(table.turns(player), 1):
            so_far += turn.points
            parts.append(Part(number, so_far))
        figures[player] = add_parts(parts)
    return figures


def _measure_lives(table: Table, tied: tuple[str, ...]) -> dict[str, Figure]:
    return {player: Figure(Fraction(table.by_player[player].lives)) for player in tied}


def _measure_rating(table: Table, tied: tuple[str, ...]) -> dict[str, Figure]:
    return {player: Figure(Fraction(table.by_player[player].rating or 0)) for player in tied}


POINTS = TieBreak(
    gettext_noop("Points"),
    gettext_noop("Points from all rounds, including byes and any head start."),
    _measure_points,
)
LIVES = TieBreak(
    gettext_noop("Lives"), gettext_noop("Lives left; those who are out have none."), _measure_lives
)
WINS = TieBreak(
    gettext_noop("Wins"),
    gettext_noop("Rounds that brought a whole point, played or not."),
    _build_round_sum(lambda turn: turn.points == WIN),
)
WINS_PLAYED = TieBreak(
    gettext_noop("Wins at the board"),
    gettext_noop("Matches won at the board."),
    _build_round_sum(lambda turn: turn.played and turn.points == WIN),
)
ROUNDS = TieBreak(
    gettext_noop("Rounds met"),
    gettext_noop("Rounds a player was ready to play: played, or a whole point without play."),
    _build_round_sum(lambda turn: turn.played or turn.points == WIN),
)
CUMULATIVE = TieBreak(
    gettext_noop("Cumulative"),
    gettext_noop("The sum of the scores after each round: early points count more often."),
    _measure_cumulative,
)
POINT_DIFFERENCE = TieBreak(
    gettext_noop("Point difference"),
    gettext_noop("Points won minus points lost in all matches; a match without a score adds nothing."),
    _build_round_sum(lambda turn: turn.margin),
)
RATING = TieBreak(gettext_noop("Rating"), gettext_noop("The higher rating at the start."), _measure_rating)
