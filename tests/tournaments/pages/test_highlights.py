"""The story of an event agrees with its rows: only eliminated players are out, and comebacks were behind."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.test import Client

from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import text
from tournaments.base import event_view
from tournaments.models import Pairing, PairingState
from tournaments.pages import finish, highlights
from tournaments.pages.highlights import MOST, Weight

pytestmark = pytest.mark.today


def load_story(desk: Desk) -> tuple[highlights.Highlight, ...]:
    return highlights.list_highlights(event_view.load_view(desk.fresh()))


def wrote(desk: Desk, key: str, games: list[dict[str, Any]]) -> highlights.Highlight:
    """Play a match and record these games, with A as the winner at 5-3."""
    row = desk.row(key)
    row = desk.play(key, row.a.number)
    Pairing.objects.filter(pk=row.pk).update(games=games, score_a=5, score_b=3, length=5)
    (found,) = load_story(desk)
    return found


def game(winner: str, points: int, cube: int = 1, end: str = "single") -> dict[str, Any]:
    return {"winner": winner, "points": points, "cube": cube, "end": end}


def test_a_comeback_is_one_from_three_points_behind(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)

    found = wrote(desk, "main/1.1", [game("b", 3), game("a", 1), game("a", 4, 2, "gammon")])

    assert found.weight is Weight.COMEBACK
    assert "was 0\u20133 down" in found.sentence
    assert "5\u20133" in found.sentence


def test_a_gammon_counts_from_a_cube_of_four_and_for_who_won_the_match(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)

    assert wrote(desk, "main/1.1", [game("b", 1), game("a", 8, 4, "gammon")]).weight is Weight.GAMMON
    Pairing.objects.filter(key="main/1.1").update(
        games=[game("b", 2, 2), game("a", 4, 2, "gammon"), game("a", 1)]
    )
    (found,) = load_story(desk)
    assert found.weight is Weight.OUT


def test_a_backgammon_with_a_high_cube_is_called_one(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)

    found = wrote(desk, "main/1.1", [game("b", 1), game("a", 12, 4, "backgammon")])

    assert found.weight is Weight.GAMMON
    assert "won a backgammon with the cube on 4" in found.sentence


def test_the_longest_match_is_told_where_one_was_longer_than_all_others(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 8)
    minutes = {"main/1.1": 41, "main/1.2": 94, "main/1.3": 33}
    for key, lasted in minutes.items():
        row = desk.play(key)
        called = row.decided_at - timedelta(minutes=lasted)
        Pairing.objects.filter(pk=row.pk).update(called_at=called, opened_at=called - timedelta(hours=1))

    (longest,) = [each for each in load_story(desk) if each.weight is Weight.LONGEST]
    assert longest.sentence.startswith("The longest match: ")
    assert longest.sentence.endswith("after 1 h 34 min.")

    # Two were the same: neither is the longest.
    row = desk.row("main/1.1")
    Pairing.objects.filter(pk=row.pk).update(called_at=row.decided_at - timedelta(minutes=94))
    assert all(each.weight is not Weight.LONGEST for each in load_story(desk))

    # What is played until a day was not played at a stretch.
    Pairing.objects.filter(pk=row.pk).update(called_at=None, opened_at=None, deadline_at=desk.now)
    Pairing.objects.filter(key="main/1.2").update(deadline_at=desk.now)
    assert all(each.weight is not Weight.LONGEST for each in load_story(desk))


@pytest.mark.long
@pytest.mark.parametrize(
    "form", ["single-elimination", "progressive-consolation", "double-elimination", "swiss"]
)
def test_who_is_said_to_be_out_plays_no_more(desk: Desk, form: str) -> None:
    draw = Random(form)
    desk.start(a_plan(form, **({"rounds": 3} if form == "swiss" else {})), 8)
    for _ in range(20):
        ready = desk.open()
        if not ready:
            break
        desk.play(draw.choice(ready).key)
        moments = load_story(desk)
        assert len(moments) <= MOST
        assert [each.at for each in moments] == sorted((each.at for each in moments), reverse=True)
        view = event_view.load_view(desk.fresh())
        still = {view.people[pk].name for pk in view.ahead}
        for each in moments:
            assert form != "swiss" or each.weight is not Weight.OUT
            if each.weight is Weight.OUT:
                assert each.sentence.split(" is out")[0] not in still


@pytest.mark.long
def test_a_lost_match_on_the_winners_path_is_called_lost(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("round-robin"), 4)
    # The winner of the event loses their first match.
    lost: list[str] = []

    def choose(play: Pairing) -> int:
        assert play.b is not None
        best = min(play.a, play.b, key=lambda entry: entry.number)
        if best.number == 1 and not lost:
            lost.append(play.key)
            return max(play.a.number, play.b.number)
        return best.number

    desk.play_out(choose)
    view = event_view.load_view(desk.fresh())
    winner = event.entries.filter(place=1).get(number=1)

    path = finish.list_player_path(view, winner.number)

    assert [step.is_lost for step in path].count(True) == 1
    page = text(client.get(event.get_absolute_url()))
    assert page.count('<span class="badge">lost</span>') == 1


@pytest.mark.long
def test_the_winners_path_is_every_match_they_played(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("progressive-consolation"), 8)
    desk.play_out()
    view = event_view.load_view(desk.fresh())
    winner = event.entries.get(place=1)

    path = finish.list_player_path(view, winner.number)

    played = Pairing.objects.filter(tournament=event, state=PairingState.DECIDED)
    assert len(path) == played.filter(a=winner).count() + played.filter(b=winner).count()
    assert all(step.is_won for step in path)
    assert path[-1].title == "Final"
    page = text(client.get(event.get_absolute_url()))
    assert page.count('<li class="path__step') == len(path)
    beside = finish.list_side_winners(view)
    assert beside
    assert "Also won" in page
    for each in beside:
        assert each.name != view.by_number[winner.number].name
        assert each.name in page.partition("Also won")[2]
