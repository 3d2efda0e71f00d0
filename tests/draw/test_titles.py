"""Winning probabilities: on small fields against enumeration, and random finishes against those."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from draw import facts, stages
from draw.event import Entrant, EntrantId, Event, Kind, LeaveTime, Result, Stage
from draw.forecast import titles as module
from draw.forecast.event_forecast import build_odds
from draw.forecast.titles import estimate_titles
from draw.format import Odds
from draw.options import Options
from tests.draw import kit

pytestmark = pytest.mark.pure
RUNS = 4_000
# More than four standard deviations of a share that was counted in so many runs.
CLOSE = 0.035


def an_event(form: str, ratings: list[float], seed: str = "7") -> Event:
    entrants = tuple(Entrant(EntrantId(f"p{at}"), rating=each) for at, each in enumerate(ratings, 1))
    return replace(Event(stages=(Stage("", form, Options.from_values()),), entrants=entrants), seed=seed)


def counted(event: Event, odds: Odds, matches: int) -> Mapping[EntrantId, float]:
    """Play the event once for each sequence of coin tosses, weighted by its probability."""
    found: dict[EntrantId, float] = {}
    for row in product((True, False), repeat=matches):
        state, likely, tosses = event, 1.0, iter(row)
        used = 0
        while (proposal := stages.propose(state)).ready:
            place = proposal.ready[-1]
            a, b = place.entrants
            a_wins = next(tosses)
            used += 1
            chance = odds(a, b, place.rules.length)
            likely *= chance if a_wins else 1 - chance
            state = facts.record_result(
                facts.make_pairings(state, proposal), place.key, Result(Kind.PLAYED, a if a_wins else b)
            )
        # Sequences that differ only in unused tosses are one outcome.
        likely /= 2 ** (matches - used)
        for ranked in proposal.ranking:
            if ranked.rank == 1:
                found[ranked.entrant] = found.get(ranked.entrant, 0.0) + likely
    return found


ratings = st.lists(st.floats(1000, 2000), min_size=3, max_size=4)


@pytest.mark.long
@settings(max_examples=6, deadline=None)
@given(ratings=ratings, form=st.sampled_from(["single-elimination", "round-robin"]))
def test_small_fields_are_exact(ratings: list[float], form: str) -> None:
    event = an_event(form, ratings)
    odds = build_odds(event.entrants)
    found = estimate_titles(event, odds, runs=1)
    assert found.runs == 0
    by_hand = counted(event, odds, len(ratings) * (len(ratings) - 1) // 2)
    assert {one: share for one, share in found.shares.items() if share} == pytest.approx(
        {one: share for one, share in by_hand.items() if share}
    )


def test_four_in_a_knock_out_by_the_formula() -> None:
    event = an_event("single-elimination", [1900.0, 1700.0, 1500.0, 1300.0])
    odds = build_odds(event.entrants)
    found = estimate_titles(event, odds, runs=1)
    (a, b), (c, d) = (place.entrants for place in stages.propose(event).ready)

    def beats(one: EntrantId, other: EntrantId) -> float:
        return odds(one, other, stages.propose(event).ready[0].rules.length)

    expected = beats(a, b) * (beats(c, d) * beats(a, c) + beats(d, c) * beats(a, d))
    assert found.shares[a] == pytest.approx(expected)
    assert sum(found.shares.values()) == pytest.approx(1)


@pytest.mark.long
@pytest.mark.parametrize("form", ["single-elimination", "double-elimination", "round-robin"])
def test_random_finishes_come_close_to_the_exact_shares(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    event = an_event(form, [1900.0, 1700.0, 1500.0, 1300.0])
    odds = build_odds(event.entrants)
    exact = estimate_titles(event, odds, runs=1)
    assert exact.runs == 0
    monkeypatch.setattr(module, "FEW", -1)
    found = estimate_titles(event, odds, runs=RUNS)
    assert found.runs == RUNS
    for one, share in exact.shares.items():
        assert found.shares.get(one, 0.0) == pytest.approx(share, abs=CLOSE)


def test_what_has_been_decided_counts() -> None:
    event = an_event("single-elimination", [1500.0] * 4)
    odds = build_odds(event.entrants)
    place = stages.propose(event).ready[0]
    winner, loser = place.entrants
    event = facts.record_result(
        facts.make_pairings(event, stages.propose(event)), place.key, Result(Kind.PLAYED, winner)
    )
    found = estimate_titles(event, odds, runs=1)
    assert found.shares.get(loser, 0.0) == 0
    assert found.shares[winner] == pytest.approx(0.5)


def test_what_is_drawn_anew_each_round_is_not_foretold() -> None:
    event = an_event("swiss", [1500.0] * 8)
    assert estimate_titles(event, build_odds(event.entrants), runs=1) is None


@pytest.mark.parametrize(("leave", "share"), [(LeaveTime.NOW, 0.0), (LeaveTime.AFTER, 0.0), (None, 0.25)])
def test_who_has_left_wins_no_more_matches(leave: LeaveTime | None, share: float) -> None:
    """p1 has won the first match and leaves before the opponent in the semi-final is known."""
    event = an_event("single-elimination", [1500.0] * 8)
    event = facts.make_pairings(event, stages.propose(event))
    first = stages.propose(event).ready[0]
    winner = first.entrants[0]
    event = facts.record_result(event, first.key, Result(Kind.PLAYED, winner))
    found = estimate_titles(kit.with_entrant(event, winner, left=leave), build_odds(event.entrants), runs=1)
    assert found.runs == 0
    assert found.shares[winner] == share
    assert sum(found.shares.values()) == pytest.approx(1)


def test_who_leaves_after_the_match_may_win_that_one_alone() -> None:
    event = an_event("single-elimination", [1500.0] * 4)
    event = facts.make_pairings(event, stages.propose(event))
    (leaver, opponent), (third, _) = (place.entrants for place in stages.propose(event).ready)
    gone = kit.with_entrant(event, leaver, left=LeaveTime.AFTER)
    found = estimate_titles(gone, build_odds(event.entrants), runs=1)
    assert found.shares[leaver] == 0
    assert found.shares[opponent] == pytest.approx(0.25)
    assert found.shares[third] == pytest.approx(0.375)
