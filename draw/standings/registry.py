"""The table of tie-breaks."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Final

from draw.event import WIN
from draw.options import gettext_noop
from draw.standings.cards import TieBreak, measure_each
from draw.standings.measures import (
    average_ratings,
    build_buchholz,
    measure_direct_encounter,
    measure_head_to_head,
    measure_playoffs,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from draw.event import EntrantId
    from draw.standings.cards import Measure, Table, Turn


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
