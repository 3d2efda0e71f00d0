"""The forecast of an event: by a fast simulation if its format has one, else by playing it out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from heapq import heappop, heappush
from math import ceil, log2, sqrt
from typing import Final

from draw import facts, stages
from draw.event import UNDECIDED, Entrant, EntrantId, Event, Field, Kind, Place, Proposal, Result, Stage
from draw.forecast import fixed_matches, swiss
from draw.forecast.room import Room, SimulatedTables, draw_duration
from draw.forecast.run_statistics import Forecast, Tally
from draw.format import Odds
from draw.options import Options
from draw.random_stream import RandomStream
from draw.rounds import ROUNDS

UNRATED: Final = 1500.0


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


def compute_fibs_chance(one: float, other: float, length: int) -> float:
    """Compute the winning probability of the first player by the FIBS formula (P111).

    >>> [round(compute_fibs_chance(1600, 1500, length), 3) for length in (1, 5, 11)]
    [0.529, 0.564, 0.594]
    """
    return 1 / (1 + 10 ** ((other - one) * sqrt(length) / 2000))


def build_odds(entrants: Iterable[Entrant]) -> Odds:
    """Build the odds among these entrants; unrated ones count as average."""
    ratings = {one.id: UNRATED if one.rating is None else one.rating for one in entrants}

    def odds(one: EntrantId, other: EntrantId, length: int) -> float:
        return compute_fibs_chance(ratings[one], ratings[other], length)

    return odds


RUNS: Final = 200


def plan_event(plan: Sequence[Stage], entrants: int) -> Event:
    return Event(
        stages=tuple(plan), entrants=tuple(Entrant(EntrantId(str(number + 1))) for number in range(entrants))
    )


def forecast_event(
    event: Event,
    room: Room,
    now: datetime,
    rng: RandomStream,
    *,
    runs: int = RUNS,
    chances: Odds | None = None,
) -> Forecast:
    """Simulate the rest of an event *runs* times; *chances* replaces the odds by rating."""
    event = replace(event, stages=tuple(_limit_rounds(event, one) for one in event.stages))
    likely = chances or build_odds(event.entrants)
    tally = Tally()
    # A later stage depends on the one before.
    field = stages.build_field(event, event.stages[0], {}) if len(event.stages) == 1 else None
    if field is not None and _is_between_rounds(field):
        outlook = swiss.SimulationStart.read(field)
        for run in range(runs):
            swiss.SimulatedRun(outlook, room, now, rng.child(str(run)), likely).play(tally)
        return tally.forecast()
    if field is not None:
        # The draw must use the same stream as proposals; the runs use a child stream.
        stream = RandomStream(field.seed).child(field.stage.name)
        finishes = stages.get_format(field.stage).simulate(field, stream, runs, likely)
        if finishes is not None:
            places = stages.propose_stage(field).places
            due = _find_deadline(places, now)
            plan = () if due else fixed_matches.plan_matches(places)
            tally.ends = [
                due or fixed_matches.simulate_day(plan, room, now, rng.child(str(run))) for run in range(runs)
            ]
            for one, row in finishes.ranks.items():
                tally.played((one,), finishes.matches[one])
                for rank, times in row.items():
                    tally.finished(one, rank, times)
            return tally.forecast()
    for run in range(runs):
        rehearse_event(event, room, now, rng.child(str(run)), likely, tally)
    return tally.forecast()


def _limit_rounds(event: Event, stage: Stage) -> Stage:
    """Give a stage without a number of rounds as many more as it takes until only one could have won them all."""
    if not stages.get_format(stage).is_endless or ROUNDS.get(stage.options):
        return stage
    made = max((batch.number for batch in event.rounds if batch.stage == stage.name), default=0)
    staying = sum(one.left is None for one in event.entrants)
    rounds = made + ceil(log2(max(2, staying)))
    return replace(stage, options=Options.from_values(**dict(stage.options.items) | {"rounds": rounds}))


def _find_deadline(places: Sequence[Place], now: datetime) -> datetime | None:
    """Compute the deadline of a league's last round; None if its rounds have no days (P114)."""
    days = {place.round: place.rules.days for place in places if place.state in UNDECIDED}
    if not days or None in days.values():
        return None
    return now + timedelta(days=sum(number or 0 for number in days.values()))


def _is_between_rounds(field: Field) -> bool:
    """True for a Swiss, or lives played in rounds, without a match in progress."""
    if not stages.get_format(field.stage).has_rounds or field.options.get("mode") == "continuous":
        return False
    return all(pairing.result is not None for made in field.rounds for pairing in made.pairings)
