"""Outcome probabilities of a game for one side."""

from __future__ import annotations

from typing import NamedTuple


class Chances(NamedTuple):
    """Probabilities of a win, of a win by gammon or more, and of a loss by gammon or more.

    Each gammon is also counted in the plain result.

    >>> Chances(0.7, 0.2, 0.1).turned
    Chances(win=0.3, gammon=0.1, lost_gammon=0.2)
    """

    win: float
    gammon: float = 0.0
    lost_gammon: float = 0.0

    @property
    def turned(self) -> Chances:
        return Chances(round(1 - self.win, 12), self.lost_gammon, self.gammon)
