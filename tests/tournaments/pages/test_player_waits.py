"""What a player without an open match reads, in each format: a sentence that is true for them."""

from __future__ import annotations

import pytest

from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import event_view
from tournaments.pages import viewer_part
from tournaments.plan.templates import StagePlan
from tournaments.play import departures

pytestmark = pytest.mark.django_db

NEXT_ROUND = "Your next match will be set when the round is over."
PLAYED = "You have played all your matches"
PLAYED_STAGE = "You have played all your matches in this stage"
OUT = "You are out"


def read(desk: Desk, number: int) -> tuple[str, ...]:
    """Return the two sentences of the player with this number, who has no open match."""
    view = event_view.load_view(desk.fresh())
    part = viewer_part.load_viewer_part(view, desk.entry(number), now=desk.now)
    assert not part.meetings
    assert not part.next_label
    return part.waiting.title, part.waiting.text


def list_busy(desk: Desk) -> set[int]:
    """List the players who have a match, open or known to come."""
    view = event_view.load_view(desk.fresh())
    return {view.people[pk].number for pk in view.ahead}


def list_idle(desk: Desk) -> list[int]:
    return sorted({entry.number for entry in desk.event.entries.all()} - list_busy(desk))


def play_first(desk: Desk) -> tuple[int, int]:
    """Play one of the open matches; return winner and loser."""
    key, pair = next(iter(desk.pairs().items()))
    desk.play(key)
    return min(pair), max(pair)


@pytest.mark.long
@pytest.mark.share
@pytest.mark.parametrize("form", ["round-robin", "league", "groups"])
def test_all_matches_of_a_circle(desk: Desk, form: str) -> None:
    desk.start(a_plan(form), 4)
    while 1 in list_busy(desk):
        keys = desk.pairs()
        desk.play(next((key for key, pair in keys.items() if 1 in pair), next(iter(keys))))
    assert desk.fresh().status == "RUNNING"

    assert read(desk, 1) == (PLAYED, "The places are final when everyone has finished.")


def test_between_two_rounds_and_after_the_last(desk: Desk) -> None:
    desk.start(a_plan("swiss", rounds=2), 4)
    winner, loser = play_first(desk)
    assert read(desk, winner) == read(desk, loser) == ("You are in", NEXT_ROUND)

    play_first(desk)
    winner, loser = play_first(desk)
    assert read(desk, winner)[0] == read(desk, loser)[0] == PLAYED


def test_a_bye_in_the_last_round(desk: Desk) -> None:
    desk.start(a_plan("swiss", rounds=2), 5)
    for key in desk.pairs():
        desk.play(key)
    [idle] = list_idle(desk)

    assert read(desk, idle)[0] == PLAYED


def test_lives(desk: Desk) -> None:
    desk.start(a_plan("lives", lives=1), 8)
    winner, loser = play_first(desk)

    assert read(desk, winner) == ("You are in", NEXT_ROUND)
    assert read(desk, loser)[0] == OUT


def test_free_players_are_paired_at_any_time(desk: Desk) -> None:
    desk.start(a_plan("lives", lives=2, mode="continuous", batch_minutes=20), 8)
    winner, loser = play_first(desk)

    said = ("You are in", "Your next match will be set when a suitable opponent is free.")
    assert read(desk, winner) == read(desk, loser) == said


def test_rounds_that_are_drawn_afresh(desk: Desk) -> None:
    desk.start(a_plan("single-elimination", redraw=True), 8)
    winner, loser = play_first(desk)

    assert read(desk, winner) == ("You are in", NEXT_ROUND)
    assert read(desk, loser)[0] == OUT


@pytest.mark.long
@pytest.mark.share
def test_a_winner_is_not_out_while_the_consolation_goes_on(desk: Desk) -> None:
    desk.start(a_plan("progressive-consolation"), 8)
    while main := [key for key in desk.pairs() if key.startswith("main/")]:
        desk.play(main[0])
    assert desk.fresh().status == "RUNNING"
    final = desk.event.pairings.filter(key__startswith="main/").order_by("-round__number").first()
    assert final is not None

    assert read(desk, final.winner.number)[0] == PLAYED  # type: ignore[union-attr]


@pytest.mark.long
@pytest.mark.share
def test_a_stage_is_to_come(desk: Desk) -> None:
    takes = ({"stage": "groups", "last": 1, "each_group": True},)
    stages = (
        StagePlan(format="groups", name="groups", options={"groups": 2}),
        StagePlan(format="single-elimination", name="final", takes=takes),
    )
    desk.start(a_plan(stages), 8)
    while not (idle := list_idle(desk)):
        play_first(desk)
    said = (PLAYED_STAGE, "The next stage has not been drawn yet.")
    assert {read(desk, number) for number in idle} == {said}
    while keys := [key for key in desk.pairs() if key.startswith("groups/")]:
        desk.play(keys[0])

    assert len(list_busy(desk)) == 2, "the final is drawn at once"
    assert {read(desk, number)[0] for number in list_idle(desk)} == {OUT}


def test_away(desk: Desk) -> None:
    desk.start(a_plan("swiss", rounds=3), 4)
    winner, _loser = play_first(desk)
    desk.do(departures.mark_away, entries=[winner])

    assert read(desk, winner) == (
        "You are marked as away",
        "Tell the desk when you are back, and you are paired again.",
    )


def test_over_but_not_approved(desk: Desk) -> None:
    desk.club.approves_orders = True
    desk.club.save()
    desk.start(a_plan("swiss", rounds=1), 4)
    while desk.pairs():
        play_first(desk)
    assert desk.fresh().over_at is not None

    said = ("Everything is played", "The places are final when a director has approved them.")
    assert {read(desk, number) for number in range(1, 5)} == {said}
