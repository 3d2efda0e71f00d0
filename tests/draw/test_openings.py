"""Latecomers join and play if there is a way in; otherwise none is offered."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from draw import facts, openings, stages
from draw.event import Entrant, EntrantId, Event, From, Kind, Proposal, Result
from draw.formats import FORMATS
from draw.openings import Opening
from tests.draw import kit
from tests.draw.test_machine import CHAINS, OPTIONS, SIZES
from tests.draw.test_machine_rounds import MANNERS

pytestmark = pytest.mark.pure

LATE = EntrantId("p99")
TRIED: list[tuple[str, dict[str, Any]]] = [
    *((form, dict(options)) for form in sorted(FORMATS) for options in OPTIONS.get(form, [{}])),
    *MANNERS,
    *((chain, {}) for chain in CHAINS),
]


def begun(form: str, options: dict[str, Any], rng: random.Random) -> Event:
    least, most = SIZES.get(form, (3, 17))
    event = kit.event(rng.randint(least, most), form if form in FORMATS else "swiss", **options)
    event = replace(event, stages=CHAINS.get(form, event.stages))
    return facts.make_pairings(event, stages.propose(event))


def newcomer(event: Event) -> Entrant:
    """A player who can play from the round after the last."""
    first = event.stages[0].name
    made = [batch.number for batch in event.rounds if batch.stage == first and batch.pairings]
    return Entrant(LATE, arrived=max(2, max(made, default=0) + 1))


def let_in(event: Event, way: Opening) -> Event:
    late = replace(newcomer(event), joins=way.place if way.is_side else "")
    return replace(event, entrants=(*event.entrants, late))


def play_one(event: Event, shown: Proposal, rng: random.Random) -> Event:
    place = rng.choice(shown.ready)
    a, b = place.entrants
    kind = rng.choice([Kind.PLAYED] * 5 + [Kind.NO_SHOW, Kind.FORFEIT])
    event = facts.record_result(event, place.key, Result(kind, rng.choice([a, b])))
    return facts.make_pairings(event, stages.propose(event))


@pytest.mark.long
@pytest.mark.parametrize(("form", "options"), TRIED)
@pytest.mark.parametrize("lot", [0, *(pytest.param(lot, marks=pytest.mark.slow) for lot in range(1, 20))])
def test_every_way_in_leads_to_a_match_and_takes_nothing_from_anybody(
    form: str, options: dict[str, Any], lot: int
) -> None:
    rng = random.Random(f"{form} {options} {lot}")
    event = begun(form, options, rng)
    for _ in range(5):
        for _ in range(rng.randint(0, 4)):
            shown = stages.propose(event)
            if shown.ready:
                event = play_one(event, shown, rng)
        before = stages.propose(event)
        if before.finished or not before.ready:
            break
        late = newcomer(event)
        ways = openings.find_openings(event, late)
        for way in ways:
            joined = let_in(event, way)
            after = stages.propose(joined)
            assert len(after.stale) == len(before.stale)
            if way.place != openings.ROUNDS:
                assert LATE in kit.by_key(after)[way.key].entrants
            sits_where_all_were(before, after)
            assert comes_to_a_seat(joined, rng), way
            if lot:
                _, done, _ = kit.play_out(joined, lambda place: rng.choice(place.entrants))
                first = event.stages[0]
                if stages.get_format(first).is_sheet(first.options):
                    covers(after, done)
                assert LATE in {ranked.entrant for ranked in done.ranking}
        if not any(not way.is_side for way in ways):
            alone = replace(event, entrants=(*event.entrants, late))
            there = stages.propose(alone)
            takes = len(there.stale) > len(before.stale)
            assert not openings.is_seated(there, LATE) or takes or before_is_over(event)


def covers(shown: Proposal, done: Proposal) -> None:
    """Compare the places shown after the newcomer joined with the final ones."""
    ends = {ranked.entrant: ranked for ranked in done.ranking}
    for ranked in shown.ranking:
        end = ends[ranked.entrant]
        assert ranked.rank <= end.rank, ranked
        assert end.rank + end.shared <= ranked.rank + ranked.shared, ranked


def comes_to_a_seat(event: Event, rng: random.Random) -> bool:
    """True if the newcomer has a seat once the open matches are played."""
    shown = stages.propose(event)
    for place in shown.ready:
        if openings.is_seated(shown, LATE):
            break
        event = facts.record_result(event, place.key, kit.won(rng.choice(place.entrants)))
        shown = stages.propose(event)
    return openings.is_seated(shown, LATE)


def sits_where_all_were(before: Any, after: Any) -> None:
    """True if all paired players keep their opponents."""
    there = kit.by_key(after)
    if any(place.bracket and place.key.startswith(("main", "consolation")) for place in before.places):
        for place in before.ready:
            assert there[place.key].entrants == place.entrants


def before_is_over(event: Event) -> bool:
    """True if the stage that all entrants play in is over."""
    return stages.propose_stages(event)[event.stages[0].name].finished


def test_a_full_main_draw_leaves_the_bye_of_the_consolation() -> None:
    event = kit.event(8, "progressive-consolation", draw="listed")
    event = facts.make_pairings(event, stages.propose(event))
    first, *others = stages.propose(event).ready
    for place in others:
        event = facts.record_result(event, place.key, kit.won(place.entrants[0]))
    event = facts.record_result(event, first.key, kit.won(first.entrants[0], Kind.NO_SHOW))

    (way,) = openings.find_openings(event, newcomer(event))

    assert way.bracket == "consolation"
    assert way.is_side
    place = kit.by_key(stages.propose(let_in(event, way)))[way.key]
    assert {seat.origin for seat in (place.a, place.b)} == {From.LATE, From.LOSER}
    assert way.against in place.entrants


def test_a_full_knock_out_without_a_side_bracket_has_no_way_in() -> None:
    event = kit.event(8, "single-elimination", draw="listed")
    event = facts.make_pairings(event, stages.propose(event))

    assert openings.find_openings(event, newcomer(event)) == ()


def test_the_last_round_of_a_swiss_is_the_last_chance_to_join() -> None:
    event = kit.event(6, "swiss", rounds=2)
    event = facts.make_pairings(event, stages.propose(event))
    assert [way.round for way in openings.find_openings(event, newcomer(event))] == [2]

    for place in stages.propose(event).ready:
        event = facts.record_result(event, place.key, kit.won(place.entrants[0]))
    event = facts.make_pairings(event, stages.propose(event))

    assert openings.find_openings(event, newcomer(event)) == ()


def test_a_seat_in_a_later_stage_is_won_and_not_given() -> None:
    event = begun("groups, then a cup", {}, random.Random(3))
    while not before_is_over(event):
        for place in stages.propose(event).ready:
            event = facts.record_result(event, place.key, kit.won(place.entrants[0]))
        event = facts.make_pairings(event, stages.propose(event))

    assert openings.find_openings(event, newcomer(event)) == ()
