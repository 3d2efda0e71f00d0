"""What-if: without a change it equals the forecast, and longer play never ends earlier."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from draw import facts, stages
from draw.event import Clock, Event, Key, MatchRules, RoundRules, Stage, State, Take
from draw.forecast import remaining_matches, what_if
from draw.forecast.event_forecast import forecast_event, plan_event
from draw.forecast.room import Room
from draw.forecast.run_statistics import Forecast
from draw.forecast.what_if import Question, SimulatedEvenings
from draw.options import Options
from draw.random_stream import RandomStream
from tests.calls import calls_of
from tests.draw import kit

NOON = datetime(2026, 3, 5, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
FORMS = (
    ("single-elimination", {}),
    ("single-elimination", {"redraw": True}),
    ("progressive-consolation", {}),
    ("double-elimination", {}),
    ("swiss", {"rounds": 4}),
    ("lives", {"lives": 2}),
    ("round-robin", {}),
    ("groups", {"groups": 2}),
)


def stage(form: str, name: str = "main", takes: tuple[Take, ...] = (), length: int = 7, **options) -> Stage:
    rules = (RoundRules(MatchRules(length=length, clock=Clock())),)
    return Stage(name, form, Options.from_values(**options), takes, rules)


def played(event: Event, matches: int) -> tuple[Event, remaining_matches.RemainingMatches]:
    """Play so many matches of an event; return it with the rest."""
    proposal = stages.propose(event)
    for _ in range(matches):
        event = facts.make_pairings(event, proposal)
        ready = stages.propose(event).ready
        if not ready:
            break
        event = facts.record_result(event, ready[0].key, kit.won(ready[0].entrants[0]))
        proposal = stages.propose(event)
    left, is_whole = remaining_matches.plan_known_matches(event, proposal.places)
    assert is_whole
    return event, left


def evenings(
    left: remaining_matches.RemainingMatches, tables: int = 0, runs: int = 12, started: int = 0, **room
) -> SimulatedEvenings:
    """Simulated evenings in which the first matches have run for twenty minutes."""
    keys = [step.key for step in left.steps if step.key is not None and not step.after][:started]
    began = {key: NOON - timedelta(minutes=20) for key in keys}
    return SimulatedEvenings(
        left, Room(tables=tables, started=began, **room), NOON, RandomStream("tonight"), runs=runs
    )


def not_later(early: Forecast, late: Forecast) -> bool:
    return all(one <= other for one, other in zip(early.ends, late.ends, strict=True))


@some.composite
def nights(draw) -> tuple[remaining_matches.RemainingMatches, SimulatedEvenings]:
    form, options = draw(some.sampled_from(FORMS))
    event = plan_event([stage(form, **options)], draw(some.integers(4, 13)))
    _event, left = played(event, draw(some.integers(0, 9)))
    lunch = (NOON + HOUR, NOON + 2 * HOUR)
    breaks = draw(some.sampled_from([(), (lunch,)]))
    started, tables = draw(some.integers(0, 6)), draw(some.integers(0, 7))
    return left, evenings(left, tables, started=started, breaks=breaks)


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(nights(), some.data())
def test_what_takes_longer_never_ends_earlier(
    night: tuple[remaining_matches.RemainingMatches, SimulatedEvenings], data
) -> None:
    left, found = night
    assert found.what_if(Question()) == found.forecast

    tables = data.draw(some.integers(1, 8))
    points = data.draw(some.integers(-4, 4))
    leaving = data.draw(some.integers(0, max(0, left.most_leaving)))
    asked = Question(tables=tables, points=points, leaving=leaving)
    answer = found.what_if(asked)
    assert not_later(found.what_if(Question(tables + 1, points, None, leaving)), answer)
    assert not_later(found.what_if(Question(0, points, None, leaving)), answer)
    assert not_later(answer, found.what_if(Question(tables, points + 1, None, leaving)))
    assert not_later(answer, found.what_if(Question(tables, points, None, max(0, leaving - 1))))
    by_round = [found.what_if(Question(tables, points, number, leaving)) for number in left.stops]
    assert all(not_later(one, other) for one, other in pairwise([*by_round, answer]))


@pytest.mark.long
def test_with_tables_given_to_whoever_is_ready_first_another_table_may_end_it_later() -> None:
    """Without the fixed order: another table ends some evenings later."""
    _event, left = played(plan_event([stage("double-elimination")], 13), 0)
    four, five = (evenings(left, tables, runs=200) for tables in (4, 5))
    alone = [[found._simulate_order(*numbers)[1] for numbers in found.numbers] for found in (four, five)]
    assert any(more > few for few, more in zip(*alone, strict=True))
    assert not_later(four.what_if(Question(tables=5)), four.forecast)


@pytest.mark.parametrize(
    ("form", "options"),
    [
        ("single-elimination", {}),
        ("double-elimination", {}),
        ("swiss", {"rounds": 5}),
        ("lives", {"lives": 2}),
        ("round-robin", {}),
    ],
)
@pytest.mark.long
def test_it_says_the_same_as_the_forecast_that_plays_everything(form, options) -> None:
    event = plan_event([stage(form, **options)], 16)
    told = evenings(played(event, 0)[1], 6, runs=100).forecast
    known = forecast_event(event, Room(tables=6), NOON, RandomStream("other"), runs=100)
    for share in (0.1, 0.5, 0.9):
        took, takes = told.over_at(share) - NOON, known.over_at(share) - NOON
        assert abs(took / takes - 1) < 0.16


def test_where_the_order_of_play_is_the_same_it_is_the_same_day() -> None:
    event = plan_event([stage("single-elimination")], 2)
    found = evenings(played(event, 0)[1], 1, runs=200)
    takes = [(end - NOON) / timedelta(minutes=1) for end in found.forecast.ends]
    assert abs(sum(takes) / len(takes) - 7 * 8) < 3
    shorter = found.what_if(Question(points=-2))
    assert not_later(shorter, found.forecast)
    assert abs((shorter.over_at() - NOON) / (found.forecast.over_at() - NOON) - 5 / 7) < 0.03


def test_a_match_that_runs_keeps_its_length_and_its_table() -> None:
    _event, left = played(plan_event([stage("single-elimination")], 2), 0)
    found = evenings(left, 1, started=1)
    assert found.what_if(Question(points=6)) == found.forecast
    assert found.what_if(Question(leaving=2)) == found.forecast
    _event, two = played(plan_event([stage("round-robin")], 4), 0)
    both = evenings(two, 2, started=2)
    one = both.what_if(Question(tables=1))
    assert not_later(both.forecast, one)
    assert one != both.forecast


def test_nobody_is_waited_for_who_has_left() -> None:
    _event, left = played(plan_event([stage("single-elimination")], 4), 0)
    found = evenings(left, runs=50)
    assert left.most_leaving == 4
    # Of four, three leave: there is no final.
    assert set(found.what_if(Question(leaving=3)).ends) == {NOON}
    assert found.what_if(Question(leaving=4)).ends == (NOON,) * 50
    _event, swiss = played(plan_event([stage("swiss", rounds=3)], 8), 0)
    assert swiss.most_leaving == 6
    assert {step.number for step in swiss.steps if step.round == 2} == {1, 2, 3, 4}
    assert swiss.rounds[2] == (0, 3, 3)


def test_rounds_can_be_left_out_only_where_it_stops_between_them() -> None:
    _event, swiss = played(plan_event([stage("swiss", rounds=4)], 8), 5)
    assert swiss.stops == (2, 3)
    found = evenings(swiss)
    two, three = (found.what_if(Question(last_round=number)) for number in swiss.stops)
    assert two.over_at() < three.over_at() < found.forecast.over_at()
    assert played(plan_event([stage("double-elimination")], 8), 0)[1].stops == ()
    assert played(plan_event([stage("lives", lives=2)], 8), 0)[1].stops == ()


def test_a_stage_that_is_not_drawn_yet_is_counted() -> None:
    cup = stage("single-elimination", "cup", (Take("groups", 1, 2, each_group=True),))
    chain = [stage("groups", "groups", groups=2), cup]
    _event, left = played(plan_event(chain, 8), 0)
    assert sum(step.rules is not None for step in left.steps) == 12 + 3
    alone = evenings(played(plan_event(chain[:1], 8), 0)[1], 4).forecast
    assert evenings(left, 4).forecast.over_at() > alone.over_at() + HOUR


@pytest.mark.parametrize(
    ("first", "players", "take", "matches"),
    [
        # The best eight of six or five players go on.
        (stage("swiss", "first", rounds=1), 6, Take("first", 1, 8), 3 + 5),
        (stage("swiss", "first", rounds=1), 5, Take("first", 1, 8), 2 + 4),
        # Of a group of four and one of three, the best four go on, or those in third and fourth place.
        (stage("groups", "first", groups=2), 7, Take("first", 1, 4, each_group=True), 9 + 6),
        (stage("groups", "first", groups=2), 7, Take("first", 3, 4, each_group=True), 9 + 2),
    ],
)
def test_no_more_players_go_on_than_there_are(first: Stage, players: int, take: Take, matches: int) -> None:
    cup = stage("single-elimination", "cup", (take,))
    _event, left = played(plan_event([first, cup], players), 0)
    assert sum(step.rules is not None for step in left.steps) == matches


def test_where_nobody_can_know_nothing_is_told() -> None:
    def is_known(one: Stage, players: int = 8) -> bool:
        event = plan_event([one], players)
        return remaining_matches.plan_known_matches(event, stages.propose(event).places)[1]

    assert not is_known(stage("swiss"))
    assert not is_known(stage("lives", mode="continuous"))
    assert not is_known(stage("lives", bracket=4))
    weekly = Stage("main", "league", rules=(RoundRules(MatchRules(days=7)),))
    assert not is_known(weekly)


def test_when_all_is_played_it_is_over() -> None:
    event, left = played(plan_event([stage("single-elimination")], 4), 3)
    assert all(place.state is not State.READY for place in stages.propose(event).places)
    found = evenings(left)
    assert found.what_if(Question(tables=1, points=2)).ends == (NOON,) * 12


def test_the_same_numbers_answer_every_time() -> None:
    _event, left = played(plan_event([stage("lives", lives=2)], 9), 2)
    assert evenings(left, 3).what_if(Question(2)) == evenings(left, 3).what_if(Question(2))
    assert Key("main/1.1") in {step.key for step in played(plan_event([stage("consolation")], 4), 0)[1].steps}


# A tenth of a second of an ordinary processor is about a million.
MOST_CALLS = 700_000


@pytest.mark.long
@pytest.mark.parametrize(("form", "options"), FORMS)
def test_sixty_four_players_are_little_work(form, options) -> None:
    if form in {"round-robin", "groups"}:
        options = {"groups": 16}
        form = "groups"
    event = plan_event([stage(form, **options)], 64)
    places = stages.propose(event).places

    def compute() -> None:
        left, is_whole = remaining_matches.plan_known_matches(event, places)
        assert is_whole
        asked = SimulatedEvenings(left, Room(tables=16), NOON, RandomStream("64"), runs=what_if.RUNS)
        asked.what_if(Question(tables=14, leaving=2))

    compute()
    assert calls_of(compute) < MOST_CALLS
