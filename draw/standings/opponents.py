"""Tie-breaks from the scores of a player's opponents (P85 to P88).

Unplayed rounds follow FIDE's tie-break regulations, article 16. For the opponents, a player counts with the points they
were awarded, but with half a point for each round after the last one they were present for (P86). For the player, a
round without a match counts like an opponent with the same score, but never more than the opponent they should have met,
or than half a point a round if there was none (P87).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from draw.event import HALF, NOTHING
from draw.standings.cards import Measure, measure_each

if TYPE_CHECKING:
    from draw.event import EntrantId
    from draw.standings.cards import Table


class _Round(NamedTuple):
    """One addend before any cuts."""

    score: Fraction
    value: Fraction
    voluntary: bool


def _list_rounds(table: Table, player: EntrantId, *, by_result: bool) -> list[_Round]:
    found: list[_Round] = []
    own = table.points[player]
    for turn in table.turns(player):
        if turn.opponent is None:
            if table.is_round_robin:
                continue
            score = min(own, HALF * table.rounds)
        else:
            score = table.worth[turn.opponent]
            if not turn.played and not table.is_round_robin:
                score = min(own, score)
        found.append(_Round(score, score * turn.points if by_result else score, turn.voluntary))
    return found


def _find_least(rounds: list[_Round]) -> _Round:
    """Find the addend that is cut first: voluntarily unplayed rounds, then the weakest opponent."""
    return min([one for one in rounds if one.voluntary] or rounds, key=lambda one: one.score)


def build_buchholz(low: int = 0, high: int = 0, *, by_result: bool = False) -> Measure:
    """Build the measure that sums the opponents' scores.

    The *low* lowest and the *high* highest are left out; *by_result* weights each by the player's own points.
    """

    def add_up(table: Table, player: EntrantId) -> Fraction:
        rounds = _list_rounds(table, player, by_result=by_result)
        for _ in range(min(low, len(rounds))):
            rounds.remove(_find_least(rounds))
        for _ in range(min(high, len(rounds))):
            rounds.remove(max(rounds, key=lambda one: one.score))
        return sum((one.value for one in rounds), NOTHING)

    return measure_each(add_up)


def average_ratings(table: Table, player: EntrantId) -> int:
    """Average the ratings of the opponents met at the board."""
    met = [turn.opponent for turn in table.turns(player) if turn.opponent is not None and turn.played]
    ratings = [Fraction(rating) for one in met if (rating := table.by_player[one].rating) is not None]
    # Rounded to whole points, halves up: fractions of a rating point mean nothing.
    return int(sum(ratings, NOTHING) / len(ratings) + HALF) if ratings else 0
