"""Play-offs in round robins and groups: only for places that count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from draw import facts, openings, stages
from draw.event import (
    Entrant,
    EntrantId,
    Event,
    Figure,
    Key,
    Kind,
    LeaveTime,
    MatchRules,
    Place,
    Result,
    RoundRules,
    Stage,
    Take,
)
from draw.forecast import remaining_matches
from draw.options import Options, Value
from draw.random_stream import RandomStream
from tests.draw import kit

Choose = Callable[[Place], EntrantId]
Figures = tuple[tuple[str, Figure], ...]

# The first of four beats all others, who beat each other in a circle.
OPTIONS: dict[str, tuple[tuple[str, Value], ...]] = {"groups": (("groups", 2),), "swiss": (("rounds", 3),)}
CIRCLE = {("p2", "p3"): "p2", ("p3", "p4"): "p3", ("p2", "p4"): "p4"}


def circle(place: Place) -> EntrantId:
    low, high = sorted(place.entrants)
    return EntrantId(CIRCLE.get((low, high), low))


def played(event: Event, choose: Choose = circle) -> Event:
    """Play until only play-offs are left, or none."""
    while todo := [one for one in stages.propose(event).ready if one.bracket != "play-off"]:
        event = facts.make_pairings(event, stages.propose(event))
        for place in todo:
            event = facts.record_result(event, place.key, Result(Kind.PLAYED, choose(place)))
    return event


def two_stages(form: str, count: int, take: Take, **options: Value) -> Event:
    return Event(
        stages=(
            Stage(
                "first",
                form,
                Options.from_values(
                    **({"order": "listed"} if form in {"groups", "round-robin"} else {}), **options
                ),
            ),
            Stage("cup", "single-elimination", takes=(take,)),
        ),
        entrants=tuple(Entrant(one) for one in kit.names(count)),
        seed="7",
    )


def playoffs(event: Event) -> list[Place]:
    return [one for one in stages.propose(event).places if one.bracket == "play-off"]


def order(event: Event) -> list[tuple[str, str]]:
    return [(one.entrant, one.places) for one in stages.propose(event).ranking]


def test_nobody_plays_off_unless_the_director_wants_it() -> None:
    event = played(kit.event(4, "round-robin", playoff_for=4))
    assert not playoffs(event)
    assert stages.propose(event).finished


def test_only_places_that_count_are_played_off() -> None:
    assert not playoffs(played(kit.event(4, "round-robin", playoff=True)))
    event = played(kit.event(4, "round-robin", playoff=True, playoff_for=2))
    assert [one.key for one in stages.propose(event).ready] == ["playoff.2.r1.1"]
    assert {one for place in playoffs(event) for one in place.entrants} == {"p2", "p3", "p4"}
    assert [one.round for one in playoffs(event)] == [4, 5, 6]
    assert not stages.propose(event).finished
    assert [places for _, places in order(event)] == ["1", "2–4", "2–4", "2–4"]  # noqa: RUF001
    event, proposal, count = kit.play_out(event, lambda place: max(place.entrants))
    assert count == 3
    assert order(event) == [("p1", "1"), ("p4", "2"), ("p3", "3"), ("p2", "4")]
    assert [dict(one.figures).get("play-off") for one in proposal.ranking] == [None, 2, 1, 0]


def test_a_circle_in_the_play_off_stays_a_tie_and_is_not_played_again() -> None:
    event = played(kit.event(4, "round-robin", playoff=True, playoff_for=2))
    event, proposal, count = kit.play_out(event, circle)
    assert count == 3
    assert proposal.finished
    assert [places for _, places in order(event)] == ["1", "2–4", "2–4", "2–4"]  # noqa: RUF001


def test_what_was_played_off_stands_where_another_result_moves_the_tie() -> None:
    event = played(kit.event(4, "swiss", rounds=3, playoff=True, playoff_for=4, ties=("points",)))
    event, _, _ = kit.play_out(event, lambda place: max(place.entrants))
    assert {one.key: one.winner for one in playoffs(event)}["playoff.2.r2.1"] == "p3"
    wrong = next(
        one
        for one in stages.propose(event).places
        if set(one.entrants) == {"p1", "p4"} and one.bracket != "play-off"
    )

    event = facts.record_result(event, wrong.key, Result(Kind.PLAYED, EntrantId("p4")))

    # The first two are to be played off now; the others have done so, under another key.
    assert {one.key: one.winner for one in playoffs(event)} == {
        "playoff.1.r1.1": None,
        "playoff.3.r1.1": "p3",
    }
    assert order(event) == [("p1", "1–2"), ("p4", "1–2"), ("p3", "3"), ("p2", "4")]  # noqa: RUF001
    assert {one.pairing.key for one in stages.propose(event).stale} == {"playoff.2.r1.1", "playoff.2.r3.1"}


def test_who_qualifies_is_played_off_and_the_next_stage_waits() -> None:
    event = played(two_stages("groups", 4, Take("first", 1, 2, each_group=True), groups=1, playoff=True))
    assert {place.stage for place in stages.propose(event).places} == {"first"}
    assert [place.key for place in stages.propose(event).ready] == ["first/A/playoff.2.r1.1"]
    event = _on(event, 3, lambda place: max(place.entrants))
    final = [place for place in stages.propose(event).places if place.stage == "cup"]
    assert [set(place.entrants) for place in final] == [{"p1", "p4"}]


def test_a_tie_on_one_side_of_the_cut_is_left_to_the_number() -> None:
    take = Take("first", 1, 1, each_group=True)
    beaten = {("p4", "p8"): "p8", ("p3", "p7"): "p7"}

    def seconds_in_a_circle(place: Place) -> EntrantId:
        low, high = sorted(place.entrants)
        return EntrantId(beaten.get((low, high), low))

    event = played(two_stages("groups", 8, take, groups=2, playoff=True), seconds_in_a_circle)
    assert [one.figures[-1][0] for one in stages.propose_stages(event)["first"].ranking][2:] == ["number"] * 6
    assert not playoffs(event)
    assert {place.stage for place in stages.propose(event).places} == {"first", "cup"}


def test_a_cut_through_a_full_tie_says_what_has_decided() -> None:
    for form in ("swiss", "round-robin"):
        event = two_stages(form, 4, Take("first", 1, 2), rounds=3)
        first = stages.propose_stages(played(event))["first"]
        assert [dict(one.figures).get("number") for one in first.ranking] == [None, 1, 2, 3]


def test_a_swiss_and_lives_play_off_who_goes_on_and_go_on_with_a_round_more() -> None:
    event = played(two_stages("swiss", 4, Take("first", 1, 2), rounds=3, playoff=True))
    assert [place.key for place in stages.propose(event).ready] == ["first/playoff.2.r1.1"]
    after = _on(event, 3, lambda place: max(place.entrants))
    first = stages.propose_stages(after)["first"]
    assert [(one.entrant, one.places) for one in first.ranking] == [
        ("p1", "1"),
        ("p4", "2"),
        ("p3", "3"),
        ("p2", "4"),
    ]
    more = replace(
        event,
        stages=(
            replace(event.stages[0], options=Options.from_values(rounds=4, playoff=True)),
            event.stages[1],
        ),
    )
    assert {place.round for place in stages.propose(more).ready} == {4}
    assert not playoffs(more)
    # The first two eliminated players are tied for the last seat.
    lives = played(two_stages("lives", 4, Take("first", 1, 3), lives=1, playoff=True), kit.favourite)
    assert [place.key for place in stages.propose(lives).ready] == ["first/playoff.3.r1.1"]
    lives = _on(lives, 1, lambda place: max(place.entrants))
    assert stages.propose_stages(lives)["first"].finished
    assert "cup" in stages.propose_stages(lives)


def test_each_group_plays_off_its_own_ties() -> None:
    event = two_stages("groups", 6, Take("first", 1, 1, each_group=True), groups=2, playoff=True)

    def in_circles(place: Place) -> EntrantId:
        """1 beats 4, 4 beats 5, and 5 beats 1; in the other group the favourite wins."""
        low, high = sorted(place.entrants)
        return EntrantId(high if (low, high) == ("p1", "p5") else low)

    event = played(event, in_circles)
    assert {place.key.partition("/playoff")[0] for place in playoffs(event)} == {"first/A"}


@pytest.mark.parametrize(
    ("last", "tied", "played_off"),
    [
        (4, ("p3", "p5", "p7"), True),  # two of each group go on, and the tie is for the second place
        (4, ("p5", "p7", "p9"), False),
        (2, ("p3", "p5", "p7"), False),
        (3, ("p1", "p3", "p5"), True),  # the best second goes on
        (5, ("p5", "p7", "p9"), True),  # the best third
        (6, ("p1", "p3", "p5"), False),
        (10, ("p5", "p7", "p9"), False),
    ],
)
def test_a_cut_through_all_groups_counts_in_each(
    last: int, tied: tuple[str, ...], *, played_off: bool
) -> None:
    options: dict[str, Value] = {"groups": 2, "distribution": "dealt", "at_once": True}
    event = two_stages("groups", 10, Take("first", 1, last), playoff=True, **options)

    def circle_of_three(place: Place) -> EntrantId:
        """Of group A, let the first of these beat the second, the second the third, the third the first."""
        low, high = sorted(place.entrants, key=lambda one: int(one[1:]))
        return high if (low, high) == (tied[0], tied[2]) else low

    event = played(event, circle_of_three)

    assert {one for place in playoffs(event) for one in place.entrants} == (
        set(tied) if played_off else set()
    )
    assert bool(playoffs(event)) is not any(place.stage == "cup" for place in stages.propose(event).places)


def test_whoever_leaves_before_the_play_off_loses_it() -> None:
    event = played(kit.event(4, "round-robin", playoff=True, playoff_for=2))
    event = kit.with_entrant(event, "p2", left=LeaveTime.NOW, left_as=1)
    event, proposal, count = kit.play_out(event)
    assert count == 1
    assert order(event) == [("p1", "1"), ("p3", "2"), ("p4", "3"), ("p2", "4")]
    assert proposal.finished


def test_whoever_is_away_is_waited_for() -> None:
    event = played(kit.event(4, "round-robin", playoff=True, playoff_for=2))
    busy = {who for place in stages.propose(event).ready for who in place.entrants}
    away = replace(event, absent=frozenset(busy))
    assert not stages.propose(away).ready
    assert not stages.propose(away).finished


def test_after_a_correction_that_breaks_the_tie_its_play_off_is_stale() -> None:
    event = played(kit.event(4, "round-robin", playoff=True, playoff_for=2))
    event = _on(event, 1, lambda place: max(place.entrants))
    lost = next(place.key for place in stages.propose(event).places if set(place.entrants) == {"p2", "p4"})
    event = facts.record_result(event, Key(lost), Result(Kind.PLAYED, EntrantId("p2")))
    proposal = stages.propose(event)
    assert not [place for place in proposal.places if place.bracket == "play-off"]
    assert len(proposal.stale) == 1
    assert proposal.finished


def test_a_round_that_is_added_counts_without_the_play_off_before_it() -> None:
    ties = ("points", "play-off")
    event = played(kit.event(8, "swiss", rounds=2, ties=ties), kit.favourite)
    event = facts.make_pairings(event, stages.propose(event))
    (stage,) = kit.event(8, "swiss", rounds=4, ties=ties).stages
    event = replace(event, stages=(replace(stage, rules=(RoundRules(MatchRules(11), round=-1),)),))
    assert [one.key for one in stages.propose(event).ready] == ["playoff.1"]

    event = _on(event, 1, kit.favourite)

    assert [one.key for one in stages.propose(event).ready] == ["r4.1", "r4.2", "r4.3", "r4.4"]
    left, _ = remaining_matches.plan_known_matches(event, stages.propose(event).places)
    assert sum(step.rules is not None for step in left.steps) == 8
    late = Entrant(EntrantId("late"), arrived=4)
    assert [way.round for way in openings.find_openings(event, late)] == [4]
    assert not openings.find_openings(event, replace(late, arrived=6))
    event, proposal, count = kit.play_out(event)
    assert count == 8
    lengths = {one.round: one.rules.length for one in proposal.places if one.bracket != "play-off"}
    assert lengths == {1: 5, 2: 5, 4: 5, 5: 11}


def test_a_circle_counts_where_the_option_is_off_and_play_off_is_a_tie_break() -> None:
    ties = ("points", "play-off")
    event = played(kit.event(4, "swiss", rounds=1, playoff=True, ties=ties), kit.favourite)
    event = _on(event, 1, kit.favourite)
    assert [one.key for one in playoffs(event)] == ["playoff.1.r1.1"]

    event = replace(event, stages=kit.event(4, "swiss", rounds=1, ties=ties).stages)

    assert stages.propose(event).finished
    assert order(event)[:2] == [(playoffs(event)[0].winner, "1"), (playoffs(event)[0].loser, "2")]


@pytest.mark.long
@settings(deadline=None, max_examples=40)
@given(
    data=st.data(),
    form=st.sampled_from(["groups", "round-robin", "swiss"]),
    count=st.integers(3, 9),
    last=st.integers(1, 3),
)
def test_every_cut_falls_between_players_who_were_separated(
    data: st.DataObject, form: str, count: int, last: int
) -> None:
    options: dict[str, Value] = dict(OPTIONS.get(form, ()))
    event = two_stages(form, count, Take("first", 1, last, each_group=True), playoff=True, **options)
    # Few winners make many ties.
    ids = kit.names(count)
    loved = data.draw(st.permutations(ids))
    flips = data.draw(st.lists(st.booleans(), min_size=200, max_size=200))

    def choose(place: Place) -> EntrantId:
        first, second = sorted(place.entrants, key=loved.index)
        return second if flips[hash_of(place) % len(flips)] else first

    event, proposal, _ = kit.play_out(event, choose)
    assert proposal.finished
    first = stages.propose_stages(event)["first"]
    for name in {one.group for one in first.ranking}:
        rows = [one for one in first.ranking if one.group == name]
        if len(rows) <= last:
            continue
        inside, outside = rows[last - 1], rows[last]
        if _without(inside.figures) == _without(outside.figures):
            # Nothing before separated these two: they met again, and that comes before any lot.
            assert any({inside.entrant, outside.entrant} == set(place.entrants) for place in playoffs(event))
            assert dict(inside.figures)["play-off"] >= dict(outside.figures)["play-off"]  # type: ignore[operator]


@pytest.mark.long
@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 9999),
    count=st.integers(8, 13),
    ties=st.sampled_from(
        [
            ("points", "buchholz-cut-1"),
            ("points", "buchholz", "sonneborn-berger"),
            ("points", "head-to-head", "median", "buchholz-cut-2"),
        ]
    ),
    is_option=st.booleans(),
)
def test_a_play_off_of_a_swiss_moves_only_those_who_play_it(
    seed: int, count: int, ties: tuple[str, ...], *, is_option: bool
) -> None:
    """Also after the director has left the ties to the lot."""
    options: dict[str, Value] = {"playoff": True} if is_option else {}
    listed = ties if is_option else (*ties, "play-off")
    flips = RandomStream(str(seed))

    def choose(place: Place) -> EntrantId:
        return place.entrants[flips.below(len(place.entrants))]

    event = played(kit.event(count, "swiss", rounds=3, ties=listed, **options), choose)
    order_before = order(event)
    before = stages.propose(event)
    event, after, _ = kit.play_out(event, choose)
    made = playoffs(event)
    if is_option:
        event = replace(event, stages=kit.event(count, "swiss", rounds=3, ties=listed).stages)
        after = stages.propose(event)
    elif made:
        assert after.ranking[0].entrant == made[-1].winner

    assert after.finished
    playing = {one for place in made for one in place.entrants}
    assert [one for one in order(event) if one[0] not in playing] == [
        one for one in order_before if one[0] not in playing
    ]
    assert {one.entrant: _without(one.figures) for one in after.ranking} == {
        one.entrant: _without(one.figures) for one in before.ranking
    }


def hash_of(place: Place) -> int:
    return sum(ord(letter) * at for at, letter in enumerate(place.key, 1))


def _without(figures: Figures) -> Figures:
    return tuple(one for one in figures if one[0] not in {"play-off", "lot", "number", "rating"})


def _on(event: Event, matches: int, choose: Choose) -> Event:
    for _ in range(matches):
        proposal = stages.propose(event)
        event = facts.make_pairings(event, proposal)
        (place,) = [one for one in proposal.ready if one.bracket == "play-off"]
        event = facts.record_result(event, place.key, Result(Kind.PLAYED, choose(place)))
    return event
