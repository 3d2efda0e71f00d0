"""The last entries of a list of tie-breaks: a play-off, a shared place, or a lot."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from draw.options import gettext_noop
from draw.standings.values import Figure, TieBreak

if TYPE_CHECKING:
    from draw.standings.cards import Table


def _measure_playoff(table: Table, tied: tuple[str, ...]) -> dict[str, Figure] | None:
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
        player: Figure(Fraction(won[player] - lost[player] * (len(tied) + 1) if lost[player] else 0))
        for player in tied
    }


def _measure_lot(table: Table, tied: tuple[str, ...]) -> dict[str, Figure] | None:
    return {player: Figure(Fraction(-table.lots.get(player, 0))) for player in tied}


def _measure_nothing(table: Table, tied: tuple[str, ...]) -> None:
    return None


PLAYOFF = TieBreak(
    gettext_noop("Play-off"),
    gettext_noop("Those who are tied play it out; until they have, they share the place."),
    _measure_playoff,
    ends=True,
)
SHARED = TieBreak(
    gettext_noop("Shared"),
    gettext_noop("Those who are still tied share the place and its prize."),
    _measure_nothing,
    ends=True,
)
LOT = TieBreak(
    gettext_noop("Lot"),
    gettext_noop("Drawn by lot from the seed of the event; 1 was drawn first."),
    _measure_lot,
)
