"""An incrementally updated sheet always equals a newly resolved one."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from draw import facts, stages
from draw.brackets import knockout
from draw.brackets.resolution import ResolvedSheet
from draw.event import Draw, EntrantId, Event, Kind, LeaveTime, Result
from draw.options import Value
from tests.draw import kit

pytestmark = pytest.mark.pure

SHEETS: list[tuple[str, dict[str, Value]]] = [
    *((form, {}) for form in sorted(knockout.PRESETS)),
    ("double-elimination", {"recharge": False, "no_show_drops": True}),
    ("single-elimination", {"third_place": True}),
]


def drawn(count: int, form: str, options: dict[str, Value]) -> Event:
    event = kit.event(count, form, **options)
    seats = {
        seat.number: seat.entrant
        for place in stages.propose(event).places
        for seat in (place.a, place.b)
        if seat.key is None
    }
    return replace(event, draws=(Draw("", tuple(seats[line] for line in sorted(seats)), "random"),))


def running(event: Event) -> ResolvedSheet:
    field = stages.build_field(event, event.stages[0], {})
    assert field is not None
    return knockout.open_sheet(field)


@pytest.mark.long
@pytest.mark.parametrize(("form", "options"), SHEETS)
@pytest.mark.parametrize("count", [2, 3, 6, 13, 16, 24])
@pytest.mark.parametrize("lot", range(4))
def test_it_says_what_resolving_anew_would_say(
    form: str, options: dict[str, Value], count: int, lot: int
) -> None:
    if form == "last-chance" and count > 16:
        count = 16
    rng = random.Random(f"{form} {count} {lot}")
    event = drawn(count, form, options)
    if lot > 1:
        gone = rng.sample(event.entrants, min(2, count - 1))
        for one in gone:
            event = kit.with_entrant(event, one.id, left=rng.choice(list(LeaveTime)))
    event = facts.make_pairings(event, stages.propose(event))
    sheet = running(event)
    while ready := stages.propose(event).ready:
        place = rng.choice(ready)
        kinds = [Kind.PLAYED] * 6 + [Kind.NO_SHOW, Kind.WALKOVER, Kind.DOUBLE_FORFEIT, Kind.WITHDRAWAL]
        kind = rng.choice(kinds)
        winner = None if kind is Kind.DOUBLE_FORFEIT else EntrantId(rng.choice(place.entrants))
        event = facts.record_result(event, place.key, Result(kind, winner))
        event = facts.make_pairings(event, stages.propose(event))
        for batch in event.rounds:
            for pairing in batch.pairings:
                if sheet.records.get(pairing.key) != pairing:
                    sheet.record(pairing)
        anew = running(event)
        assert list(sheet.spots) == list(anew.spots)
        assert sheet.open == anew.open
    assert not sheet.open


def test_a_result_reaches_only_what_hangs_on_it() -> None:
    event = drawn(128, "double-elimination", {})
    event = facts.make_pairings(event, stages.propose(event))
    sheet = running(event)
    place = stages.propose(event).ready[0]
    a, b = place.entrants

    changed = sheet.record(replace(sheet.records[place.key], result=Result(Kind.PLAYED, a)))

    assert len(changed) == 3
    assert {a, b} <= {one for index in changed for one in (sheet.spots[index].a, sheet.spots[index].b)}
