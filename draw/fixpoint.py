"""From facts to a consistent event: propose, remove what no longer fits, make what is missing, repeat.

Pure. The result is a fixed point: proposing again adds nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from draw import facts, lots, stages
from draw.event import Draw, EntrantId, Event, Key, Pairing, Place, Proposal, Reason, Round, State
from draw.seeding import DrawnLines

# Guards against an endless loop; no real event comes near it.
MOST_STEPS = 500


@dataclass(frozen=True, slots=True)
class SettledEvent:
    """The settled event, its proposal, and the stages that had to begin again."""

    event: Event
    proposal: Proposal
    fallen: frozenset[str] = frozenset()
    # Reasons for new places, including those that wait for the director.
    why: Mapping[Key, tuple[Reason, ...]] = field(default_factory=dict["Key", "tuple[Reason, ...]"])
    # New draws by stage.
    drawn: Mapping[str, DrawnLines] = field(default_factory=dict[str, "DrawnLines"])
    # Stages with all places known from the start.
    fixed: frozenset[str] = frozenset()


def settle_event(
    event: Event,
    *,
    held: Collection[str] = (),
    drafted: Collection[str] = (),
    automatic: Collection[str] = (),
) -> SettledEvent:
    """Compute the fixed point of an event.

    Nothing is made in stages in *held*; no new rounds that need pairing are made in stages in *drafted*. Stages in
    *automatic* that are held or reset are drawn as soon as their players are known, unless a tie needs the director.

    :raises BadOption: a stage cannot be played as announced.
    """
    waiting, fallen = set(held), frozenset[str]()
    drawn: dict[str, DrawnLines] = {}
    why: dict[Key, tuple[Reason, ...]] = {}
    while True:
        settled = _settle_once(event, waiting, drafted)
        event = settled.event
        why |= settled.why
        again = settled.fallen - fallen
        fallen |= again
        waiting |= again
        drawn = {name: found for name, found in drawn.items() if name not in again}
        fresh = {
            name: found
            for name in automatic
            if name in waiting and (found := lots.draw_stage(event, name)) is not None
        }
        if not fresh:
            return replace(settled, fallen=fallen, why=why, drawn=drawn)
        drawn |= fresh
        waiting -= fresh.keys()
        kept = {stage.name for stage in event.stages if stages.get_format(stage).keeps_draw}
        made = (Draw(name, each.lines, each.method) for name, each in fresh.items() if name in kept)
        event = replace(event, draws=(*event.draws, *made))


def _settle_once(event: Event, held: Collection[str], drafted: Collection[str]) -> SettledEvent:
    fallen: set[str] = set()
    why: dict[Key, tuple[Reason, ...]] = {}
    fixed = frozenset(stage.name for stage in event.stages if stages.is_fixed(stage))
    drafted = {*drafted} - fixed
    for _ in range(MOST_STEPS):
        event, dropped = stages.remove_impossible(event)
        fallen |= dropped
        proposal = stages.propose(event)
        after = _remove_stale(event, proposal)
        if after == event:
            after = _update_keys(event, proposal)
        if after == event:
            why |= _explain_new_places(event, proposal, fixed)
            after = _make_proposed(event, proposal, {*held, *fallen}, drafted, fixed)
        if after == event:
            return SettledEvent(event, proposal, frozenset(fallen), why, fixed=fixed)
        event = after
    raise AssertionError("an event that never settles")


def _remove_stale(event: Event, proposal: Proposal) -> Event:
    """Remove pairings of players who do not meet there any more (P36), and byes of players who play."""
    gone = {(stale.pairing.key, stale.pairing.a, stale.pairing.b) for stale in proposal.stale}
    passing = {
        (place.stage, place.round, place.winner) for place in proposal.places if place.state is State.BYE
    }
    return replace(
        event,
        rounds=tuple(
            replace(
                batch,
                pairings=tuple(one for one in batch.pairings if (one.key, one.a, one.b) not in gone),
                byes=tuple(bye for bye in batch.byes if (batch.stage, batch.number, bye.entrant) in passing),
            )
            for batch in event.rounds
        ),
    )


def _update_keys(event: Event, proposal: Proposal) -> Event:
    """Give matches of a round robin their new keys if the numbering has changed."""
    sits = {place.key: frozenset(place.entrants) for place in proposal.places}
    astray = [
        pairing
        for batch in event.rounds
        for pairing in batch.pairings
        if sits.get(pairing.key) != frozenset((pairing.a, pairing.b))
    ]
    if not astray:
        return event
    known = {pairing.key for batch in event.rounds for pairing in batch.pairings} - {
        one.key for one in astray
    }
    free: dict[frozenset[EntrantId], list[Place]] = {}
    for place in proposal.places:
        if place.key not in known and len(place.entrants) > 1:
            free.setdefault(frozenset(place.entrants), []).append(place)
    kept = [
        replace(batch, pairings=tuple(one for one in batch.pairings if one not in astray))
        for batch in event.rounds
    ]
    moved = [(places.pop(0), one) for one in astray if (places := free.get(frozenset((one.a, one.b)), []))]
    return replace(event, rounds=tuple(_add_moved(kept, moved)))


def _add_moved(batches: list[Round], moved: list[tuple[Place, Pairing]]) -> Iterator[Round]:
    by_round = {(batch.stage, batch.number): batch for batch in batches}
    for place, pairing in moved:
        at = (place.stage, place.round)
        batch = by_round.get(at) or Round(place.round, stage=place.stage)
        by_round[at] = replace(batch, pairings=(*batch.pairings, replace(pairing, key=Key(place.key))))
    yield from by_round.values()


def _explain_new_places(
    event: Event, proposal: Proposal, fixed: Collection[str]
) -> Mapping[Key, tuple[Reason, ...]]:
    """Collect the reasons for proposed places that are not made yet; they cannot be computed later.

    Places of *fixed* stages need none.
    """
    if all(stage.name in fixed for stage in event.stages):
        return {}
    places = {
        str(place.key): place for place in _list_new_places(event, proposal) if place.stage not in fixed
    }
    passing = {str(place.winner): place for place in places.values() if place.state is State.BYE}
    found: dict[Key, tuple[Reason, ...]] = {}
    for reason in proposal.why if places else ():
        place = places.get(reason.about) or passing.get(reason.about)
        if place is not None:
            found[place.key] = (*found.get(place.key, ()), reason)
    return found


def _list_new_places(event: Event, proposal: Proposal) -> Iterator[Place]:
    """Yield the places that are neither recorded pairings nor recorded byes."""
    known = {pairing.key for batch in event.rounds for pairing in batch.pairings}
    given = {(batch.stage, batch.number, bye.entrant) for batch in event.rounds for bye in batch.byes}
    for place in proposal.places:
        is_given = place.state is State.BYE and (place.stage, place.round, place.winner) in given
        if place.key not in known and not is_given:
            yield place


def _make_proposed(
    event: Event,
    proposal: Proposal,
    held: Collection[str],
    drafted: Collection[str],
    fixed: Collection[str],
) -> Event:
    """Make what is proposed, except what waits for the director."""
    begun = {(batch.stage, batch.number) for batch in event.rounds if batch.pairings or batch.byes}
    given = {(batch.stage, batch.number, bye.entrant) for batch in event.rounds for bye in batch.byes}

    def is_made(place: Place) -> bool:
        at = (place.stage, place.round)
        if place.stage in held or (place.stage in drafted and at not in begun):
            return False
        # In fixed stages a bye is a place, not a fact.
        return place.state is not State.BYE or (place.stage not in fixed and (*at, place.winner) not in given)

    return facts.make_pairings(event, replace(proposal, places=tuple(filter(is_made, proposal.places))))
