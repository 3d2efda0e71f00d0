"""Events as files: read again they are the same event."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from draw import facts, json_objects, stages
from draw.event import EntrantId, Event, Kind, LeaveTime, PairingExclusion, Points, RequestedBye, Result
from draw.files import event_file, event_input
from draw.formats import FORMATS
from tests.draw import kit
from tests.draw.test_machine import CHAINS, OPTIONS

pytestmark = pytest.mark.pure


def again(event: Event) -> Event:
    """Write the event, and read it as anybody would."""
    data = json_objects.parse_strict_json(json.dumps(event_file.write_event(event)))
    found, _names = event_input.read_event(data)
    json_objects.require_all_read(data)
    return found


def half_played(event: Event) -> Event:
    """Play on until a few results of every kind are there."""
    kinds = [Kind.PLAYED, Kind.FORFEIT, Kind.PLAYED, Kind.NO_SHOW, Kind.DOUBLE_FORFEIT, Kind.WALKOVER]
    done = 0
    for _ in range(3):
        proposal = stages.propose(event)
        event = facts.make_pairings(event, proposal)
        for place in proposal.ready[:4]:
            kind = kinds[done % len(kinds)]
            winner = None if kind is Kind.DOUBLE_FORFEIT else place.entrants[done % 2]
            score = (5, 3) if winner == place.a.entrant else (2, 5)
            event = facts.record_result(
                event, place.key, Result(kind, winner, score if kind is Kind.PLAYED else None)
            )
            done += 1
    return event


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_an_event_of_every_format_is_read_again(form: str) -> None:
    for options in OPTIONS.get(form, [{}]):
        event = half_played(kit.event(9, form, **options))  # type: ignore[arg-type]
        found = again(event)
        assert stages.propose(found) == stages.propose(event)
        assert {one.key: one for batch in found.rounds for one in batch.pairings} == {
            one.key: one for batch in event.rounds for one in batch.pairings
        }


@pytest.mark.parametrize("name", sorted(CHAINS))
def test_so_are_stages_that_take_from_each_other(name: str) -> None:
    event = half_played(replace(kit.event(12, "groups"), stages=CHAINS[name]))
    assert stages.propose(again(event)) == stages.propose(event)


def test_and_everything_an_entrant_can_be() -> None:
    event = kit.event(8, "swiss", rounds=3)
    first, second, *rest = event.entrants
    event = replace(
        event,
        entrants=(
            replace(first, rating=1633.5, club="North", family="Oak", seed=1, pot=2, head_start=Points(1, 2)),
            replace(second, left=LeaveTime.AFTER, arrived=2, asked=(RequestedBye(2, Points(1, 2)),)),
            replace(rest[0], left=LeaveTime.NOW, left_as=1, left_after_draws=("cup",)),
            *rest[1:],
        ),
        absent=frozenset({EntrantId("p5")}),
        apart=(PairingExclusion(frozenset({EntrantId("p1"), EntrantId("p2")}), hard=False, why="a couple"),),
        scores=((EntrantId("p3"), Points(3, 2)),),
    )
    assert again(event) == event
