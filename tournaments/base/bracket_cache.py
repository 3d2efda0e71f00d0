"""Brackets that are kept resolved between results, so that one result costs what it changes and not the whole draw.

A bracket is known by the stamp of the event it was made of. Whatever else happens to the event gives it another
stamp, and a change that is rolled back keeps the old one: then the bracket is made anew from the rows
(`play/bracket.py`).
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple

from draw.brackets import knockout
from draw.brackets.reach import rank_within_reach
from draw.event import Pairing as Fact
from draw.event import State

if TYPE_CHECKING:
    from draw.brackets.resolution import Facts, ResolvedSheet, Spot
    from draw.event import EntrantId, Key, MatchRules, Place, Ranked, Result
    from tournaments.models import Draw, Entry, Round, Stage, Tournament

MOST_KEPT: Final = 16


@dataclass
class Bracket:
    """The one sheet of an event: its places as they stand, and which rows they are."""

    stage: Stage
    draw: Draw
    running: ResolvedSheet
    rules: dict[tuple[str, int], MatchRules]
    entries: dict[EntrantId, Entry]
    rounds: dict[tuple[str, int], Round]

    def decide(self, key: Key, result: Result) -> dict[int, Place] | None:
        """Give an open match its result, and open those that can be played now; return the places that changed, by index.

        None: it is no open match of this sheet, and nothing has changed.
        """
        record = self.running.records.get(key)
        if record is None or self.running.spots[self.running.at[key]].state is not State.READY:
            return None
        changed = dict.fromkeys(self.running.record(Fact(key, record.a, record.b, result)))
        for index in list(changed):
            node, spot = self.running.structure.nodes[index], self.running.spots[index]
            if spot.state is State.READY and node.key not in self.running.records:
                a, b = self.place(index).entrants
                changed |= dict.fromkeys(self.running.record(Fact(node.key, a, b)))
        return {index: self.place(index) for index in sorted(changed)}

    def place(self, index: int) -> Place:
        """Return a place as it stands."""
        node = self.running.structure.nodes[index]
        rules = self.rules[node.bracket, node.round]
        spot = self.running.spots[index]
        place = knockout.build_place(self.running.structure, node, spot, rules, self.running.joined)
        # The sheet does not know what its stage is called.
        return replace(place, stage=self.stage.name) if self.stage.name else place

    @property
    def is_over(self) -> bool:
        """Say whether nothing is left to be played."""
        return not self.running.open


class _Kept(NamedTuple):
    stamp: str
    bracket: Bracket
    # What readers look at while somebody else may be writing on the bracket.
    facts: Facts
    spots: tuple[Spot, ...]


_kept: OrderedDict[int, _Kept] = OrderedDict()
_lock = Lock()


def take(event: Tournament) -> Bracket | None:
    """Return the bracket that is kept of an event that the caller has locked; it is put back when they are done."""
    with _lock:
        kept = _kept.pop(event.pk, None)
    return kept.bracket if kept is not None and kept.stamp and kept.stamp == event.stamp else None


def keep(event: Tournament, bracket: Bracket) -> None:
    """Keep a bracket that is as the event is by now."""
    with _lock:
        _kept[event.pk] = _Kept(event.stamp, bracket, bracket.running.facts, tuple(bracket.running.spots))
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)


def order(event: Tournament) -> tuple[Ranked, ...] | None:
    """Return the order of an event as it stands, if its bracket is kept."""
    with _lock:
        kept = _kept.get(event.pk)
    if kept is None or not kept.stamp or kept.stamp != event.stamp:
        return None
    return rank_within_reach(kept.bracket.running.structure, kept.facts, kept.spots)
