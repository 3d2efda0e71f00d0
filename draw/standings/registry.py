"""The table of tie-breaks.

They measure players by their meetings with others who are tied (P83, P84), or by their opponents' scores (P85 to P88).
Unplayed rounds follow FIDE's tie-break regulations, article 16. For the opponents, a player counts with the points they
were awarded, but with half a point for each round after the last one they were present for (P86). For the player, a
round without a match counts like an opponent with the same score, but never more than the opponent they should have met,
or than half a point a round if there was none (P87).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from typing import Final, NamedTuple

from draw.event import HALF, NOTHING, WIN, EntrantId
from draw.options import gettext_noop
from draw.standings.cards import Measure, Table, TieBreak, Turn, measure_each


def _score_meetings(table: Table, player: EntrantId, tied: tuple[EntrantId, ...]) -> list[Fraction]:
    """Return a player's score against each tied player they met; the average of several meetings."""
    scored: dict[str, list[Fraction]] = {}
    others = set(tied)
    for turn in table.turns(player):
        if turn.opponent in others and (turn.played or table.is_round_robin):
            scored.setdefault(turn.opponent or "", []).append(turn.points)
    return [sum(points, NOTHING) / len(points) for points in scored.values()]


def measure_head_to_head(table: Table, tied: tuple[EntrantId, ...]) -> dict[EntrantId, Fraction] | None:
    met = {player: _score_meetings(table, player, tied) for player in tied}
    if any(len(scores) < len(tied) - 1 for scores in met.values()):
        return None
    return {player: sum(scores, NOTHING) for player, scores in met.items()}


def measure_direct_encounter(table: Table, tied: tuple[EntrantId, ...]) -> dict[EntrantId, Fraction]:
    """Measure by head-to-head.

    If some have not met, a player still is first if no missing result could change that.
    """
    full = measure_head_to_head(table, tied)
    if full is not None:
        return full
    met = {player: _score_meetings(table, player, tied) for player in tied}
    sure = {player: sum(scores, NOTHING) for player, scores in met.items()}
    most = {player: sure[player] + (len(tied) - 1 - len(scores)) * WIN for player, scores in met.items()}
    figures: dict[EntrantId, Fraction] = {}
    left = sorted(tied, key=lambda player: -sure[player])
    while len(left) > 1 and sure[left[0]] > max(most[player] for player in left[1:]):
        figures[left[0]] = Fraction(len(left))
        del left[0]
    return figures | dict.fromkeys(left, NOTHING)


def measure_playoffs(table: Table, tied: tuple[EntrantId, ...]) -> dict[EntrantId, Fraction] | None:
    among = set(tied)
    won = dict.fromkeys(tied, 0)
    lost = dict.fromkeys(tied, 0)
    for winner, loser in table.playoffs:
        if winner in among and loser in among:
            won[winner] += 1
            lost[loser] += 1
    if not any(won.values()):
        return None
    # Unbeaten players first; the others by defeats, then by wins.
    return {
        player: Fraction(won[player] - lost[player] * (len(tied) + 1) if lost[player] else 0)
        for player in tied
    }


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


def _sum_turns(amount: Callable[[Turn], int]) -> Measure:
    return measure_each(lambda table, player: sum(amount(turn) for turn in table.turns(player)))


def _accumulate_points(table: Table, player: EntrantId) -> Fraction:
    start = table.by_player[player].start
    return sum(accumulate((turn.points for turn in table.turns(player)), initial=start), -start)


TIE_BREAKS: Final[dict[str, TieBreak]] = {
    "points": TieBreak(
        gettext_noop("Points"),
        gettext_noop("Points from all rounds, including byes and any head start."),
        measure_each(lambda table, player: table.points[player]),
    ),
    "lives": TieBreak(
        gettext_noop("Lives"),
        gettext_noop("Lives left; those who are out have none."),
        measure_each(lambda table, player: table.by_player[player].lives),
    ),
    "head-to-head": TieBreak(
        gettext_noop("Head-to-head"),
        gettext_noop("The matches among those who are tied, if all of them have met."),
        measure_head_to_head,
        repeats=True,
    ),
    "direct-encounter": TieBreak(
        gettext_noop("Direct encounter"),
        gettext_noop(
            "Like head-to-head; if not all have met, a player who can no longer be overtaken comes first."
        ),
        measure_direct_encounter,
        repeats=True,
    ),
    "buchholz": TieBreak(
        gettext_noop("Buchholz"), gettext_noop("The sum of the opponents' scores."), build_buchholz()
    ),
    "buchholz-cut-1": TieBreak(
        gettext_noop("Buchholz, worst cut"),
        gettext_noop("The sum of the opponents' scores without the lowest."),
        build_buchholz(low=1),
    ),
    "buchholz-cut-2": TieBreak(
        gettext_noop("Buchholz, two cut"),
        gettext_noop("The sum of the opponents' scores without the two lowest."),
        build_buchholz(low=2),
    ),
    "median": TieBreak(
        gettext_noop("Median Buchholz"),
        gettext_noop("The sum of the opponents' scores without the lowest and the highest."),
        build_buchholz(low=1, high=1),
    ),
    "sonneborn-berger": TieBreak(
        gettext_noop("Sonneborn-Berger"),
        gettext_noop("The scores of the opponents who were beaten, plus half the scores of those who drew."),
        build_buchholz(by_result=True),
    ),
    "cumulative": TieBreak(
        gettext_noop("Cumulative"),
        gettext_noop("The sum of the scores after each round: early points count more often."),
        measure_each(_accumulate_points),
    ),
    "wins": TieBreak(
        gettext_noop("Wins"),
        gettext_noop("Rounds that brought a whole point, played or not."),
        _sum_turns(lambda turn: turn.points == WIN),
    ),
    "wins-at-the-board": TieBreak(
        gettext_noop("Wins at the board"),
        gettext_noop("Matches won at the board."),
        _sum_turns(lambda turn: turn.played and turn.points == WIN),
    ),
    "rounds-met": TieBreak(
        gettext_noop("Rounds met"),
        gettext_noop("Rounds a player was ready to play: played, or a whole point without play."),
        _sum_turns(lambda turn: turn.played or turn.points == WIN),
    ),
    "opponents-rating": TieBreak(
        gettext_noop("Opponents' rating"),
        gettext_noop("The average rating of the opponents met at the board."),
        measure_each(average_ratings),
    ),
    "point-difference": TieBreak(
        gettext_noop("Point difference"),
        gettext_noop("Points won minus points lost in all matches; a match without a score adds nothing."),
        _sum_turns(lambda turn: turn.margin),
    ),
    "rating": TieBreak(
        gettext_noop("Rating"),
        gettext_noop("The higher rating at the start."),
        measure_each(lambda table, player: table.by_player[player].rating or 0),
    ),
    "play-off": TieBreak(
        gettext_noop("Play-off"),
        gettext_noop("Tied players play it off; until then they share the place."),
        measure_playoffs,
        ends=True,
    ),
    "shared": TieBreak(
        gettext_noop("Shared"),
        gettext_noop("Players who are still tied share the place and its prize."),
        lambda table, tied: None,
        ends=True,
    ),
    "lot": TieBreak(
        gettext_noop("Lot"),
        gettext_noop("Drawn by lot from the seed of the event; 1 was drawn first."),
        measure_each(lambda table, player: -table.lots.get(player, 0)),
    ),
}
