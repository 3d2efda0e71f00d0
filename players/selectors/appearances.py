"""Where people have been seen: what packages above know of their events and matches, asked for some at a time."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import datetime


@dataclass(slots=True)
class Appearances:
    """What some people have played, by their numbers."""

    matches: Counter[int] = field(default_factory=Counter)
    events: defaultdict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    last_seen: dict[int, datetime] = field(default_factory=dict)
    # Who of them has played whom, the lower number first.
    met: set[tuple[int, int]] = field(default_factory=set)

    def see(self, player: int, at: datetime | None, *, matches: int = 0) -> None:
        """Note so many matches of somebody, the last of them then."""
        self.matches[player] += matches
        if at is not None:
            self.last_seen[player] = max(at, self.last_seen.get(player, at))

    def meet(self, one: int, other: int) -> None:
        """Note that two have played each other."""
        self.met.add((min(one, other), max(one, other)))


_sources: dict[str, Callable[[Collection[int], Appearances], None]] = {}


def register(name: str, collect: Callable[[Collection[int], Appearances], None]) -> None:
    """Have *collect* asked to note what it knows of some players."""
    _sources[name] = collect


def of(players: Collection[int]) -> Appearances:
    """Return what is known of these players."""
    found = Appearances()
    if players:
        for collect in _sources.values():
            collect(players, found)
    return found
