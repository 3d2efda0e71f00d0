"""Tie-breaks from the matches of the tied players against each other (P83, P84)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from draw.event import NOTHING, WIN

if TYPE_CHECKING:
    from draw.event import EntrantId
    from draw.standings.cards import Table


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
