"""In-process cache of resolved brackets, and rankings from it: a result costs only what it changes.

An entry is valid for one stamp of its event. Any other change of the event sets a new stamp, and a rollback
restores the old one: then the stamps differ, and the bracket is built again from the rows
(`play/progress.py`).
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from threading import Lock
from typing import Final, NamedTuple

from draw import stages as rules
from draw.brackets import knockout
from draw.brackets.finishing_order import rank_within_reach
from draw.brackets.resolution import Facts, ResolvedPlace, ResolvedSheet
from draw.event import EntrantId, Key, MatchRules, Place, Ranked, Reason, Result, State
from draw.event import Pairing as Fact
from tournaments.base import event_rows
from tournaments.models import Draw, Entry, Round, Stage, Tournament

MOST_KEPT: Final = 16


@dataclass
class Bracket:
    """The bracket of an event with a single stage: its current places, and the rows of entries and rounds."""

    stage: Stage
    draw: Draw
    running: ResolvedSheet
    rules: dict[tuple[str, int], MatchRules]
    entries: dict[EntrantId, Entry]
    rounds: dict[tuple[str, int], Round]

    def decide(self, key: Key, result: Result) -> dict[int, Place] | None:
        """Record the result of an open match, and open the matches that follow.

        Return the changed places by index, or None if it is no open match of this bracket; nothing has
        changed then.
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
        node = self.running.structure.nodes[index]
        rules = self.rules[node.bracket, node.round]
        spot = self.running.spots[index]
        place = knockout.build_place(self.running.structure, node, spot, rules, self.running.joined)
        # The library's bracket does not contain the name of its stage.
        return replace(place, stage=self.stage.name) if self.stage.name else place

    @property
    def is_over(self) -> bool:
        return not self.running.open


class _CachedBracket(NamedTuple):
    stamp: str
    bracket: Bracket
    # Snapshots for readers, since another thread may change the bracket.
    facts: Facts
    spots: tuple[ResolvedPlace, ...]


_kept: OrderedDict[int, _CachedBracket] = OrderedDict()
_lock = Lock()


def pop_bracket(event: Tournament) -> Bracket | None:
    """Remove and return the cached bracket of an event that the caller has locked.

    `cache_bracket` puts it back.
    """
    with _lock:
        entry = _kept.pop(event.pk, None)
    return entry.bracket if entry is not None and entry.stamp and entry.stamp == event.stamp else None


def cache_bracket(event: Tournament, bracket: Bracket) -> None:
    with _lock:
        _kept[event.pk] = _CachedBracket(
            event.stamp, bracket, bracket.running.facts, tuple(bracket.running.spots)
        )
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)


def find_ranking(event: Tournament) -> tuple[Ranked, ...] | None:
    """Return the current ranking of an event, or None if its bracket is not cached."""
    with _lock:
        entry = _kept.get(event.pk)
    if entry is None or not entry.stamp or entry.stamp != event.stamp:
        return None
    return rank_within_reach(entry.bracket.running.structure, entry.facts, entry.spots)


# Codes of notes about a ranking: a player whose matches do not count, and how a stage with lives ended.
NOTED: Final = frozenset({"cancelled", "split", "bracket"})


class Standings(NamedTuple):
    """The ranking of an event, the best first; ties share their rank."""

    order: tuple[Ranked, ...]
    notes: tuple[Reason, ...]


def compute_standings(event: Tournament) -> Standings:
    """Compute the ranking of an event with stages, from the bracket cache if possible."""
    order = find_ranking(event)
    if order is None:
        proposal = event_rows.compute_proposal(event_rows.load_rows(event))
        return Standings(proposal.ranking, tuple(one for one in proposal.why if one.code in NOTED))
    return Standings(order if event.ended_early_at is None else rules.close_ranks(order), ())


def compute_stage_rankings(event: Tournament) -> dict[str, tuple[Ranked, ...]]:
    found = rules.propose_stages(event_rows.build_event(event_rows.load_rows(event)))
    return {name: proposal.ranking for name, proposal in found.items()}
