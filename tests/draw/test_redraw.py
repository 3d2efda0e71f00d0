from __future__ import annotations

from dataclasses import replace

import pytest

from draw import facts, fixpoint, stages
from draw.event import (
    Bye,
    Entrant,
    EntrantId,
    Event,
    Kind,
    LeaveTime,
    MatchRules,
    Pairing,
    Round,
    RoundRules,
    State,
)
from draw.forecast import remaining_matches
from tests.draw import kit
from tests.draw.kit import by_key, play_out, record


def cup(count: int, **options: str | bool) -> Event:
    return kit.event(count, "single-elimination", redraw=True, **options)


@pytest.mark.parametrize("count", [*range(1, 20), 33])
def test_everybody_is_ranked_after_as_many_matches_as_losers(count: int) -> None:
    event, proposal, played = play_out(cup(count))
    assert played == count - 1
    assert [one.rank for one in proposal.ranking][:1] == [1]
    assert len(proposal.ranking) == count
    assert sum(len(batch.byes) for batch in event.rounds if batch.number > 1) == 0


def test_each_round_is_drawn_afresh() -> None:
    event = cup(8, draw="listed")
    assert stages.propose(event).pairs[0] == ("p1", "p8")
    seconds = set()
    for seed in range(12):
        later = replace(event, seed=str(seed))
        made = facts.make_pairings(later, stages.propose(later))
        for place in stages.propose(later).ready:
            made = facts.record_result(made, place.key, kit.won(kit.favourite(place)))
        seconds.add(stages.propose(made).pairs)
    assert len(seconds) > 3
    assert {one for pairs in seconds for pair in pairs for one in pair} == {"p1", "p2", "p3", "p4"}


def test_the_final_and_the_round_before_it_can_be_longer() -> None:
    rules = (
        RoundRules(MatchRules(7)),
        RoundRules(MatchRules(9), round=-2),
        RoundRules(MatchRules(11), bracket="main", round=-1),
        RoundRules(MatchRules(3), bracket="consolation"),
    )
    event = cup(8)
    event = replace(event, stages=(replace(event.stages[0], rules=rules),))
    left, _ = remaining_matches.plan_known_matches(event, stages.propose(event).places)
    lengths = [step.rules.length for step in left.steps if step.rules is not None]
    assert lengths == [7, 7, 7, 7, 9, 9, 11]
    _, proposal, _ = play_out(event)
    assert {place.round: place.rules.length for place in proposal.places} == {1: 7, 2: 9, 3: 11}


def test_an_odd_round_gives_one_bye_to_one_who_had_none() -> None:
    event = cup(5, draw="listed")
    event = record(event, "r1.1", "-", Kind.DOUBLE_FORFEIT)
    proposal = stages.propose(event)
    assert len(proposal.byes) == 1
    assert len(proposal.pairs) == 1
    assert "lot bye" in {reason.code for reason in proposal.why}
    bye = proposal.byes[0].entrant
    event = facts.make_pairings(event, proposal)
    assert not stages.propose(event).byes
    assert [one.entrant for batch in event.rounds if batch.number == 2 for one in batch.byes] == [bye]


def test_a_correction_lets_the_later_pairing_fall() -> None:
    event = cup(4, draw="listed")
    event = record(record(event, "r1.1", "p1"), "r1.2", "p2")
    event = record(event, "r2.1", "p1")
    assert stages.propose(event).finished
    corrected = facts.record_result(event, kit.Key("r1.1"), kit.won("p4"))
    proposal = stages.propose(corrected)
    assert set(proposal.pairs[0]) == {"p4", "p2"}
    assert [{one.pairing.a, one.pairing.b} for one in proposal.stale] == [{"p1", "p2"}]
    opened = facts.record_result(event, kit.Key("r1.1"), None)
    assert [one.pairing.key for one in stages.propose(opened).stale] == ["r2.1"]


def test_leaving_and_being_away() -> None:
    event = cup(4, draw="listed")
    made = facts.make_pairings(event, stages.propose(event))
    gone = kit.with_entrant(made, "p1", left=LeaveTime.NOW)
    assert by_key(stages.propose(gone))["r1.1"].winner == "p4"
    both = kit.with_entrant(gone, "p4", left=LeaveTime.NOW)
    assert by_key(stages.propose(both))["r1.1"].winner is None
    before = kit.with_entrant(event, "p1", left=LeaveTime.NOW)
    assert by_key(stages.propose(before))["r1.bye1"].winner == "p4"
    going = kit.with_entrant(made, "p1", left=LeaveTime.AFTER)
    assert ("p1", "p4") in stages.propose(going).pairs
    away = replace(made, absent=frozenset({EntrantId("p1")}))
    assert by_key(stages.propose(away))["r1.1"].state is State.WAITING


def test_a_late_one_is_on_a_line_of_the_draw() -> None:
    """On the line beside the opponent's, as in a bracket that is drawn once."""
    event = cup(5, draw="listed")
    late = replace(event, entrants=(*event.entrants, Entrant(EntrantId("late"), arrived=2)))
    proposal = stages.propose(late)
    (line,) = (dict(reason.figures)["line"] for reason in proposal.why if reason.code == "late")
    ((opponent, _late),) = (pair for pair in proposal.pairs if "late" in pair)
    sheet = stages.propose(kit.event(5, "single-elimination", draw="listed"))
    lines = {
        seat.entrant: seat.number for place in sheet.places for seat in (place.a, place.b) if seat.number
    }
    assert {line, lines[opponent]} in [{1, 2}, {3, 4}, {5, 6}, {7, 8}]


@pytest.mark.parametrize("recorded", [False, True])
def test_a_late_one_takes_the_bye_of_the_lowest_seed(*, recorded: bool) -> None:
    event = cup(9, draw="listed")
    if recorded:
        event = fixpoint.settle_event(event).event
    late = [Entrant(EntrantId(name), arrived=2) for name in ("late", "later")]
    event = replace(event, entrants=(*event.entrants, *late))
    assert {("p7", "late"), ("p6", "later")} < set(stages.propose(event).pairs)
    settled = fixpoint.settle_event(event).event
    assert {bye.entrant for bye in settled.rounds[0].byes} == set(kit.names(5))


def test_late_ones_take_byes_of_the_first_round() -> None:
    event = cup(5, draw="listed")
    late = replace(event, entrants=(*event.entrants, Entrant(EntrantId("late"), arrived=2)))
    assert len(stages.propose(late).pairs) == 2
    made = facts.make_pairings(late, stages.propose(late))
    assert stages.propose(made).pairs == stages.propose(late).pairs
    after = facts.make_pairings(event, stages.propose(event))
    after = replace(after, entrants=late.entrants)
    assert len(stages.propose(after).pairs) == 2
    after = facts.record_result(after, kit.Key("r1.1"), kit.won("p4"))
    second = facts.make_pairings(event, stages.propose(event))
    second = facts.record_result(second, kit.Key("r1.1"), kit.won("p4"))
    second = replace(facts.make_pairings(second, stages.propose(second)), entrants=late.entrants)
    assert {reason.about for reason in stages.propose(second).why if reason.code == "no line"} == {"late"}


def test_clubs_are_kept_apart_every_round() -> None:
    event = cup(8, keep_apart=True)
    event = replace(
        event, entrants=tuple(replace(one, club=f"club {at % 2}") for at, one in enumerate(event.entrants))
    )
    clubs = {one.id: one.club for one in event.entrants}
    for seed in range(10):
        proposal = stages.propose(replace(event, seed=str(seed)))
        assert all(clubs[a] != clubs[b] for a, b in proposal.pairs)
    event = replace(event, seed="1")
    proposal = stages.propose(event)
    event = facts.make_pairings(event, proposal)
    for at, place in enumerate(proposal.ready):
        # Two of each club go on.
        club = f"club {at % 2}"
        event = facts.record_result(
            event, place.key, kit.won(next(one for one in place.entrants if clubs[one] == club))
        )
    assert all(clubs[a] != clubs[b] for a, b in stages.propose(event).pairs)


def test_one_left_over_is_paired_with_the_bye() -> None:
    event = replace(
        cup(6, draw="listed"),
        rounds=(
            Round(
                1,
                (
                    Pairing(kit.Key("r1.1"), EntrantId("p4"), EntrantId("p5"), kit.won("p4")),
                    Pairing(kit.Key("r1.2"), EntrantId("p3"), EntrantId("p6"), kit.won("p3")),
                ),
            ),
            Round(
                2,
                (Pairing(kit.Key("r2.1"), EntrantId("p1"), EntrantId("p2")),),
                (Bye(EntrantId("p3")), Bye(EntrantId("p9"))),
            ),
        ),
    )
    assert [set(pair) for pair in stages.propose(event).pairs] == [{"p1", "p2"}, {"p3", "p4"}]


def test_who_has_won_and_left_stands_below_those_who_still_play() -> None:
    event = cup(4, draw="listed")
    event = facts.make_pairings(event, stages.propose(event))
    event = kit.with_entrant(
        facts.record_result(event, kit.Key("r1.1"), kit.won("p1")), "p1", left=LeaveTime.NOW
    )
    proposal = stages.propose(event)
    kit.check(event, proposal)
    assert [(one.entrant, one.rank) for one in proposal.ranking][2:] == [("p1", 2), ("p4", 3)]


@pytest.mark.parametrize("drafted", [(), ("",)])
def test_a_bye_given_back_in_a_round_long_made_is_given(drafted: tuple[str, ...]) -> None:
    """The latecomer with the bye is withdrawn before playing, which also ends the round."""
    event = cup(5, draw="listed")
    event = facts.make_pairings(event, stages.propose(event))
    (first,) = event.rounds
    played, passing = first.pairings[0], EntrantId("p3")
    event = facts.record_result(event, played.key, kit.won(played.a))
    late = Entrant(EntrantId("late"), arrived=2)
    event = fixpoint.settle_event(replace(event, entrants=(*event.entrants, late)), drafted=drafted).event
    assert {passing, late.id} in [{one.a, one.b} for one in event.rounds[0].pairings]

    gone = replace(late, left=LeaveTime.NOW)
    settled = fixpoint.settle_event(replace(event, entrants=(*event.entrants[:-1], gone)), drafted=drafted)

    given = [bye.entrant for bye in settled.event.rounds[0].byes]
    assert passing in given
    assert len(given) == 3
