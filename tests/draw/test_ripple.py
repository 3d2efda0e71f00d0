from __future__ import annotations

import pytest

from draw import facts, stages
from draw.comparison import PlaceChangeKind, compare_proposals, list_changes
from draw.event import Event, Key, Kind, Result
from draw.formats import format_reason
from tests.draw import kit
from tests.draw.kit import record


def played() -> Event:
    event = kit.event(5, "progressive-consolation", draw="listed")
    for key, winner in (("main/1.2", "p4"), ("main/2.1", "p1"), ("main/2.2", "p2"), ("main/3.1", "p1")):
        event = record(event, key, winner)
    return event


def changed(event: Event, key: str, result: Result | None) -> tuple[Event, Event]:
    return event, facts.record_result(event, Key(key), result)


def compare(before: Event, after: Event) -> dict[str, PlaceChangeKind]:
    return {one.key: one.change for one in compare_proposals(stages.propose(before), stages.propose(after))}


def test_a_wrong_winner_of_the_first_round() -> None:
    before, after = changed(played(), "main/1.2", kit.won("p5"))
    changes = compare(before, after)
    assert {key: change for key, change in changes.items() if key.startswith("main")} == {
        "main/1.2": PlaceChangeKind.TURNS,
        "main/2.1": PlaceChangeKind.SWAPS,
        "main/2.2": PlaceChangeKind.STANDS,
        "main/3.1": PlaceChangeKind.FALLS,
    }
    assert changes["consolation/1.1"] is PlaceChangeKind.PASSES
    one = next(
        one for one in list_changes(stages.propose(before), stages.propose(after)) if one.key == "main/2.1"
    )
    assert ({*one.before} - {*one.after}, {*one.after} - {*one.before}) == ({"p4"}, {"p5"})
    assert one.lost_result


def test_undone_it_stands_as_before() -> None:
    before, after = changed(played(), "main/1.2", kit.won("p5"))
    undone = facts.record_result(after, Key("main/1.2"), kit.won("p4"))
    assert stages.propose(undone) == stages.propose(before)
    assert list_changes(stages.propose(before), stages.propose(undone)) == ()


def test_an_opened_match_lets_what_follows_fall() -> None:
    before, after = changed(played(), "main/1.2", None)
    changes = compare(before, after)
    assert changes["main/1.2"] is PlaceChangeKind.TURNS
    assert changes["main/2.1"] is PlaceChangeKind.FALLS
    assert compare(after, before)["main/2.1"] is PlaceChangeKind.ARISES


def test_a_double_forfeit_makes_a_bye() -> None:
    event = record(kit.event(4, "single-elimination", draw="listed"), "main/1.1", "p1")
    before, after = changed(event, "main/1.1", Result(Kind.DOUBLE_FORFEIT))
    after = record(after, "main/1.2", "p2")
    changes = {one.key: one for one in compare_proposals(stages.propose(before), stages.propose(after))}
    assert changes["main/2.1"].change is PlaceChangeKind.PASSES


def test_a_place_that_only_one_of_them_has() -> None:
    small, large = kit.event(2, "single-elimination"), kit.event(4, "single-elimination", draw="listed")
    changes = compare(small, large)
    assert changes["main/1.2"] is PlaceChangeKind.ARISES
    assert compare(large, small)["main/1.2"] is PlaceChangeKind.FALLS


def test_a_pairing_nobody_made_has_no_result() -> None:
    with pytest.raises(facts.UnknownPlace):
        facts.record_result(kit.event(2, "single-elimination"), Key("main/1.1"), None)


def test_new_pairings_replace_those_that_fell() -> None:
    _, after = changed(played(), "main/1.2", kit.won("p5"))
    assert [stale.pairing.key for stale in stages.propose(after).stale][:1] == ["main/2.1"]
    assert [stale.now for stale in stages.propose(after).stale][:1] == [("p1", "p5")]
    fell = [format_reason(one, {"p1": "Ann"}) for one in stages.propose(after).why if one.code == "fell"]
    assert fell[0] == ("Ann and p4 were paired here but no longer meet, so this pairing does not count.")
    made = facts.make_pairings(after, stages.propose(after))
    assert "main/2.1" not in {stale.pairing.key for stale in stages.propose(made).stale}
    assert facts.make_pairings(made, stages.propose(made)) == made
