"""Counts over many simulated runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draw.forecast.answer import Forecast

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from draw.event import EntrantId


class Tally:
    def __init__(self) -> None:
        self.ends: list[datetime] = []
        self.ranks: dict[EntrantId, dict[int, int]] = {}
        self.matches: dict[EntrantId, int] = {}

    def finished(self, entrant: EntrantId, rank: int, times: int = 1) -> None:
        """Count a final rank."""
        row = self.ranks.setdefault(entrant, {})
        row[rank] = row.get(rank, 0) + times

    def played(self, entrants: Iterable[EntrantId], times: int = 1) -> None:
        """Count matches."""
        for one in entrants:
            self.matches[one] = self.matches.get(one, 0) + times

    def forecast(self) -> Forecast:
        """Convert the counts to shares."""
        runs = len(self.ends)
        return Forecast(
            tuple(sorted(self.ends)),
            {one: played / runs for one, played in self.matches.items()},
            {
                one: {rank: times / runs for rank, times in sorted(row.items())}
                for one, row in self.ranks.items()
            },
        )
