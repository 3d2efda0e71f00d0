"""Simulation of any event by its actual rules: slow, but always right (P115)."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from draw import facts, stages
from draw.event import Kind, Result
from draw.forecast.room import SimulatedTables, draw_duration

if TYPE_CHECKING:
    from datetime import datetime

    from draw.event import EntrantId, Event, Place, Proposal
    from draw.forecast.room import Room
    from draw.forecast.run_statistics import Tally
    from draw.format import Odds
    from draw.random_stream import RandomStream


def rehearse_event(
    event: Event, room: Room, now: datetime, rng: RandomStream, odds: Odds, tally: Tally
) -> None:
    stage = _Rehearsal(event, room, now, rng, odds, tally)
    while not stage.proposal.finished and stage.go_on():
        pass
    for ranked in stage.proposal.ranking:
        tally.finished(ranked.entrant, ranked.rank)
    tally.ends.append(stage.clock)


class _Rehearsal:
    def __init__(
        self, event: Event, room: Room, now: datetime, rng: RandomStream, odds: Odds, tally: Tally
    ) -> None:
        self.event, self.room, self.clock = event, room, now
        self.rng, self.odds, self.tally = rng, odds, tally
        self.floor = SimulatedTables(room, now)
        self.rested: dict[EntrantId, datetime] = {}
        self.running: list[tuple[datetime, int, Place]] = []
        self.known: set[str] = set()
        self.proposal: Proposal = stages.propose(event)
        # With fixed places or continuous play, each result can make the next match ready.
        self.is_eager = any(
            stages.get_format(one).fixed or one.options.get("mode") == "continuous" for one in event.stages
        )

    def go_on(self) -> bool:
        """Begin all ready matches, and end the match that ends first. False if nothing happened."""
        self.event = facts.make_pairings(self.event, self.proposal)
        fresh = [place for place in self.proposal.ready if place.key not in self.known]
        for place in fresh:
            self._begin_match(place)
        if self.running:
            self._end_match()
        elif not self.proposal.byes:
            return False  # all others wait for a player who is away
        if self.is_eager or not self.running:
            self.proposal = stages.propose(self.event)
        return True

    def _begin_match(self, place: Place) -> None:
        self.known.add(place.key)
        ready = max(self.clock, *(self.rested.get(one, self.clock) for one in place.entrants))
        began = self.room.started.get(place.key)
        end = self.floor.play(ready, draw_duration(place.rules, self.room, self.rng.word()), began)
        heappush(self.running, (end, len(self.known), place))

    def _end_match(self) -> None:
        end, _, place = heappop(self.running)
        self.clock = max(self.clock, end)
        a, b = place.entrants
        has_won = self.rng.toss(self.odds(a, b, place.rules.length))
        self.event = facts.record_result(self.event, place.key, Result(Kind.PLAYED, a if has_won else b))
        self.tally.played((a, b))
        for one in (a, b):
            self.rested[one] = self.floor.next_ready(end)
