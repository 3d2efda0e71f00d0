"""Simulated circles against the same matches proposed and decided one by one."""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from draw import facts, stages
from draw.event import Event, Kind, LeaveTime, Result
from draw.forecast.titles import estimate_titles
from draw.format import Odds
from draw.random_stream import MOST_WAYS, OutcomeWalk, RandomStream, TooManyOutcomes
from tests.draw import kit

pytestmark = pytest.mark.pure
FORMS = ("round-robin", "league", "groups")
TIES = (
    (),
    ("points", "play-off"),
    ("points", "direct-encounter", "shared"),
    ("wins-at-the-board", "sonneborn-berger", "lot"),
    ("sonneborn-berger", "buchholz-cut-1", "cumulative", "rating"),
    ("points", "point-difference", "lot"),
)


def settled(seed: str) -> Odds:
    """Deterministic odds: of each two the same player wins, in either order."""

    def odds(one: str, other: str, length: int) -> float:
        digest = blake2b(f"{seed} {' '.join(sorted((one, other)))}".encode()).digest()
        return float((digest[0] % 2 == 0) == (one < other))

    return odds


def begun(event: Event, share: int, odds: Odds) -> Event:
    """Decide about one in *share* of the matches, some of them without play."""
    kinds = (Kind.PLAYED, Kind.PLAYED, Kind.FORFEIT, Kind.VOID, Kind.DOUBLE_FORFEIT)
    for turn in range(3):
        proposal = stages.propose(event)
        event = facts.make_pairings(event, proposal)
        for at, place in enumerate(proposal.ready):
            if (at + turn) % share:
                continue
            kind = kinds[at % len(kinds)]
            winner = place.entrants[at % 2] if kind in (Kind.PLAYED, Kind.FORFEIT) else None
            event = facts.record_result(event, place.key, Result(kind, winner))
    return event


def ended(event: Event, odds: Odds) -> dict[str, int]:
    """Decide the open matches one by one, and return all ranks."""
    while (proposal := stages.propose(event)).ready:
        event = facts.make_pairings(event, proposal)
        for place in proposal.ready:
            a, b = place.entrants
            winner = a if odds(a, b, place.rules.length) else b
            event = facts.record_result(event, place.key, Result(Kind.PLAYED, winner))
    return {ranked.entrant: ranked.rank for ranked in proposal.ranking}


@st.composite
def events(draw: st.DrawFn) -> Event:
    form = draw(st.sampled_from(FORMS))
    options: dict[str, object] = {"ties": draw(st.sampled_from(TIES)), "times": draw(st.sampled_from((1, 2)))}
    if form == "groups":
        options["size"] = draw(st.sampled_from((2, 3, 4, 5)))
    if not options["ties"]:
        del options["ties"]
    event = kit.event(draw(st.integers(3, 9)), form, **options)
    changed = []
    for at, one in enumerate(event.entrants):
        rated = replace(one, rating=1500.0 + 7 * (at % 3), head_start=one.head_start + at % 2)
        if at == 1 and draw(st.booleans()):
            rated = replace(rated, arrived=2)
        changed.append(rated)
    return replace(event, entrants=tuple(changed), seed=str(draw(st.integers(0, 99))))


@settings(max_examples=20, deadline=None)
@given(event=events(), share=st.sampled_from((1, 2, 3, 99)), leaves=st.booleans(), seed=st.integers(0, 999))
def test_every_rank_is_that_of_the_event_played_out(
    event: Event, share: int, leaves: bool, seed: int
) -> None:
    odds = settled(str(seed))
    event = begun(event, share, odds)
    if leaves:
        event = kit.with_entrant(event, event.entrants[-1].id, left=LeaveTime.NOW)
    field = stages.build_field(event, event.stages[0], {})
    form = stages.get_format(event.stages[0])
    rng = RandomStream(field.seed).child(field.stage.name)
    expected = ended(event, odds)

    finishes = form.simulate(field, rng, 2, odds)
    assert finishes.ranks == {one: {rank: 2} for one, rank in expected.items()}

    assert form.playout is not None
    playout = form.playout(field, rng, odds)
    first = {one for one, rank in expected.items() if rank == 1}
    assert {one for one, times in playout.winners(rng, 2).items() if times == 2} == first
    if playout.open <= 7:
        shares = playout.every_winner()
        assert {one for one, share in shares.items() if share == 1.0} == first


@pytest.mark.parametrize("form", FORMS)
def test_random_finishes_agree_with_every_way(form: str) -> None:
    event = kit.event(4, form)
    odds = lambda one, other, length: 0.7 if one < other else 0.3  # noqa: E731
    exact = estimate_titles(event, odds, runs=1)
    assert exact.runs == 0
    field = stages.build_field(event, event.stages[0], {})
    made = stages.get_format(event.stages[0])
    assert made.playout is not None
    playout = made.playout(field, RandomStream(field.seed).child(field.stage.name), odds)
    runs = 4_000
    for one, times in playout.winners(RandomStream("7"), runs).items():
        assert times / runs == pytest.approx(exact.shares[one], abs=0.035)


def test_a_league_of_sixteen_takes_little_work_and_says_how_sure_it_is() -> None:
    event = kit.event(16, "league")
    odds = lambda one, other, length: 0.5  # noqa: E731
    found = estimate_titles(event, odds, runs=10_000)
    assert 0 < found.margin <= 0.015
    assert sum(found.shares.values()) >= 1


@pytest.mark.long
def test_what_takes_much_work_is_less_sure_and_says_so() -> None:
    event = kit.event(24, "round-robin", ties=("sonneborn-berger", "cumulative"))
    found = estimate_titles(event, lambda one, other, length: 0.5 if "1" in one else 0.9, runs=10_000)
    assert found.runs < 500
    assert found.margin > 0.015


def test_there_is_an_end_to_looking_at_every_way() -> None:
    def walk() -> None:
        for way in OutcomeWalk():
            for _ in range(MOST_WAYS.bit_length()):
                way.decide(0.5)

    with pytest.raises(TooManyOutcomes):
        walk()
