"""The result of a forecast, and the counts over many simulated runs that lead to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from math import ceil

from draw.event import EntrantId


@dataclass(frozen=True, slots=True)
class Forecast:
    ends: tuple[datetime, ...]  # one for each run, sorted
    matches: Mapping[EntrantId, float]  # still to come, on average
    ranks: Mapping[
        EntrantId, Mapping[int, float]
    ]  # rank -> probability; a shared rank counts as the best place

    def over_at(self, share: float = 0.5) -> datetime:
        """Return the moment by which this share of the runs is over."""
        return self.ends[max(0, ceil(share * len(self.ends)) - 1)]

    def chance(self, entrant: EntrantId, rank: int = 1) -> float:
        return sum(share for place, share in self.ranks.get(entrant, {}).items() if place <= rank)


class Tally:
    def __init__(self) -> None:
        self.ends: list[datetime] = []
        self.ranks: dict[EntrantId, dict[int, int]] = {}
        self.matches: dict[EntrantId, int] = {}

    def finished(self, entrant: EntrantId, rank: int, times: int = 1) -> None:
        row = self.ranks.setdefault(entrant, {})
        row[rank] = row.get(rank, 0) + times

    def played(self, entrants: Iterable[EntrantId], times: int = 1) -> None:
        for one in entrants:
            self.matches[one] = self.matches.get(one, 0) + times

    def forecast(self) -> Forecast:
        runs = len(self.ends)
        return Forecast(
            tuple(sorted(self.ends)),
            {one: played / runs for one, played in self.matches.items()},
            {
                one: {rank: times / runs for rank, times in sorted(row.items())}
                for one, row in self.ranks.items()
            },
        )
