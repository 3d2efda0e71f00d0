"""Forecasts against published figures, and against exact probabilities where known."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest

from draw import facts, stages
from draw.event import (
    Clock,
    Entrant,
    EntrantId,
    Event,
    Key,
    LeaveTime,
    MatchRules,
    RoundRules,
    Stage,
    Take,
)
from draw.forecast.event_forecast import (
    build_odds,
    compute_fibs_chance,
    forecast_event,
    plan_event,
    rehearse_event,
)
from draw.forecast.room import Room, SimulatedTables, compute_longest_minutes, draw_duration
from draw.forecast.run_statistics import Tally
from draw.options import Options
from draw.random_stream import RandomStream
from tests.draw import kit

NOON = datetime(2026, 3, 5, 12, tzinfo=UTC)
SEVEN = (RoundRules(MatchRules(length=7, clock=Clock())),)


def stage(form: str, name: str = "main", rules=SEVEN, takes=(), **options) -> Stage:
    return Stage(name, form, Options.from_values(**options), takes, rules)


def asked(event: Event, room: Room | None = None, **more):
    return forecast_event(event, room or Room(), NOON, RandomStream("forecast"), **more)


def hours(moment: datetime) -> float:
    return (moment - NOON) / timedelta(hours=1)


@pytest.mark.parametrize(
    ("difference", "chances"),
    [(100, ".529 .550 .564 .576 .585 .594"), (300, ".585 .645 .684 .714 .738 .759")],
)
def test_the_favourite_s_chance_by_the_published_formula(difference, chances):
    found = [compute_fibs_chance(1500 + difference, 1500, length) for length in (1, 3, 5, 7, 9, 11)]
    assert [f"{chance:.3f}"[1:] for chance in found] == chances.split()


def test_one_without_a_rating_is_average():
    odds = build_odds((Entrant(EntrantId("A"), rating=1600), Entrant(EntrantId("B"))))
    assert odds(EntrantId("A"), EntrantId("B"), 5) == compute_fibs_chance(1600, 1500, 5)


@pytest.mark.parametrize(("length", "minutes"), [(3, 38), (5, 58), (7, 78)])
def test_a_clock_bounds_a_match_as_clubs_plan_it(length, minutes):
    assert round(compute_longest_minutes(MatchRules(length=length, clock=Clock()), Room())) == minutes


def test_matches_last_eight_minutes_a_point_and_never_too_long():
    room, rng = Room(), RandomStream("minutes")
    for rules in (MatchRules(length=5), MatchRules(length=5, clock=Clock(Fraction(1), 10))):
        minutes = [draw_duration(rules, room, rng.word()) / timedelta(minutes=1) for _ in range(1000)]
        assert max(minutes) <= compute_longest_minutes(rules, room)
        assert abs(sum(minutes) / len(minutes) - 40) < (5 if rules.clock else 1)


# Published for 64 players and matches to 7, by simulation: hours, and matches in all.
@pytest.mark.parametrize(
    ("form", "options", "published", "matches"),
    [
        ("single-elimination", {}, 7.0, 63),
        ("double-elimination", {}, 13.6, 126.5),
        ("lives", {"lives": 2}, 14.2, 126.5),
    ],
)
def test_sixty_four_players_take_as_long_as_others_found(form, options, published, matches):
    found = asked(plan_event([stage(form, **options)], 64), runs=60)
    assert abs(sum(found.matches.values()) / 2 - matches) < 1
    assert abs(hours(found.over_at()) / published - 1) < 0.15


def test_a_swiss_plays_all_its_rounds():
    found = asked(plan_event([stage("swiss", rounds=5)], 32), runs=20)
    assert set(found.matches.values()) == {5.0}
    assert sum(found.matches.values()) / 2 == 80
    open_end = asked(plan_event([stage("swiss")], 16), runs=5)
    assert set(open_end.matches.values()) == {4.0}


@pytest.mark.parametrize(
    ("form", "options"),
    [
        ("single-elimination", {}),
        ("single-elimination", {"redraw": True}),
        ("swiss", {"rounds": 3}),
        ("lives", {"lives": 2}),
        ("lives", {"lives": 1, "mode": "continuous"}),
        ("round-robin", {}),
    ],
)
def test_equals_have_equal_chances_and_the_better_ones_better(form, options):
    even = asked(plan_event([stage(form, **options)], 4), runs=60)
    assert all(0.05 < even.chance(EntrantId(str(one))) < 0.65 for one in range(1, 5))
    strong = asked(
        plan_event([stage(form, **options)], 4), runs=10, chances=lambda a, b, _: 1.0 if a < b else 0.0
    )
    assert strong.chance(EntrantId("1")) == 1.0
    assert strong.chance(EntrantId("4"), rank=1) == 0.0
    assert strong.chance(EntrantId("9")) == 0.0


def test_few_tables_and_breaks_take_longer():
    event = plan_event([stage("single-elimination")], 16)
    free = asked(event, runs=40).over_at()
    crowded = asked(event, Room(tables=4), runs=40).over_at()
    lunch = asked(event, Room(breaks=((NOON, NOON + timedelta(hours=1)),)), runs=40).over_at()
    assert crowded > free + timedelta(minutes=30)
    assert lunch == free + timedelta(hours=1)


def test_matches_that_run_are_nearly_over():
    event = plan_event([stage("single-elimination")], 2)
    begun = Room(tables=1, started={Key("main/1.1"): NOON - timedelta(minutes=40)})
    fresh = asked(event, runs=40)
    assert (
        timedelta(minutes=30)
        < fresh.over_at() - asked(event, begun, runs=40).over_at()
        < timedelta(minutes=41)
    )
    long_ago = Room(started={Key("main/1.1"): NOON - timedelta(hours=5)})
    assert asked(event, long_ago, runs=10).over_at() == NOON


def test_the_second_final_is_played_every_other_time():
    event = plan_event([stage("double-elimination")], 4)
    runs = asked(event, runs=300)
    assert abs(sum(runs.matches.values()) / 2 - 6.5) < 0.2


def test_byes_in_a_losers_bracket_take_no_time():
    runs = asked(plan_event([stage("double-elimination")], 5), runs=100)
    assert abs(sum(runs.matches.values()) / 2 - 8.5) < 0.2


def test_a_round_in_which_nobody_can_play_goes_by():
    event = plan_event([stage("swiss", rounds=2)], 2)
    family = replace(event, entrants=tuple(replace(one, family="Roth") for one in event.entrants))
    tally = Tally()
    rehearse_event(family, Room(), NOON, RandomStream("family"), build_odds(family.entrants), tally)
    assert tally.forecast().ends == (NOON,)


def test_groups_and_then_a_knock_out():
    chain = [
        stage("groups", "groups", groups=2),
        stage("single-elimination", "cup", takes=(Take("groups", 1, 2, each_group=True),), draw="cross"),
    ]
    found = asked(plan_event(chain, 8), runs=5)
    assert sum(found.matches.values()) / 2 == pytest.approx(12 + 3)
    assert abs(sum(found.chance(EntrantId(str(one))) for one in range(1, 9)) - 1) < 1e-9


def test_round_robins_are_played_in_turn_and_nobody_twice_at_once():
    event = plan_event([stage("round-robin")], 4)
    in_turn = asked(event, runs=60)
    assert set(in_turn.matches.values()) == {3.0}
    at_once = asked(plan_event([stage("round-robin", at_once=True)], 4), runs=60)
    assert hours(at_once.over_at()) > 2.5
    assert at_once.over_at() <= in_turn.over_at()


def test_a_league_is_over_at_its_last_deadline():
    weekly = (RoundRules(MatchRules(days=7)),)
    found = asked(plan_event([stage("league", rules=weekly)], 4), runs=3)
    assert set(found.ends) == {NOON + timedelta(days=21)}


def test_it_goes_on_from_where_the_event_stands():
    event = kit.event(8, "swiss", rounds=3)
    proposal = stages.propose(event)
    made = facts.make_pairings(event, proposal)
    half = asked(made, runs=5)  # the first round is being played
    for place in proposal.ready:
        made = facts.record_result(made, place.key, kit.won(place.entrants[0]))
    after = asked(made, runs=5)
    assert set(half.matches.values()) == {3.0}
    assert set(after.matches.values()) == {2.0}
    done = kit.play_out(event)[0]
    assert asked(done, runs=3).ends == (NOON,) * 3
    assert asked(done, runs=3).matches == {}


def test_a_swiss_without_a_number_of_rounds_comes_to_an_end():
    event = kit.event(4, "swiss")
    begun = facts.make_pairings(event, stages.propose(event))
    assert set(asked(begun, runs=2).matches.values()) == {3.0}
    chain = [stage("round-robin", "all"), stage("swiss", "rest", takes=(Take("all", 1, 2),))]
    assert sum(asked(plan_event(chain, 4), runs=2).matches.values()) / 2 == 6 + 2


def test_a_fresh_look_at_lives_with_a_bracket_and_odd_numbers():
    found = asked(plan_event([stage("lives", lives=2, until=3)], 9), runs=30)
    assert Counter(rank for row in found.ranks.values() for rank in row)[1] >= 3
    assert asked(plan_event([stage("lives", lives=1, rounds=1)], 5), runs=3).matches


def test_when_all_wait_for_somebody_who_is_away_it_says_so_by_ending():
    event = plan_event([stage("lives", mode="continuous", lives=1)], 2)
    away = replace(event, absent=frozenset({EntrantId("2")}))
    assert asked(away, runs=2).ends == (NOON, NOON)


def test_who_has_left_is_not_counted():
    event = plan_event([stage("swiss", rounds=2)], 4)
    left = replace(event, entrants=(*event.entrants[:3], replace(event.entrants[3], left=LeaveTime.NOW)))
    assert EntrantId("4") not in asked(left, runs=3).matches


def test_the_first_free_table_goes_to_the_first_who_are_ready():
    floor = SimulatedTables(Room(tables=1), NOON)
    hour = timedelta(hours=1)
    assert floor.play(NOON, hour) == NOON + hour
    assert floor.play(NOON, hour) == NOON + 2 * hour
    assert floor.next_ready(NOON) == NOON + timedelta(minutes=5)
