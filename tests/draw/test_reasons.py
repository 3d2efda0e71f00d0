"""Reasons about pairings and draws, and what separates players with the same score."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest

from draw import facts, fixpoint, stages
from draw.event import EntrantId, Event, Key, Kind, Ranked, Result, Stage, State, Take
from draw.formats import format_reason
from draw.options import Options
from draw.standings import separations
from tests.draw.kit import event


def codes(settled: fixpoint.SettledEvent) -> dict[str, list[str]]:
    return {key: [one.code for one in found] for key, found in settled.why.items()}


def beaten(before: Event) -> Event:
    """The first player of each open match wins."""
    for batch in before.rounds:
        for one in batch.pairings:
            if one.result is None:
                before = facts.record_result(before, one.key, Result(Kind.PLAYED, one.a))
    return before


def test_what_is_made_on_the_way_has_its_reasons_and_what_was_made_before_has_none() -> None:
    first = fixpoint.settle_event(event(5, "swiss", rounds=3))
    assert codes(first) == {"r1.1": ["level"], "r1.2": ["level"], "r1.bye": ["bye"]}
    assert codes(fixpoint.settle_event(first.event)) == {}
    second = fixpoint.settle_event(beaten(first.event))
    assert {key.partition(".")[0] for key in codes(second)} == {"r2"}
    assert len(codes(second)) == 3


def test_what_waits_for_the_director_has_the_reasons_it_would_have() -> None:
    drafted = fixpoint.settle_event(event(5, "swiss", rounds=3), drafted={""})
    assert not drafted.event.rounds
    assert codes(drafted) == {"r1.1": ["level"], "r1.2": ["level"], "r1.bye": ["bye"]}


def test_places_of_a_sheet_say_it_themselves() -> None:
    assert codes(fixpoint.settle_event(event(6, "single-elimination"))) == {}
    assert codes(fixpoint.settle_event(event(5, "single-elimination", redraw=True))) != {}


def test_reasons_of_a_later_stage_name_places_as_the_event_does() -> None:
    two = Event(
        stages=(
            Stage("one", "round-robin"),
            Stage("two", "single-elimination", Options.from_values(draw="listed"), (Take("one"),)),
        ),
        entrants=event(4, "swiss").entrants,
        seed="7",
    )
    done = fixpoint.settle_event(two).event
    while any(one.stage == "one" and one.state is State.READY for one in stages.propose(done).places):
        done = fixpoint.settle_event(beaten(done)).event
    final = fixpoint.settle_event(beaten(done)).proposal
    figures = next(dict(one.figures) for one in final.why if one.about == "two/main/2.1")
    assert figures == {"a": "two/main/1.1", "b": "two/main/1.2"}


# -- the order


def ranked(who: str, rank: int, by: str = "", shared: int = 1, group: str = "", **figures: int) -> Ranked:
    given = tuple((name.replace("_", "-"), Fraction(value)) for name, value in figures.items())
    return Ranked(EntrantId(who), rank, shared, group, given, decided_by=by)


def list_reasons(*rows: Ranked) -> list[str]:
    return [format_reason(one) for one in separations.explain_separations(rows)]


def test_the_tie_break_that_separates_two_is_named_with_its_figures() -> None:
    rows = (
        ranked("p1", 1, points=3),
        ranked("p2", 2, "points", points=2, buchholz=7),
        ranked("p3", 3, "buchholz", points=2, buchholz=5),
        ranked("p4", 4, "lot", points=2, buchholz=5, lot=-3),
    )
    assert list_reasons(*rows) == [
        "p2 and p3 are level. buchholz: p2 first, 7 to 5.",
        "Nothing else separated p3 and p4; the lot put p3 first.",
    ]


def test_a_figure_that_was_asked_of_fewer_is_not_held_against_the_other() -> None:
    rows = (
        ranked("p1", 1, points=2, head_to_head=0),
        ranked("p2", 2, "head-to-head", points=2, head_to_head=1),
    )
    assert list_reasons(*rows) == ["p1 and p2 are level. head-to-head: p1 first."]


def test_who_shares_a_place_was_not_separated_but_a_cut_is() -> None:
    tied = (ranked("p1", 1, shared=2, points=2), ranked("p2", 1, shared=2, points=2))
    assert list_reasons(*tied) == []
    cut = (tied[0], replace(tied[1], decided_by="lot"))
    assert list_reasons(*cut) == ["p1 and p2 share the place; the lot decided that p1 goes through."]


def test_a_run_of_players_who_share_a_place_is_one_reason() -> None:
    rows = (
        ranked("p1", 1, points=3),
        ranked("p2", 2, "points", shared=3, points=2),
        ranked("p3", 2, shared=3, points=2),
        ranked("p4", 2, shared=3, points=2),
        ranked("p5", 5, "points", shared=2, points=1),
        ranked("p6", 5, shared=2, points=1),
        # A decided place begins a new run.
        ranked("p7", 5, "lot", shared=2, points=1),
        ranked("p8", 5, shared=2, points=1),
    )
    assert [format_reason(one) for one in separations.explain_shared_places(rows)] == [
        "3 players, from p2 to p4, are level on every line of the list: they share the place.",
        "p5 and p6 are level on every line of the list: they share the place.",
        "p7 and p8 are level on every line of the list: they share the place.",
    ]
    # As long as all are level there is nothing to say.
    assert list(separations.explain_shared_places(rows[1:4])) == []


def test_who_shares_a_place_is_found_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0
    share = separations._has_same_place

    def count(above: Ranked, one: Ranked) -> bool:
        nonlocal calls
        calls += 1
        return share(above, one)

    monkeypatch.setattr(separations, "_has_same_place", count)
    rows = (ranked("p0", 1, points=1), *(ranked(f"p{at}", 2, points=0) for at in range(1, 513)))
    assert [one.code for one in separations.explain_shared_places(rows)] == ["shared by many"]
    assert calls == 512


def test_two_groups_are_two_tables() -> None:
    assert (
        list_reasons(ranked("p1", 1, group="A", points=2), ranked("p2", 2, "lot", group="B", points=2)) == []
    )


@pytest.mark.parametrize("ties", [("points", "buchholz", "lot"), ("points", "head-to-head", "wins", "lot")])
def test_in_a_real_order_everybody_level_is_separated_by_what_differs(ties: tuple[str, ...]) -> None:
    now = fixpoint.settle_event(event(9, "swiss", rounds=3, ties=ties)).event
    for _ in range(3):
        now = fixpoint.settle_event(beaten(now)).event
    order = stages.propose(now).ranking
    found = {one.about: one for one in separations.explain_separations(order)}
    level = [
        one.entrant
        for above, one in pairwise(order)
        if above.figures[0] == one.figures[0] and one.rank != above.rank
    ]
    assert level
    assert [*found] == level
    for reason in found.values():
        figures = dict(reason.figures)
        if "ahead" in figures:
            assert figures["ahead"] > figures["behind"]  # type: ignore[operator]


def test_the_first_who_is_cut_off_is_told_what_decided() -> None:
    two = Event(
        stages=(
            Stage("one", "swiss", Options.from_values(rounds=1, ties=("points", "shared"))),
            Stage("two", "single-elimination", Options(), (Take("one", 1, 3),)),
        ),
        entrants=event(8, "swiss").entrants,
        seed="7",
    )
    done = beaten(fixpoint.settle_event(two).event)
    order = stages.propose_stages(done)["one"].ranking
    assert [one.code for one in separations.explain_separations(order)] == ["cut by list"]
    assert next(separations.explain_separations(order)).about == order[3].entrant


def test_a_play_off_separates_those_who_played_it() -> None:
    league = event(3, "round-robin", playoff=True, ties=("points",), playoff_for=3)
    now = fixpoint.settle_event(league).event
    # Each beats the next: all three are level.
    circle = {("p1", "p2"): "p1", ("p2", "p3"): "p2", ("p1", "p3"): "p3"}
    while todo := [one for batch in now.rounds for one in batch.pairings if one.result is None]:
        for one in todo:
            a, b = sorted((one.a, one.b))
            winner = circle[a, b] if not one.key.startswith("playoff") else a
            now = facts.record_result(now, Key(one.key), Result(Kind.PLAYED, EntrantId(winner)))
        now = fixpoint.settle_event(now).event
    order = stages.propose(now).ranking
    assert [one.code for one in separations.explain_separations(order)] == ["separated by play-off"] * 2
