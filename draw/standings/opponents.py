"""Tie-breaks from the scores of a player's opponents (P85 to P88).

Unplayed rounds follow FIDE's tie-break regulations, article 16. For the opponents, a player counts with the points they
were awarded, but with half a point for each round after the last one they were present for (P86). For the player, a
round without a match counts like an opponent with the same score, but never more than the opponent they should have met,
or than half a point a round if there was none (P87).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from draw.options import gettext_noop
from draw.standings.cards import DRAW
from draw.standings.values import Figure, Measure, Part, TieBreak, add_parts

if TYPE_CHECKING:
    from draw.standings.cards import Table, Turn


class _Round:
    """One addend before any cuts."""

    __slots__ = ("number", "score", "value", "voluntary")

    def __init__(self, number: int, turn: Turn, score: Fraction, value: Fraction) -> None:
        self.number, self.score, self.value = number, score, value
        self.voluntary = turn.voluntary


def _list_rounds(table: Table, player: str, *, by_result: bool) -> list[_Round]:
    found: list[_Round] = []
    own = table.points[player]
    for number, turn in enumerate(table.turns(player), 1):
        if turn.opponent is None:
            if table.is_round_robin:
                continue
            score = min(own, DRAW * table.rounds)
        else:
            score = table.worth[turn.opponent]
            if not turn.played and not table.is_round_robin:
                score = min(own, score)
        found.append(_Round(number, turn, score, score * turn.points if by_result else score))
    return found


def _find_least(rounds: list[_Round]) -> _Round:
    """Find the addend that is cut first: voluntarily unplayed rounds, then the weakest opponent."""
    return min([one for one in rounds if one.voluntary] or rounds, key=lambda one: one.score)


def _cut_rounds(rounds: list[_Round], low: int, high: int) -> Figure:
    kept = list(rounds)
    for _ in range(min(low, len(kept))):
        kept.remove(_find_least(kept))
    for _ in range(min(high, len(kept))):
        kept.remove(max(kept, key=lambda one: one.score))
    return add_parts([Part(one.number, one.value, one not in kept) for one in rounds])


def build_buchholz(low: int = 0, high: int = 0, *, by_result: bool = False) -> Measure:
    """Build the measure that sums the opponents' scores.

    The *low* lowest and the *high* highest are left out; *by_result* weights each by the player's own points.
    """

    def measure(table: Table, tied: tuple[str, ...]) -> dict[str, Figure]:
        return {
            player: _cut_rounds(_list_rounds(table, player, by_result=by_result), low, high)
            for player in tied
        }

    return measure


def _measure_ratings(table: Table, tied: tuple[str, ...]) -> dict[str, Figure]:
    figures: dict[str, Figure] = {}
    for player in tied:
        parts: list[Part] = []
        for number, turn in enumerate(table.turns(player), 1):
            if turn.opponent is not None and turn.played:
                rating = table.by_player[turn.opponent].rating
                if rating is not None:
                    parts.append(Part(number, Fraction(rating)))
        whole = sum(part.value for part in parts)
        # Rounded to whole points, halves up: fractions of a rating point mean nothing.
        average = int(whole / len(parts) + Fraction(1, 2)) if parts else 0
        figures[player] = Figure(Fraction(average), tuple(parts))
    return figures


BUCHHOLZ = TieBreak(
    gettext_noop("Buchholz"), gettext_noop("The sum of the opponents' scores."), build_buchholz()
)
BUCHHOLZ_CUT_1 = TieBreak(
    gettext_noop("Buchholz, worst cut"),
    gettext_noop("The sum of the opponents' scores without the lowest."),
    build_buchholz(low=1),
)
BUCHHOLZ_CUT_2 = TieBreak(
    gettext_noop("Buchholz, two cut"),
    gettext_noop("The sum of the opponents' scores without the two lowest."),
    build_buchholz(low=2),
)
MEDIAN = TieBreak(
    gettext_noop("Median Buchholz"),
    gettext_noop("The sum of the opponents' scores without the lowest and the highest."),
    build_buchholz(low=1, high=1),
)
SONNEBORN_BERGER = TieBreak(
    gettext_noop("Sonneborn-Berger"),
    gettext_noop("The scores of the opponents who were beaten, plus half the scores of those who drew."),
    build_buchholz(by_result=True),
)
OPPONENTS_RATING = TieBreak(
    gettext_noop("Opponents' rating"),
    gettext_noop("The average rating of the opponents met at the board."),
    _measure_ratings,
)
