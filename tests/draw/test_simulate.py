"""Simulated finishes against proposing and deciding one by one, and against exact figures."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from draw import facts, stages
from draw.event import Event, Kind, LeaveTime, MatchRules, RoundRules
from draw.format import Finishes
from draw.formats import FORMATS
from draw.random_stream import RandomStream
from tests.draw import kit
from tests.draw.kit import record

KNOCKOUTS = sorted(name for name, form in FORMATS.items() if form.preview)


def even(one: str, other: str, length: int) -> float:
    return 0.5


def better(one: str, other: str, length: int) -> float:
    """Always the earlier number."""
    return float(int(one.removeprefix("p")) < int(other.removeprefix("p")))


def simulated(event: Event, runs: int, odds: object = even) -> Finishes | None:
    field = stages.build_field(event, event.stages[0], {})
    simulate = FORMATS[event.stages[0].format].simulate
    assert field is not None
    assert simulate is not None
    return simulate(field, RandomStream(event.seed).child(""), runs, odds)  # type: ignore[arg-type]


@pytest.mark.parametrize("form", KNOCKOUTS)
@pytest.mark.parametrize("count", [2, 3, 6, 13, 21, 32])
def test_with_certain_winners_it_is_what_is_played(form: str, count: int) -> None:
    event = kit.event(count, form)
    _, proposal, played = kit.play_out(event)
    finishes = simulated(event, 3, better)
    assert finishes.ranks == {one.entrant: {one.rank: 3} for one in proposal.ranking}
    assert sum(finishes.matches.values()) == 3 * 2 * played


@pytest.mark.parametrize("form", KNOCKOUTS)
def test_half_way_through_it_goes_on_from_there(form: str) -> None:
    event = kit.event(13, form)
    for _ in range(3):
        proposal = stages.propose(event)
        event = facts.make_pairings(event, proposal)
        for at, place in enumerate(proposal.ready):
            kind = (Kind.PLAYED, Kind.FORFEIT, Kind.DOUBLE_FORFEIT)[at % 3]
            result = kit.won(place.entrants[at % 2], kind)
            event = facts.record_result(
                event, place.key, result if kind is not Kind.DOUBLE_FORFEIT else replace(result, winner=None)
            )
        finishes = simulated(event, 2, better)
        _, end, _ = kit.play_out(event)
        assert finishes.ranks == {one.entrant: {one.rank: 2} for one in end.ranking}


def test_a_finished_event_has_one_finish() -> None:
    event, proposal, _ = kit.play_out(kit.event(8, "double-elimination"))
    finishes = simulated(event, 5)
    assert finishes.ranks == {one.entrant: {one.rank: 5} for one in proposal.ranking}
    assert not sum(finishes.matches.values())


def test_even_chances_come_out_even() -> None:
    finishes = simulated(kit.event(8, "double-elimination"), 4000)
    wins = [ranks.get(1, 0) for ranks in finishes.ranks.values()]
    assert sum(wins) == 4000
    assert sum((seen - 500) ** 2 / 500 for seen in wins) < 40
    # 14 matches, and one more in half of the finals that the challenger wins: every second.
    assert sum(finishes.matches.values()) / 2 / 4000 == pytest.approx(14.5, abs=0.05)


def test_the_unbeaten_finalist_wins_three_in_four() -> None:
    event = kit.event(4, "double-elimination", draw="listed")
    for key, winner in (("main/1.1", "p1"), ("main/1.2", "p2"), ("main/2.1", "p1")):
        event = record(event, key, winner)
    finishes = simulated(event, 4000)
    assert finishes.ranks[kit.EntrantId("p1")][1] / 4000 == pytest.approx(0.75, abs=0.03)


def test_the_second_final_alone() -> None:
    event = kit.event(2, "double-elimination", draw="listed")
    event = record(record(event, "main/1.1", "p1"), "final/1.1", "p2")
    finishes = simulated(event, 2000)
    assert finishes.ranks[kit.EntrantId("p1")][1] / 2000 == pytest.approx(0.5, abs=0.05)


def test_longer_matches_have_other_odds() -> None:
    event = kit.event(4, "single-elimination", draw="listed")
    rules = (RoundRules(MatchRules(1)), RoundRules(MatchRules(99), "main", -1))
    event = replace(event, stages=(replace(event.stages[0], rules=rules),))
    finishes = simulated(
        event, 500, lambda one, other, length: 0.5 if length == 1 else better(one, other, length)
    )
    assert finishes.ranks[kit.EntrantId("p1")][1] == pytest.approx(250, abs=60)
    assert 1 not in finishes.ranks[kit.EntrantId("p4")]


def test_a_first_match_may_come_after_two_byes() -> None:
    event = kit.event(12, "first-match-losers", draw="listed")
    event = record(event, "main/1.2", "-", Kind.DOUBLE_FORFEIT)
    finishes = simulated(event, 2000)
    # Having passed twice, p1 loses the semi-final to one of two and falls, or is a finalist.
    ranks = finishes.ranks[kit.EntrantId("p1")]
    assert ranks[1] + ranks[2] == pytest.approx(1000, abs=100)
    assert all(sum(ranks.values()) == 2000 for ranks in finishes.ranks.values())


def test_the_same_seed_gives_the_same_runs() -> None:
    event = kit.with_entrant(kit.event(9, "last-chance"), "p3", left=LeaveTime.NOW)
    assert simulated(event, 700) == simulated(event, 700)
    assert simulated(replace(event, seed="8"), 700) != simulated(event, 700)


def test_where_there_is_no_sheet_there_is_no_table() -> None:
    assert simulated(kit.event(1, "single-elimination"), 10) is None
    assert simulated(kit.event(8, "single-elimination", redraw=True), 10) is None


def test_first_match_losers_in_both_ways() -> None:
    finishes = simulated(kit.event(21, "first-match-losers"), 400)
    counts = Counter(sum(ranks.values()) for ranks in finishes.ranks.values())
    assert counts == {400: 21}
