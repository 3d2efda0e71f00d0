"""Who is likely to win an event from here: exactly where little is left, else out of random finishes (P117)."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Final

from draw import facts, stages
from draw.chance import Chance
from draw.event import Kind, Result, State
from draw.ways import EveryWay, TooManyWays

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draw.event import EntrantId, Event
    from draw.format import Decide, Odds, Playout

# So many open matches have at most 2 to that power ways to end: all of them are looked at.
FEW: Final = 7
# Where each round is drawn afresh, each way is proposed round by round, which takes its time.
FEW_DRAWN_AFRESH: Final = 3
# Random finishes are added until every share is known so well, 19 times in 20.
NARROW: Final = 0.015
RUNS_A_LOOK: Final = 100
# Or until so much was computed: less than a second. The interval is wider then, and said with the shares.
MOST_WORK: Final = 2_000_000
STANDARD_ERRORS: Final = 1.96
OPEN: Final = (State.READY, State.WAITING)


@dataclass(frozen=True, slots=True)
class Titles:
    """How likely each is to come first; whoever shares the first place is counted."""

    shares: Mapping[EntrantId, float]
    # How many finishes were played; 0 where every way was looked at.
    runs: int

    @property
    def margin(self) -> float:
        """How far the least certain share may be off, 19 times in 20."""
        return max((compute_margin(share, self.runs) for share in self.shares.values()), default=0.0)


def compute_margin(share: float, runs: int) -> float:
    """Return half the width of the 95 percent interval (Wilson's) of a share that was counted in so many runs; 0 runs: exact.

    >>> round(compute_margin(0.5, 4_268), 3), round(compute_margin(1.0, 100), 3), compute_margin(0.5, 0)
    (0.015, 0.018, 0.0)
    """
    if not runs:
        return 0.0
    square = STANDARD_ERRORS**2 / runs
    return sqrt(share * (1 - share) * square + square**2 / 4) / (1 + square)


def estimate_titles(event: Event, odds: Odds, *, runs: int) -> Titles | None:
    """Return who is likely to win, from at most so many finishes.

    None for events whose rest cannot be played out quickly: several stages, or rounds that are drawn as they come.
    """
    if len(event.stages) != 1:
        return None
    field, form = stages.build_field(event, event.stages[0], {}), stages.get_format(event.stages[0])
    if field is None or form.playout is None:
        return None
    rng = Chance(field.seed).child(field.stage.name)
    playout = form.playout(field, rng, odds)
    try:
        if playout is None:
            return Titles(_enumerate_winners(event, odds), 0) if _few_are_left(event) else None
        if playout.open <= FEW:
            return Titles(playout.every_winner(), 0)
    except TooManyWays:
        pass
    return None if playout is None else _simulate_titles(playout, rng.child("titles"), runs)


def _simulate_titles(playout: Playout, rng: Chance, most: int) -> Titles:
    """Play finishes until the shares are known well enough."""
    won: dict[EntrantId, int] = {}
    found, played = Titles({}, 0), 0
    while played < most and (not played or (found.margin > NARROW and playout.work < MOST_WORK)):
        runs = min(RUNS_A_LOOK, most - played)
        for one, times in playout.winners(rng.child(str(played)), runs).items():
            won[one] = won.get(one, 0) + times
        played += runs
        found = Titles({one: times / played for one, times in won.items()}, played)
    return found


def _few_are_left(event: Event) -> bool:
    """Say whether hardly anything is left to play of a knock-out whose rounds are drawn afresh."""
    proposal = stages.propose(event)
    open_matches = [place for place in proposal.places if place.state in OPEN]
    # Who plays now or waits for the next round; each match takes one of them out.
    still_in = {one for place in open_matches for one in place.entrants}
    still_in |= {ranked.entrant for ranked in proposal.ranking if ranked.is_open or ranked.rank == 1}
    return len(still_in) - 1 <= FEW_DRAWN_AFRESH


def _enumerate_winners(event: Event, odds: Odds) -> dict[EntrantId, float]:
    """Return how likely each comes first, proposing and deciding match by match."""
    found: dict[EntrantId, float] = {}
    for way in EveryWay():
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
