"""Small events, and functions that play them by their rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from draw import facts, stages
from draw.event import Draw, Entrant, EntrantId, Event, From, Key, Kind, Place, Proposal, Result, Stage, State
from draw.options import Options, Value

ENOUGH_ROUNDS = 200
# All of a league's matches may be played at any time.
AT_ONCE = {"league"}


def names(count: int) -> tuple[EntrantId, ...]:
    return tuple(EntrantId(f"p{at}") for at in range(1, count + 1))


def event(count: int | Iterable[str], form: str, **options: Value) -> Event:
    ids = names(count) if isinstance(count, int) else tuple(EntrantId(name) for name in count)
    return Event(
        stages=(Stage("", form, Options.from_values(**options)),),
        entrants=tuple(Entrant(one) for one in ids),
        seed="7",
    )


def publish_draw(event: Event, proposal: Proposal) -> Event:
    """Publish the draw of an event with its late entrants, so that no line changes any more (P14)."""
    first = event.stages[0]
    if not stages.get_format(first).is_sheet(first.options):
        return event
    stands = {
        seat.number: seat.entrant
        for place in proposal.places
        for seat in (place.a, place.b)
        if place.stage == first.name and seat.origin is From.DRAW
    }
    size = 2 ** (max(*stands, 2) - 1).bit_length()
    lines = tuple(stands.get(line) for line in range(1, size + 1))
    draw = event.draws[0] if event.draws else Draw(first.name, lines, "seeded")
    late = tuple((line, who) for line, who in sorted(stands.items()) if who and who not in draw.lines)
    return replace(event, draws=(replace(draw, late=late),))


def find_lines(proposal: Proposal) -> list[EntrantId | None]:
    """Return the lines of the first stage, a sheet, with its late entrants."""
    seats = {
        seat.number: seat.entrant
        for place in proposal.places
        if place.stage == proposal.places[0].stage
        for seat in (place.a, place.b)
        if seat.key is None and seat.number and seat.origin in (From.DRAW, From.NOBODY)
    }
    return [seats[line] for line in sorted(seats)]


def by_key(proposal: Proposal) -> dict[str, Place]:
    return {place.key: place for place in proposal.places}


def won(winner: str, kind: Kind = Kind.PLAYED) -> Result:
    return Result(kind, EntrantId(winner))


def record(event: Event, key: str, winner: str, kind: Kind = Kind.PLAYED) -> Event:
    """Make the proposed pairings, and record a result for one place."""
    made = facts.make_pairings(event, stages.propose(event))
    return facts.record_result(made, Key(key), Result(kind) if winner == "-" else won(winner, kind))


def favourite(place: Place) -> EntrantId:
    """The earlier number wins: p2 beats p11."""
    return min(place.entrants, key=lambda name: int(name.removeprefix("p")))


def play_out(event: Event, choose: Callable[[Place], EntrantId] = favourite) -> tuple[Event, Proposal, int]:
    """Play an event to the end; return it, its last proposal and the matches played."""
    played = 0
    for _ in range(ENOUGH_ROUNDS):
        proposal = stages.propose(event)
        check(event, proposal)
        if proposal.finished:
            return event, proposal, played
        event = facts.make_pairings(event, proposal)
        assert proposal.ready, f"nothing to play, and not finished: {waiting(proposal)}"
        for place in proposal.ready:
            event = facts.record_result(event, place.key, won(choose(place)))
            played += 1
    message = "an event without an end"
    raise AssertionError(message)


def waiting(proposal: Proposal) -> list[Place]:
    return [place for place in proposal.places if place.state is State.WAITING]


def check(event: Event, proposal: Proposal) -> None:
    """Check what must be true of every proposal."""
    keys = Counter(place.key for place in proposal.places)
    assert max(keys.values(), default=1) == 1, "a place exists twice"
    entered = {entrant.id for entrant in event.entrants}
    for place in proposal.places:
        assert len(set(place.entrants)) == len(place.entrants), f"{place.key}: one against himself"
        assert set(place.entrants) <= entered
        if place.state is State.DECIDED:
            assert len(place.entrants) == 2
            assert place.winner is None or place.winner in place.entrants
        if place.state is State.READY:
            assert len(place.entrants) == 2
    sits = Counter(
        (place.stage, place.bracket, place.round, one) for place in proposal.places for one in place.entrants
    )
    assert max(sits.values(), default=1) == 1, f"twice a round: {sits.most_common(2)}"
    now = Counter(
        one for place in proposal.ready for one in place.entrants if event.stages[0].format not in AT_ONCE
    )
    assert max(now.values(), default=1) == 1, f"two matches at once: {now.most_common(2)}"
    ranked = Counter(ranked.entrant for ranked in proposal.ranking)
    assert max(ranked.values(), default=1) == 1, "ranked twice"
    check_places(proposal)


def check_places(proposal: Proposal) -> None:
    """Check that no range of places holds more players than places."""
    ranking = proposal.ranking
    if any(one.group for one in ranking):
        return  # a format may count the places of each group
    assert [one.rank for one in ranking] == sorted(one.rank for one in ranking)
    assert all(1 <= one.rank <= one.last <= len(ranking) for one in ranking)
    within = Counter((one.rank, one.last) for one in ranking)
    for first, last in within:
        inside = sum(count for (low, high), count in within.items() if first <= low and high <= last)
        assert inside <= last - first + 1, f"{inside} on places {first} to {last}"
    if proposal.finished:
        assert not any(one.is_open for one in ranking)
        assert all(count == last - first + 1 for (first, last), count in within.items())


def with_entrant(event: Event, name: str, **changes: object) -> Event:
    return replace(
        event,
        entrants=tuple(
            replace(one, **changes) if one.id == name else one  # type: ignore[arg-type]
            for one in event.entrants
        ),
    )
