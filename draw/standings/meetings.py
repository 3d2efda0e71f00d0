"""Tie-breaks from the matches of the tied players against each other (P83, P84)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from draw.options import gettext_noop
from draw.standings.cards import NOTHING, WIN
from draw.standings.values import Figure, TieBreak

if TYPE_CHECKING:
    from draw.standings.cards import Table


def _score_meetings(table: Table, player: str, tied: tuple[str, ...]) -> dict[str, Fraction]:
    """Return a player's score against each tied player they met; the average of several meetings."""
    scored: dict[str, list[Fraction]] = {}
    others = set(tied)
    for turn in table.turns(player):
        if turn.opponent in others and (turn.played or table.is_round_robin):
            scored.setdefault(turn.opponent or "", []).append(turn.points)
    return {other: sum(points, NOTHING) / len(points) for other, points in scored.items()}


def _measure_head_to_head(table: Table, tied: tuple[str, ...]) -> dict[str, Figure] | None:
    met = {player: _score_meetings(table, player, tied) for player in tied}
    if any(len(one) < len(tied) - 1 for one in met.values()):
        return None
    return {player: Figure(sum(one.values(), NOTHING)) for player, one in met.items()}


def _measure_direct_encounter(table: Table, tied: tuple[str, ...]) -> dict[str, Figure] | None:
    """Measure by head-to-head.

    If some have not met, a player still is first if no missing result could change that.
    """
    full = _measure_head_to_head(table, tied)
    if full is not None:
        return full
    met = {player: _score_meetings(table, player, tied) for player in tied}
    sure = {player: sum(one.values(), NOTHING) for player, one in met.items()}
    most = {player: sure[player] + (len(tied) - 1 - len(one)) * WIN for player, one in met.items()}
    figures: dict[str, Figure] = {}
    left = sorted(tied, key=lambda player: -sure[player])
    while len(left) > 1 and sure[left[0]] > max(most[player] for player in left[1:]):
        figures[left[0]] = Figure(Fraction(len(left)))
        del left[0]
    return figures | dict.fromkeys(left, Figure(NOTHING))


HEAD_TO_HEAD = TieBreak(
    gettext_noop("Head-to-head"),
    gettext_noop("The matches among those who are tied, if all of them have met."),
    _measure_head_to_head,
    repeats=True,
)
DIRECT_ENCOUNTER = TieBreak(
    gettext_noop("Direct encounter"),
    gettext_noop(
        "Like head-to-head; if not all have met, a player who can no longer be overtaken comes first."
    ),
    _measure_direct_encounter,
    repeats=True,
)
