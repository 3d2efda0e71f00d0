"""Which reasons belong to which place: those of what is being made, since afterwards nobody knows them any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draw.event import State

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from draw.event import Event, Key, Place, Proposal, Reason


def of_new_places(
    event: Event, proposal: Proposal, fixed: Collection[str]
) -> Mapping[Key, tuple[Reason, ...]]:
    """Return why each place is proposed that is not made yet; places of *fixed* stages say it themselves."""
    if all(stage.name in fixed for stage in event.stages):
        return {}
    places = {str(place.key): place for place in _new(event, proposal) if place.stage not in fixed}
    passing = {str(place.winner): place for place in places.values() if place.state is State.BYE}
    found: dict[Key, tuple[Reason, ...]] = {}
    for reason in proposal.why if places else ():
        place = places.get(reason.about) or passing.get(reason.about)
        if place is not None:
            found[place.key] = (*found.get(place.key, ()), reason)
    return found


def _new(event: Event, proposal: Proposal) -> Iterator[Place]:
    known = {pairing.key for batch in event.rounds for pairing in batch.pairings}
    given = {(batch.stage, batch.number, bye.entrant) for batch in event.rounds for bye in batch.byes}
    for place in proposal.places:
        is_given = place.state is State.BYE and (place.stage, place.round, place.winner) in given
        if place.key not in known and not is_given:
            yield place
