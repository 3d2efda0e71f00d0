"""Round robins, groups and the stages after them while they are played: players leave, come back or come late."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from draw.stages import propose_stages
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.play.test_play_offs import GROUP_AND_CUP
from tournaments.base.errors import BadLines
from tournaments.base.event_rows import build_event, load_rows
from tournaments.base.settings import Settings
from tournaments.plan import drawing
from tournaments.plan.templates import StagePlan
from tournaments.play import arrivals, corrections, departures, directing, incidents, progress

pytestmark = pytest.mark.django_db


def results(desk: Desk, number: int) -> dict[str, str]:
    """The results of an entrant's matches, in order."""
    rows = desk.event.pairings.filter(a__number=number) | desk.event.pairings.filter(b__number=number)
    return {row.key: row.kind for row in rows.order_by("position")}


def test_a_player_who_leaves_after_this_match_plays_it(desk: Desk) -> None:
    desk.start(a_plan("round-robin"), 4)
    desk.play("r1.1", 4)
    desk.play("r1.2")
    before = desk.pairs()
    assert before == {"r2.1": (4, 3), "r2.2": (1, 2)}

    desk.do(departures.withdraw_entry, entry=4, after=True)

    assert desk.pairs() == before
    desk.play("r2.1", 4)
    assert results(desk, 4) == {"r1.1": "played", "r2.1": "played", "r3.1": "withdrawal"}
    assert desk.row("r3.1").winner == desk.entry(2)
    desk.play_out()


def test_half_of_the_matches_are_counted_once_the_last_one_is_played(desk: Desk) -> None:
    desk.start(a_plan("round-robin"), 4)
    desk.do(departures.withdraw_entry, entry=4, after=True)
    assert desk.pairs() == {"r1.1": (1, 4), "r1.2": (2, 3)}

    desk.play("r1.1")

    assert desk.row("r1.1").is_cancelled
    assert results(desk, 4) == {"r1.1": "played", "r2.1": "void", "r3.1": "void"}
    desk.play_out()


def opened(desk: Desk) -> dict[str, datetime | None]:
    return {row.key: row.opened_at for row in desk.open()}


def begin_second_round(desk: Desk, players: int) -> dict[str, datetime | None]:
    """Play the first round of a round robin, and return the matches of the second."""
    desk.start(a_plan("round-robin"), players)
    for key in desk.pairs():
        desk.play(key)
    before = opened(desk)
    assert {key[:2] for key in before} == {"r2"}
    desk.now += timedelta(minutes=5)
    return before


@pytest.mark.long
def test_a_match_in_progress_goes_on_when_a_player_comes_late(desk: Desk) -> None:
    before = begin_second_round(desk, 5)
    pairs = desk.pairs()

    late = desk.do(arrivals.enter_latecomer, name="Zoe Late")

    after = opened(desk)
    assert {key: after.get(key) for key in before} == before
    assert desk.pairs() == pairs | {"r2.3": (late.number, 4)}
    desk.play_out()


@pytest.mark.long
def test_a_player_of_the_waiting_list_moves_no_latecomer(desk: Desk) -> None:
    """Those who were on it before the draw have lower numbers than players who came earlier."""
    desk.announce(a_plan("round-robin", Settings(has_waiting_list=True)), 5, capacity=5)
    (waiting,) = desk.do(directing.admit_named, names=["Walt Waits"])
    desk.do(drawing.publish)
    late = desk.do(arrivals.enter_latecomer, name="Zoe Late")
    before = results(desk, late.number)
    pairs = desk.pairs()
    assert late.number > waiting.number
    desk.now += timedelta(minutes=5)

    desk.do(arrivals.enter_latecomer, player_key=waiting.player.key)

    assert results(desk, late.number) == before | {"r11.1": ""}, "against the one who came after them"
    assert desk.pairs() == pairs
    desk.play_out()


def test_a_match_in_progress_goes_on_when_a_player_is_back(desk: Desk) -> None:
    desk.start(a_plan("round-robin"), 4)
    desk.do(departures.mark_away, entries=[4])
    desk.play("r1.2")
    before = opened(desk)
    assert before.keys() == {"r2.2"}
    desk.now += timedelta(minutes=5)

    desk.do(departures.mark_back, entries=[4])

    assert desk.pairs() == {"r2.1": (4, 3), "r2.2": (1, 2)}
    assert opened(desk)["r2.2"] == before["r2.2"]
    desk.play("r2.2")
    desk.play("r2.1")
    assert desk.pairs() == {"r1.1": (1, 4)}, "made up for before the next round"
    desk.play_out()


@pytest.mark.long
def test_a_reopened_result_stops_only_the_matches_of_its_players(desk: Desk) -> None:
    before = begin_second_round(desk, 6)
    assert desk.pairs() == {"r2.1": (6, 4), "r2.2": (5, 3), "r2.3": (1, 2)}

    desk.do(corrections.correct_result, key="r1.1", kind="", reason="not over yet")

    assert desk.pairs() == {"r1.1": (1, 6), "r2.2": (5, 3)}
    assert opened(desk)["r2.2"] == before["r2.2"]
    desk.play("r1.1")
    assert opened(desk) == before
    desk.play_out()


def test_a_match_that_was_put_off_is_opened_again_when_both_are_free(desk: Desk) -> None:
    desk.start(a_plan("round-robin"), 4)
    desk.do(departures.mark_away, entries=[4])
    desk.do(departures.mark_back, entries=[4])
    assert desk.pairs() == {"r1.1": (1, 4), "r1.2": (2, 3)}
    desk.play("r1.2")
    desk.do(departures.mark_away, entries=[4])
    assert desk.pairs() == {"r2.2": (1, 2)}
    assert desk.row("r1.1").opened_at is None

    desk.do(departures.mark_back, entries=[4])

    assert desk.pairs() == {"r2.1": (4, 3), "r2.2": (1, 2)}
    desk.play_out()


def test_a_player_who_is_taken_out_of_a_group_does_not_go_on(desk: Desk) -> None:
    """The group is 1, 4 and 5, of whom 5 loses to 1, and 4 has left without playing."""
    groups = replace(GROUP_AND_CUP[0], options={"groups": 2, "order": "listed"})
    desk.start(a_plan((groups, GROUP_AND_CUP[1])), 6)
    desk.do(departures.withdraw_entry, entry=4)

    while {row.stage.name for row in desk.open()} == {"groups"}:
        desk.play(desk.open()[0].key)

    assert {number for two in desk.pairs().values() for number in two} == {1, 2, 3, 5}


def take_first(format_: str, last: int, **options: int) -> tuple[StagePlan, StagePlan]:
    """Return a stage, and a knock-out of its first players."""
    return (
        StagePlan(format=format_, name="first", options=options | {"lots": "lot"}),
        StagePlan(
            format="single-elimination", name="cup", takes=({"stage": "first", "first": 1, "last": last},)
        ),
    )


def begin_final(desk: Desk) -> None:
    """Play a round robin in which 1 wins two matches without play, until the final of 1 and 2 is open."""
    desk.start(a_plan(take_first("round-robin", 2)), 4)
    for _ in range(6):
        row = desk.open()[0]
        numbers = desk.pairs()[row.key]
        if 1 in numbers and 2 not in numbers:
            desk.do(incidents.record_no_show, key=row.key, loser=max(numbers))
        else:
            desk.play(row.key)
    assert desk.pairs() == {"cup/main/1.1": (1, 2)}
    desk.now += timedelta(minutes=5)


def test_who_leaves_the_final_has_lost_it_and_keeps_second_place(desk: Desk) -> None:
    begin_final(desk)

    desk.do(departures.withdraw_entry, entry=1)

    assert desk.row("cup/main/1.1").winner == desk.entry(2)
    assert desk.row("first/r1.1").winner == desk.entry(1)
    assert [desk.entry(number).place for number in (1, 2, 3, 4)] == [2, 1, 3, 4]
    assert not progress.advance(desk.fresh(), now=desk.now)


def test_who_has_left_is_not_in_a_stage_that_is_drawn_again(desk: Desk) -> None:
    begin_final(desk)
    desk.do(departures.withdraw_entry, entry=1)
    desk.now += timedelta(minutes=5)

    # Now 3 has beaten 2, and both have beaten 4.
    key = next(row.key for row in desk.event.pairings.filter(a__number=2, b__number=3))
    desk.do(corrections.correct_result, key=key, score=(0, desk.row(key).length), reason="written wrongly")

    assert desk.pairs() == {"cup/main/1.1": (3, 2)}
    assert not progress.advance(desk.fresh(), now=desk.now)
    desk.play_out()


def test_who_leaves_a_cup_has_not_left_the_lives_before_it(desk: Desk) -> None:
    desk.start(a_plan(take_first("lives", 4, lives=2, until=6)), 8)
    while {row.stage.name for row in desk.open()} == {"first"}:
        desk.play(desk.open()[0].key)
    desk.now += timedelta(minutes=5)
    semifinals = list(desk.pairs().items())
    for key, numbers in semifinals:
        desk.play(key, min(numbers))
    final = desk.pairs()
    loser = max(max(numbers) for _, numbers in semifinals)

    desk.do(departures.withdraw_entry, entry=loser)

    assert desk.pairs() == final
    assert [desk.row(key).kind for key, _ in semifinals] == ["played", "played"]
    desk.play_out()
    assert desk.entry(loser).place == 3


@pytest.mark.long
def test_results_stay_when_the_clock_was_set_back_between_a_player_who_leaves_and_a_draw(desk: Desk) -> None:
    desk.start(a_plan(take_first("swiss", 4, rounds=3)), 8)
    desk.now += timedelta(hours=1)
    while len(desk.open()) > 1 or desk.open()[0].round.number < 3:
        desk.play(desk.open()[-1].key)
    [(key, leaders)] = desk.pairs().items()
    assert key == "first/r3.1"
    desk.do(departures.withdraw_entry, entry=leaders[0], after=True)
    desk.now -= timedelta(minutes=10)
    desk.play(key)
    semifinals = desk.pairs()
    assert leaders[0] not in {number for numbers in semifinals.values() for number in numbers}

    for key in semifinals:
        desk.play(key)

    assert [desk.row(key).kind for key in semifinals] == ["played", "played"]
    desk.play_out()


@pytest.mark.long
def test_results_stay_when_the_clock_was_set_back_between_a_draw_and_a_player_who_leaves(desk: Desk) -> None:
    desk.start(a_plan(take_first("lives", 4, lives=2, until=6)), 8)
    desk.now += timedelta(hours=1)
    while {row.stage.name for row in desk.open()} == {"first"}:
        desk.play(desk.open()[0].key)
    first, second = desk.pairs().items()
    desk.play(first[0], min(first[1]))
    desk.now -= timedelta(minutes=10)

    desk.do(departures.withdraw_entry, entry=max(first[1]))
    desk.play(second[0])

    assert [desk.row(key).kind for key in (first[0], second[0])] == ["played", "played"]
    desk.play_out()


@pytest.mark.long
@pytest.mark.parametrize(("form", "options"), [("groups", {"groups": 1}), ("swiss", {"rounds": 2})])
def test_for_a_player_who_left_before_the_cup_the_next_in_rank_goes_on(
    desk: Desk, form: str, options: dict[str, int]
) -> None:
    first, cup = take_first(form, 2, **options)
    desk.start(a_plan((first, replace(cup, pairs="draft"))), 4)
    while rows := desk.open():
        desk.play(rows[0].key)
    ranking = [one.entrant for one in propose_stages(build_event(load_rows(desk.fresh())))["first"].ranking]
    desk.now += timedelta(minutes=5)
    desk.do(drawing.preview, stage=2)
    desk.do(departures.withdraw_entry, entry=int(ranking[0]))
    left = desk.ruling()
    desk.now += timedelta(minutes=5)
    with pytest.raises(BadLines):
        desk.do(drawing.publish, stage=2)

    desk.do(drawing.preview, stage=2, reason="A player has left")
    desk.do(drawing.publish, stage=2)

    assert desk.pairs() == {"cup/main/1.1": (int(ranking[1]), int(ranking[2]))}
    # If the player has not left after all, the final is theirs, and it is drawn again.
    desk.do(corrections.undo_act, ruling_id=left.pk, reason="She was outside")
    assert desk.pairs() == {}
    desk.do(drawing.publish, stage=2)
    assert desk.pairs() == {"cup/main/1.1": (int(ranking[0]), int(ranking[1]))}
    desk.play_out()
