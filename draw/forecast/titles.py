"""Winning probabilities of an event: exact if few matches are left, else from random finishes (P117)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Final

from draw import facts, stages
from draw.event import UNDECIDED, EntrantId, Event, Kind, Result
from draw.format import Decide, Odds, Playout
from draw.random_stream import OutcomeWalk, RandomStream, TooManyOutcomes

# Up to this many open matches, all outcomes are enumerated.
FEW: Final = 7
# Lower if each round is drawn afresh, because proposing each outcome is slow.
FEW_DRAWN_AFRESH: Final = 3
# Random finishes are added until the margin of every share (95 percent) is at most this.
NARROW: Final = 0.015
RUNS_A_LOOK: Final = 100
# Simulation also stops after this much work (under a second). The margin is reported with the shares.
MOST_WORK: Final = 2_000_000
STANDARD_ERRORS: Final = 1.96


@dataclass(frozen=True, slots=True)
class TitleForecast:
    """Winning probabilities. A shared first place counts for each."""

    shares: Mapping[EntrantId, float]
    # Number of simulated finishes; 0 if exact.
    runs: int

    @property
    def margin(self) -> float:
        """The margin of error of the least certain share, 19 times in 20."""
        return max((compute_margin(share, self.runs) for share in self.shares.values()), default=0.0)


def compute_margin(share: float, runs: int) -> float:
    """Compute half the width of the 95 percent Wilson interval of a share counted in *runs*; 0 runs: exact.

    >>> round(compute_margin(0.5, 4_268), 3), round(compute_margin(1.0, 100), 3), compute_margin(0.5, 0)
    (0.015, 0.018, 0.0)
    """
    if not runs:
        return 0.0
    square = STANDARD_ERRORS**2 / runs
    return sqrt(share * (1 - share) * square + square**2 / 4) / (1 + square)


def estimate_titles(event: Event, odds: Odds, *, runs: int) -> TitleForecast | None:
    """Estimate winning probabilities from at most *runs* finishes.

    None for events whose rest cannot be simulated quickly: several stages, or rounds paired one by one.
    """
    if len(event.stages) != 1:
        return None
    field, form = stages.build_field(event, event.stages[0], {}), stages.get_format(event.stages[0])
    if field is None or form.playout is None:
        return None
    rng = RandomStream(field.seed).child(field.stage.name)
    playout = form.playout(field, rng, odds)
    try:
        if playout is None:
            return TitleForecast(_enumerate_winners(event, odds), 0) if _has_few_left(event) else None
        if playout.open <= FEW:
            return TitleForecast(playout.every_winner(), 0)
    except TooManyOutcomes:
        pass
    return None if playout is None else _simulate_titles(playout, rng.child("titles"), runs)


def _simulate_titles(playout: Playout, rng: RandomStream, most: int) -> TitleForecast:
    """Simulate finishes until the shares are precise enough, or a limit of runs or work is reached."""
    won: dict[EntrantId, int] = {}
    found, played = TitleForecast({}, 0), 0
    while played < most and (not played or (found.margin > NARROW and playout.work < MOST_WORK)):
        runs = min(RUNS_A_LOOK, most - played)
        for one, times in playout.winners(rng.child(str(played)), runs).items():
            won[one] = won.get(one, 0) + times
        played += runs
        found = TitleForecast({one: times / played for one, times in won.items()}, played)
    return found


def _has_few_left(event: Event) -> bool:
    """True if a knock-out with redrawn rounds has few enough players left to enumerate."""
    proposal = stages.propose(event)
    open_matches = [place for place in proposal.places if place.state in UNDECIDED]
    # Players of this round or waiting for the next; each match eliminates one.
    still_in = {one for place in open_matches for one in place.entrants}
    still_in |= {ranked.entrant for ranked in proposal.ranking if ranked.is_open or ranked.rank == 1}
    return len(still_in) - 1 <= FEW_DRAWN_AFRESH


def _enumerate_winners(event: Event, odds: Odds) -> dict[EntrantId, float]:
    """Compute the exact winning probabilities, proposing and deciding match by match."""
    found: dict[EntrantId, float] = {}
    for way in OutcomeWalk():
        for one in _play_to_end(event, odds, way.decide):
            found[one] = found.get(one, 0.0) + way.weight
    return found


def _play_to_end(event: Event, odds: Odds, decide: Decide) -> list[EntrantId]:
    while (proposal := stages.propose(event)).ready:
        event = facts.make_pairings(event, proposal)
        place = proposal.ready[0]
        a, b = place.entrants
        winner = a if decide(odds(a, b, place.rules.length)) else b
        event = facts.record_result(event, place.key, Result(Kind.PLAYED, winner))
    return [ranked.entrant for ranked in proposal.ranking if ranked.rank == 1]
