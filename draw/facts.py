"""Recording of proposed pairings and of results. Events are not changed; new ones are returned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from draw.event import Bye, Event, Key, Pairing, Place, Proposal, Result, Round, State


class UnknownPlace(LookupError):
    """There is no pairing with this key."""


def make_pairings(event: Event, proposal: Proposal) -> Event:
    """Record the proposed pairings, without results, and the proposed byes.

    A recorded pairing of two other players at the same place is removed (P36).
    """
    sits = {place.key: frozenset(place.entrants) for place in proposal.ready}
    batches = {
        (batch.stage, batch.number): replace(
            batch,
            pairings=tuple(
                one for one in batch.pairings if sits.get(one.key, {one.a, one.b}) == {one.a, one.b}
            ),
        )
        for batch in event.rounds
    }
    known = {pairing.key for batch in batches.values() for pairing in batch.pairings}

    def batch_of(place: Place) -> Round:
        at = (place.stage, place.round)
        return batches.get(at) or Round(place.round, absent=tuple(sorted(event.absent)), stage=place.stage)

    for place in proposal.ready:
        if place.key not in known:
            batch, (a, b) = batch_of(place), place.entrants
            pairing = Pairing(place.key, a, b)
            batches[batch.stage, batch.number] = replace(batch, pairings=(*batch.pairings, pairing))
    for place, bye in _list_byes(proposal):
        batch = batch_of(place)
        batches[batch.stage, batch.number] = replace(batch, byes=(*batch.byes, bye))
    return replace(event, rounds=tuple(batches.values()))


def _list_byes(proposal: Proposal) -> Iterator[tuple[Place, Bye]]:
    """Yield the new byes with their places; for each entrant the latest."""
    passing = {bye.entrant: bye for bye in proposal.byes}
    for place in reversed(proposal.places):
        passer = place.winner if place.state is State.BYE else None
        if passer is not None and passer in passing:
            yield place, passing.pop(passer)


def record_result(event: Event, key: Key, result: Result | None) -> Event:
    """Record the result of a pairing; None reopens it.

    :raises UnknownPlace: there is no pairing with this key.
    """
    if all(one.key != key for batch in event.rounds for one in batch.pairings):
        raise UnknownPlace(key)
    return replace(
        event,
        rounds=tuple(
            replace(
                batch,
                pairings=tuple(
                    replace(one, result=result, stands=None) if one.key == key else one
                    for one in batch.pairings
                ),
            )
            for batch in event.rounds
        ),
    )
