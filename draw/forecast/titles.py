"""Who is likely to win an event from here: exactly where little is left, else out of many random finishes (P117)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from draw import facts, stages
from draw.chance import Chance
from draw.event import Kind, Result, State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draw.event import EntrantId, Event
    from draw.format import Odds

# So many open matches have at most 2 to that power ways to end: all of them are looked at.
FEW: Final = 7
OPEN: Final = (State.READY, State.WAITING)


@dataclass(frozen=True, slots=True)
class Titles:
    """How likely each is to come first; whoever shares the first place is counted."""

    shares: Mapping[EntrantId, float]
    # How many finishes were played; 0 where every way was looked at.
    runs: int

    @property
    def is_exact(self) -> bool:
        """Whether these are no estimates."""
        return self.runs == 0


def titles(event: Event, odds: Odds, *, runs: int) -> Titles | None:
    """Return who is likely to win; None for events whose rest cannot be played out quickly: several stages, or drawn anew."""
    if len(event.stages) != 1:
        return None
    field, form = stages.field_of(event, event.stages[0], {}), stages.format_of(event.stages[0])
    if field is None or form.simulate is None:
        return None
    open_matches = sum(place.state in OPEN for place in stages.propose(event).places)
    if open_matches <= FEW:
        return Titles(_every_way(event, odds), 0)
    found = form.simulate(field, Chance(field.seed).child(field.stage.name), runs, odds)
    if found is None:
        return None
    return Titles({one: row.get(1, 0) / found.runs for one, row in found.ranks.items()}, found.runs)


def _every_way(event: Event, odds: Odds) -> dict[EntrantId, float]:
    """Let the next match end both ways, each as likely as it is, until nothing is left to play."""
    proposal = stages.propose(event)
    ready = proposal.ready
    if not ready:
        return {ranked.entrant: 1.0 for ranked in proposal.ranking if ranked.rank == 1}
    event = facts.made(event, proposal)
    place = ready[0]
    a, b = place.entrants
    likely = odds(a, b, place.rules.length)
    found: dict[EntrantId, float] = {}
    for winner, share in ((a, likely), (b, 1.0 - likely)):
        if share > 0:
            decided = facts.decided(event, place.key, Result(Kind.PLAYED, winner))
            for one, chance in _every_way(decided, odds).items():
                found[one] = found.get(one, 0.0) + share * chance
    return found
