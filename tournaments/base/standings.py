"""The current ranking of an event."""

from __future__ import annotations

from typing import Final, NamedTuple

from draw import stages as rules
from draw.event import Ranked, Reason
from tournaments.base import bracket_cache, event_rows
from tournaments.models import Tournament

# Codes of notes about a ranking: a player whose matches do not count, and how a stage with lives ended.
NOTED: Final = frozenset({"cancelled", "split", "bracket"})


class Standings(NamedTuple):
    """The ranking of an event, the best first; ties share their rank."""

    order: tuple[Ranked, ...]
    notes: tuple[Reason, ...]


def compute_standings(event: Tournament) -> Standings:
    """Compute the ranking of an event with stages, from the bracket cache if possible."""
    order = bracket_cache.find_ranking(event)
    if order is None:
        proposal = event_rows.compute_proposal(event_rows.load_rows(event))
        return Standings(proposal.ranking, tuple(one for one in proposal.why if one.code in NOTED))
    return Standings(order if event.ended_early_at is None else rules.close_ranks(order), ())


def compute_stage_rankings(event: Tournament) -> dict[str, tuple[Ranked, ...]]:
    found = rules.propose_stages(event_rows.build_event(event_rows.load_rows(event)))
    return {name: proposal.ranking for name, proposal in found.items()}
