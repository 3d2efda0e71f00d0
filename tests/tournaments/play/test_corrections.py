"""Mending: what follows is seen first, done at once, and can be taken back to the last row."""

from __future__ import annotations

from datetime import timedelta

import pytest

from draw.comparison import PlaceChangeKind
from draw.formats import FORMATS
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.test_events import CHAINS
from tests.tournaments.test_machine import as_usual
from tournaments.base.errors import (
    AlreadyDone,
    BadScore,
    NotOpen,
    NotRestorable,
    ReasonNeeded,
    UnknownEntrant,
)
from tournaments.models import Entry, RulingKind
from tournaments.plan import drawing
from tournaments.plan.templates import StagePlan
from tournaments.play import (
    arrivals,
    corrections,
    departures,
    directing,
    event_control,
    incidents,
    inspection,
    preview,
    timing,
)
from tournaments.status import Status


def lines(desk: Desk, key: str) -> tuple[int, int]:
    row = desk.row(key)
    return (row.a.number if row.a else 0, row.b.number if row.b else 0)


def turned(desk: Desk, key: str) -> tuple[int, int]:
    """Return the score with which the other one wins."""
    row = desk.row(key)
    return (0, row.length) if row.winner_id == row.a_id else (row.length, 0)


def progressive(desk: Desk) -> str:
    """Play the first two rounds of a knock-out with consolation; return a match of the first."""
    desk.start(a_plan("progressive-consolation"), 8)
    first = list(desk.pairs())
    for key in first:
        desk.play(key)
    for key in list(desk.pairs()):
        desk.play(key)
    return first[0]


@pytest.mark.long
def test_a_correction_two_rounds_later_moves_both_through_both_brackets(desk: Desk) -> None:
    key = progressive(desk)
    a, b = lines(desk, key)
    winner = desk.row(key).winner
    assert winner
    loser = b if winner.number == a else a
    consolation = next(
        row.key
        for row in desk.event.pairings.filter(bracket="consolation").order_by("position")
        if loser in lines(desk, row.key)
    )

    desk.do(corrections.correct_result, key=key, score=turned(desk, key), reason="entered for the wrong one")

    assert loser in lines(desk, "main/2.1")
    assert winner.number not in lines(desk, "main/2.1")
    assert winner.number in lines(desk, consolation)
    assert desk.row("main/2.1").state == "ready", "these two have not met yet"
    assert desk.row("main/2.1").kind == ""


@pytest.mark.long
@pytest.mark.share
def test_its_ripple_is_seen_before_and_nothing_has_happened_by_then(desk: Desk) -> None:
    key = progressive(desk)
    before = desk.image()

    seen = preview.preview_act(
        desk.pk,
        lambda: desk.do(corrections.correct_result, key=key, score=turned(desk, key), reason="looking"),
    )

    assert desk.image() == before
    by_key = {one.key: one for one in seen.ripples}
    assert by_key[key].change is PlaceChangeKind.TURNS  # type: ignore[index]
    assert by_key["main/2.1"].change is PlaceChangeKind.SWAPS  # type: ignore[index]
    assert by_key["main/2.1"].lost_result  # type: ignore[index]
    assert "main/2.1" in seen.lost
    assert key not in seen.lost
    assert not desk.event.rulings.filter(act=RulingKind.CORRECTED).exists()


@pytest.mark.long
@pytest.mark.share
def test_what_was_foreseen_is_what_happens(desk: Desk) -> None:
    key = progressive(desk)
    what = {"key": key, "score": turned(desk, key), "reason": "misread"}
    seen = preview.preview_act(desk.pk, lambda: desk.do(corrections.correct_result, **what))

    desk.do(corrections.correct_result, **what)

    for place in seen.after.places:
        row = desk.row(str(place.key))
        sits = tuple(str(one.number) for one in (row.a, row.b) if one)
        assert (row.state, sits) == (place.state.value, tuple(place.entrants))


@pytest.mark.long
def test_taken_back_every_row_is_what_it_was(desk: Desk) -> None:
    key = progressive(desk)
    before = desk.image()
    ruling = desk.do(corrections.correct_result, key=key, score=turned(desk, key), reason="misread")
    assert desk.image() != before

    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="it was right after all")

    assert desk.image() == before
    with pytest.raises(AlreadyDone):
        desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="again")


@pytest.mark.long
def test_what_was_played_since_falls_if_the_correction_is_taken_back(desk: Desk) -> None:
    key = progressive(desk)
    ruling = desk.do(corrections.correct_result, key=key, score=turned(desk, key), reason="misread")
    before = lines(desk, "main/2.1")
    desk.play("main/2.1")

    seen = preview.preview_act(
        desk.pk, lambda: desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="looking")
    )
    assert "main/2.1" in seen.lost

    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="it was right after all")
    assert lines(desk, "main/2.1") != before
    desk.play_out()


@pytest.mark.long
def test_a_correction_after_the_end_opens_it_again_or_gives_other_places(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    desk.play_out()
    final = "main/2.1"
    second = desk.entry(next(one for one in lines(desk, final) if desk.entry(one).place == 2))

    desk.do(corrections.correct_result, key=final, score=turned(desk, final), reason="misread")
    assert desk.fresh().status == Status.FINISHED
    assert desk.entry(second.number).place == 1

    ruling = desk.do(corrections.correct_result, key=final, kind="", reason="still being played")
    assert desk.fresh().status == Status.RUNNING
    assert not Entry.objects.filter(tournament=desk.event, place__isnull=False).exists()

    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="no, it is over")
    assert desk.fresh().status == Status.FINISHED
    assert desk.entry(second.number).place == 1


@pytest.mark.long
def test_a_corrected_group_lets_the_cup_begin_anew_and_back(desk: Desk) -> None:
    desk.start(a_plan(CHAINS["groups, then a cup"]), 8)
    while all(key.startswith("groups/") for key in desk.pairs()):
        for key in desk.pairs():
            desk.play(key)
    desk.play(next(iter(desk.pairs())))
    before = desk.image()
    qualified = {
        entry for row in desk.event.pairings.filter(stage__name="cup") for entry in (row.a_id, row.b_id)
    }
    reopened = desk.event.pairings.filter(stage__name="groups", state="decided").first()

    ruling = desk.do(corrections.correct_result, key=reopened.key, kind="", reason="never played")
    assert not desk.event.pairings.filter(stage__name="cup").exists(), "nobody knows who has qualified"

    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="it was")
    assert desk.image() == before
    assert qualified


def test_what_is_no_correction(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    first, second = desk.pairs()
    desk.play(first)
    row = desk.row(first)

    with pytest.raises(NotOpen):
        desk.do(corrections.correct_result, key=second, score=(5, 0), reason="not played yet")
    with pytest.raises(NotOpen):
        desk.do(corrections.correct_result, key="main/2.1", score=(5, 0), reason="nobody there yet")
    with pytest.raises(ReasonNeeded):
        desk.do(corrections.correct_result, key=first, score=turned(desk, first), reason=" ")
    with pytest.raises(BadScore):
        desk.do(corrections.correct_result, key=first, score=(5, 5), reason="drawn")
    same = (row.score_a, row.score_b)
    with pytest.raises(AlreadyDone):
        desk.do(corrections.correct_result, key=first, score=same, reason="the same")
    with pytest.raises(UnknownEntrant):
        desk.do(corrections.correct_result, key=first, kind="forfeit", winner=99, reason="who?")


# -- people


@pytest.mark.long
def test_two_who_were_entered_as_each_other_change_everything_they_have(desk: Desk) -> None:
    desk.start(a_plan("progressive-consolation"), 8)
    for key in list(desk.pairs()):
        desk.play(key)
    before = desk.image()
    one, other = desk.player(1), desk.player(2)

    ruling = desk.do(corrections.exchange_players, entry=1, other=2, reason="checked in by the wrong name")

    assert (desk.player(1), desk.player(2)) == (other, one)
    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="they were right")
    assert desk.image() == before


def results(desk: Desk) -> dict[str, tuple[object, ...]]:
    rows = desk.event.pairings.filter(stage__format="groups").select_related("a", "b", "winner")
    return {
        row.key: (row.a and row.a.number, row.b and row.b.number, row.winner and row.winner.number)
        for row in rows
    }


def test_two_who_were_entered_as_each_other_keep_their_groups(desk: Desk) -> None:
    desk.announce(a_plan("groups", groups=2), 8)
    for entry in Entry.objects.filter(tournament=desk.event):
        Entry.objects.filter(pk=entry.pk).update(rating=1600 - 10 * entry.number)
    desk.do(drawing.publish)
    for key in list(desk.pairs()):
        desk.play(key)
    before = results(desk)
    assert sum(winner is not None for _, _, winner in before.values()) == 4

    desk.do(corrections.exchange_players, entry=1, other=2, reason="checked in by the wrong name")

    assert results(desk) == before


@pytest.mark.long
def test_a_correction_of_an_earlier_stage_leaves_the_groups_alone(desk: Desk) -> None:
    swiss = StagePlan(name="swiss", format="swiss", options={"rounds": 2})
    groups = StagePlan(name="groups", format="groups", options={"groups": 2}, takes=({"stage": "swiss"},))
    desk.start(a_plan((swiss, groups)), 8)
    for _ in range(2):
        for key in list(desk.pairs()):
            desk.play(key)
    for key in list(desk.pairs()):
        desk.play(key)
    before = results(desk)
    assert sum(winner is not None for _, _, winner in before.values()) == 4

    last = desk.event.pairings.filter(stage__name="swiss").order_by("-round__number", "position").first()
    desk.do(corrections.correct_result, key=last.key, score=turned(desk, last.key), reason="misread")

    assert results(desk) == before


def test_a_substitute_goes_on_from_there(desk: Desk) -> None:
    desk.start(a_plan("double-elimination"), 8)
    desk.play("main/1.1")
    winner = desk.row("main/1.1").winner
    assert winner

    desk.do(arrivals.substitute_player, entry=winner.number, name="Guest 99", reason="had to leave")

    assert desk.player(winner.number).name == "Guest 99"
    assert winner.number in lines(desk, "main/2.1")
    with pytest.raises(AlreadyDone):
        desk.do(arrivals.substitute_player, entry=winner.number, name="Guest 2", reason="plays already")


def test_a_latecomer_takes_a_bye_and_nobody_else_moves(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 5)
    before = {key: lines(desk, key) for key in desk.pairs()}

    late = desk.do(arrivals.enter_latecomer, name="Latecomer")

    after = {key: lines(desk, key) for key in desk.pairs()}
    (key,) = after.keys() - before.keys()
    assert late.number in after[key]
    assert {key: after[key] for key in before} == before


@pytest.mark.long
def test_a_latecomer_in_a_swiss_is_paired_from_the_next_round_on(desk: Desk) -> None:
    desk.start(a_plan("swiss", rounds=3), 6)

    late = desk.do(arrivals.enter_latecomer, name="Latecomer", head_start="1/2")

    assert late.arrived == 2
    assert all(late.number not in two for two in desk.pairs().values())
    for key in list(desk.pairs()):
        desk.play(key)
    playing = {one for two in desk.pairs().values() for one in two}
    resting = {bye.entry.number for bye in desk.event.stages.get().rounds.get(number=2).byes.all()}
    assert late.number in playing | resting


def test_who_withdrew_and_comes_back_has_the_old_number(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination"), 6)
    gone = desk.entry(3)
    Entry.objects.filter(pk=gone.pk).update(withdrawn_at=desk.now)
    desk.do(drawing.publish)

    late = desk.do(arrivals.enter_latecomer, player_key=gone.player.key)

    assert late.number == 3
    with pytest.raises(AlreadyDone):
        desk.do(arrivals.enter_latecomer, player_key=gone.player.key)


def test_an_entry_that_has_played_cannot_be_taken_back(desk: Desk) -> None:
    desk.start(a_plan("swiss", rounds=3), 4)
    desk.do(arrivals.enter_latecomer, name="Latecomer")
    ruling = desk.ruling()
    for key in list(desk.pairs()):
        desk.play(key)

    with pytest.raises(NotRestorable):
        desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="he was not there")


# -- leaving


def test_who_leaves_loses_what_is_left_and_may_come_back(desk: Desk) -> None:
    desk.start(a_plan("progressive-consolation"), 8)
    key = "main/1.1"
    a, b = lines(desk, key)
    before = desk.image()

    ruling = desk.do(departures.withdraw_entry, entry=a, reason="ill")

    row = desk.row(key)
    assert (row.kind, row.is_derived, row.winner and row.winner.number) == ("withdrawal", True, b)
    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="better again")
    assert desk.image() == before


def test_who_leaves_after_the_match_still_plays_it(desk: Desk) -> None:
    desk.start(a_plan("progressive-consolation"), 8)
    a, _ = lines(desk, "main/1.1")

    desk.do(departures.withdraw_entry, entry=a, after=True)

    assert desk.row("main/1.1").state == "ready"
    desk.play("main/1.1", a)
    assert desk.row("main/1.1").kind == "played"
    assert a not in {one for two in desk.pairs().values() for one in two}


@pytest.mark.long
def test_five_ways_not_to_play_are_five_different_results(desk: Desk) -> None:
    desk.start(a_plan("progressive-consolation"), 16)
    keys = list(desk.pairs())
    acts = [incidents.record_walkover, incidents.record_forfeit, incidents.record_no_show]
    for key, act in zip(keys, acts, strict=False):
        desk.do(act, key=key, loser=lines(desk, key)[0])
    desk.do(incidents.record_double_forfeit, key=keys[3])
    sent_home = lines(desk, keys[4])[0]
    desk.do(departures.disqualify_entry, entry=sent_home, reason="conduct")

    kinds = [desk.row(key).kind for key in keys[:5]]
    assert kinds == ["walkover", "forfeit", "no-show", "double forfeit", "forfeit"]
    assert desk.entry(sent_home).is_disqualified
    desk.play_out()


@pytest.mark.long
@pytest.mark.parametrize("form", sorted(FORMATS))
def test_a_match_is_opened_again_though_the_loser_is_to_play_elsewhere(desk: Desk, form: str) -> None:
    """It has the same number of round and the same side, so each player has one match in a round."""
    desk.start(a_plan([as_usual(form, "")]), 8)
    for row in desk.open():
        desk.play(row.key)
        ruling = desk.do(corrections.correct_result, key=row.key, kind="", reason="not over yet")
        assert desk.row(row.key).state == "ready"
        desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="it was")
    desk.play_out()


# -- time


@pytest.mark.long
def test_an_early_end_gives_the_places_of_that_moment_and_can_be_taken_back(desk: Desk) -> None:
    desk.start(a_plan("double-elimination"), 8)
    for _ in range(2):
        for key in list(desk.pairs()):
            desk.play(key)
    before = desk.image()

    ruling = desk.do(event_control.end_event_early, reason="the club closes")

    assert desk.fresh().status == Status.FINISHED
    places = Entry.objects.filter(tournament=desk.event).values_list("place", flat=True)
    # The worst possible place of a player without a loss is better.
    assert sorted(places) == [1, 1, 3, 3, 3, 3, 7, 7]
    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="we may stay")
    assert desk.image() == before
    desk.play_out()


@pytest.mark.parametrize("way", ["reopen", "undo"])
def test_the_time_after_an_early_end_that_is_taken_back_is_a_pause(desk: Desk, way: str) -> None:
    desk.start(a_plan("single-elimination"), 4)
    desk.do(event_control.end_event_early, reason="the room closes")
    ended_at = desk.now
    desk.now += timedelta(hours=3)
    if way == "reopen":
        desk.do(directing.reopen_event, reason="it is open")
    else:
        desk.do(corrections.undo_act, ruling_id=desk.ruling().pk, reason="it is open")
    assert timing.load_pauses([desk.pk]) == {desk.pk: [(ended_at, desk.now)]}


@pytest.mark.long
def test_a_round_more_reopens_a_swiss_that_is_over(desk: Desk) -> None:
    desk.start(a_plan("swiss", rounds=2), 6)
    desk.play_out()

    desk.do(event_control.add_round)

    assert desk.fresh().status == Status.RUNNING
    assert {row.round.number for row in desk.open()} == {3}
    desk.play_out()


@pytest.mark.long
def test_a_match_in_progress_keeps_its_length_when_a_round_is_added(desk: Desk) -> None:
    swiss = StagePlan(format="swiss", options={"rounds": 1}, rules=({"round": -1, "length": 9},))
    desk.start(a_plan((swiss,)), 4)
    desk.play("r1.1")

    desk.do(event_control.add_round)

    assert [desk.row(key).length for key in ("r1.1", "r1.2")] == [9, 9]
    assert list(inspection.find_problems(desk.fresh())) == []
    desk.play_out()
    assert desk.row("r2.1").length == 9
