"""The order of an event as it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from draw import stages as rules
from tournaments.base import bracket_cache, event_rows

if TYPE_CHECKING:
    from draw.event import Ranked, Reason
    from tournaments.models import Tournament

# What is to be known of an order as it stands: who does not count any more, and why it ended as it did.
NOTED: Final = frozenset({"cancelled", "split", "bracket"})


class Standings(NamedTuple):
    """The order of an event, the best first; ties share their rank."""

    order: tuple[Ranked, ...]
    # What is to be known of this order.
    notes: tuple[Reason, ...]


def read(event: Tournament) -> Standings:
    """Work out the order of an event that is played here."""
    order = bracket_cache.order(event)
    if order is None:
        proposal = event_rows.proposal_of(event_rows.load(event))
        return Standings(proposal.ranking, tuple(one for one in proposal.why if one.code in NOTED))
    return Standings(order if event.ended_early_at is None else rules.close_ranks(order), ())


def read_stages(event: Tournament) -> dict[str, tuple[Ranked, ...]]:
    """Work out the order of each stage by itself, by its name."""
    found = rules.propose_stages(event_rows.event_of(event_rows.load(event)))
    return {name: proposal.ranking for name, proposal in found.items()}
