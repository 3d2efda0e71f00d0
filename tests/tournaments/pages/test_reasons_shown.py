"""Why, where people ask: in a drafted round, in the rounds, on the page of a match, on the draw, in the standings, in the API."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import Player
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import text, url
from tournaments.base import event_view
from tournaments.models import Pairing
from tournaments.pages import standings_tables
from tournaments.plan import drawing
from tournaments.plan.templates import StagePlan
from tournaments.play import arrivals, constraints, departures, event_control

pytestmark = pytest.mark.django_db
DRAFTED = [StagePlan(format="swiss", options={"rounds": 4}, pairs="draft")]


def page(client: Client, name: str, *args: str, language: str = "en") -> str:
    return unescape(text(client.get(url(name, *args), headers={"Accept-Language": language})))


def load_part(client: Client, desk: Desk, part: str, language: str = "en") -> Any:
    address = f"/api/v1/events/{desk.event.key}/{part}"
    return client.get(address, headers={"Accept-Language": language}).json()


def play_round(desk: Desk) -> None:
    for row in desk.open():
        desk.play(row.key)


def until_round(desk: Desk, number: int) -> None:
    """Publish and play the rounds before, and leave this one a draft."""
    for before in range(1, number):
        desk.do(event_control.publish_round, stage=1, number=before)
        play_round(desk)


# -- a drafted round


@pytest.mark.long
def test_a_drafted_round_says_why_of_a_bye_a_repeat_and_a_float(desk: Desk, window: Client) -> None:
    desk.start(a_plan(DRAFTED), 3)
    until_round(desk, 4)
    shown = page(window, "drafted_round", desk.event.key, "1", "4")
    for said in (
        "the number of players is odd. Byes before: 1; score so far:",
        "have met before (times so far: 1, last in round",
        "not everybody could be paired within their score group",
    ):
        assert said in shown
    assert "%(" not in shown
    # Each of the two tables of this round has something a director wants to know.
    assert shown.count('<details class="why drafted__why" open>') == 2


def test_whoever_was_exchanged_is_not_explained_by_what_the_pairing_had_in_mind(
    desk: Desk, window: Client
) -> None:
    desk.start(a_plan(DRAFTED), 6)
    rows = list(desk.event.pairings.order_by("position"))
    before = page(window, "drafted_round", desk.event.key, "1", "1")
    assert before.count("0 points each") == 3
    assert '<details class="why drafted__why">' in before
    assert 'drafted__why" open' not in before
    sent = {"entry": [str(rows[0].a.number), str(rows[1].a.number)]}
    mark = before.split('name="mark" value="')[1].split('"')[0]
    after = window.post(url("drafted_round", desk.event.key, "1", "1"), {**sent, "mark": mark})
    assert after.status_code == 200
    assert unescape(after.content.decode()).count("0 points each") == 1


# -- the rounds, and the page of a match


def test_the_rounds_say_what_is_unusual_and_nothing_else(desk: Desk, client: Client) -> None:
    desk.start(a_plan("swiss", rounds=4), 3)
    for _ in range(3):
        play_round(desk)
    shown = page(client, "bracket", desk.event.key)
    assert shown.count("the number of players is odd") == 4
    assert shown.count("have met before") == 1
    assert "0 points each" not in shown


@pytest.mark.long
def test_a_match_says_why_it_is_played(desk: Desk, client: Client, window: Client) -> None:
    desk.start(a_plan("swiss", rounds=4), 3)
    for _ in range(3):
        play_round(desk)
    for shown in (
        page(client, "games", desk.event.key, "r4.1"),
        page(window, "pairing", desk.event.key, "r4.1"),
    ):
        assert "no round without a rematch was left" in shown
    assert "sits out and gets 1 point" in page(window, "pairing", desk.event.key, "r1.bye")


def test_a_latecomers_match_says_so_and_a_usual_one_says_nothing(desk: Desk, client: Client) -> None:
    desk.start(a_plan("single-elimination", draw="listed"), 7)
    desk.do(arrivals.enter_latecomer, name="Late")
    assert "Late came late and took the bye on line 2." in page(client, "games", desk.event.key, "main/1.1")
    assert (
        "<details"
        not in page(client, "games", desk.event.key, "main/1.2").split("</header>")[-1].split("<footer")[0]
    )


@pytest.mark.long
@pytest.mark.share
def test_who_is_kept_apart_is_told_to_directors_alone(desk: Desk, client: Client, window: Client) -> None:
    desk.announce(a_plan("swiss", rounds=3), 2)
    desk.do(constraints.keep_apart, members=[1, 2], hard=False, reason="They quarrel.")
    desk.do(drawing.publish)
    said = "were to be kept apart if possible"
    assert said in page(window, "pairing", desk.event.key, "r1.1")
    assert said not in page(client, "games", desk.event.key, "r1.1")
    assert said not in page(client, "bracket", desk.event.key)
    assert "apart" not in str([one["why"] for one in load_part(client, desk, "pairings/")["results"]])
    assert "apart" in str([one["why"] for one in load_part(window, desk, "pairings/")["results"]])


def test_names_follow_what_players_want_to_be_called(desk: Desk, client: Client) -> None:
    desk.start(a_plan("swiss", rounds=3), 3)
    Player.objects.filter(entries__tournament=desk.event).update(alias="Nobody <b>", shown_as="alias")
    for shown in (
        page(client, "bracket", desk.event.key),
        str(load_part(client, desk, "pairings/")["results"]),
    ):
        assert "Nobody <b> sits out" in shown
        assert "Guest" not in shown
    assert "Nobody &lt;b&gt; sits out" in client.get(url("bracket", desk.event.key)).content.decode()


# -- the draw


def test_the_draw_says_what_the_lot_decided(desk: Desk, client: Client, window: Client) -> None:
    desk.announce(a_plan("single-elimination"), 6)
    desk.do(drawing.preview)
    sentences = ["The lot decided every line.", "6 players on 8 lines: the lot decided who has a bye (2)."]
    assert all(one in page(window, "draw", desk.event.key) for one in sentences)
    assert sentences[0] not in page(client, "event", desk.event.key)
    desk.do(drawing.publish)
    desk.do(arrivals.enter_latecomer, name="Late")
    shown = page(client, "bracket", desk.event.key)
    assert all(one in shown for one in sentences)
    assert "Late came late and took the bye on line" in shown
    draw = load_part(client, desk, "")["stages"][0]["draw"]
    assert [one["code"] for one in draw["why"]] == ["lots", "byes by lot", "late"]
    assert draw["why"][2]["entries"] == {"about": 7}


# -- the standings


@pytest.mark.long
def test_the_standings_say_which_tie_break_decided(desk: Desk, client: Client) -> None:
    desk.start(a_plan("swiss", rounds=3, ties=["points", "buchholz", "lot"]), 8)
    desk.play_out()
    table = standings_tables.build_tables(event_view.load_view(desk.fresh()))[0]
    level = [
        (above, row)
        for above, row in zip(table.rows, table.rows[1:], strict=False)
        if above.figures[0] == row.figures[0]
    ]
    assert len(table.why) == len(level)
    by_figures = {True: "Buchholz: ", False: "; the lot put "}
    for said, (above, row) in zip(table.why, level, strict=True):
        assert above.who.name in said
        assert row.who.name in said
        assert by_figures[above.figures[1] != row.figures[1]] in said
    assert any("the lot put" in said for said in table.why)
    assert any("Buchholz: " in said for said in table.why)
    shown = page(client, "standings", desk.event.key)
    assert all(said in shown for said in table.why)
    rows = load_part(client, desk, "standings/")["results"]
    found = [one for row in rows for one in row["why"]]
    assert [one["sentence"] for one in found] == list(table.why)
    assert {one["code"] for one in found} == {"separated", "separated by lot"}
    for row in rows:
        for one in row["why"]:
            assert one["entries"]["b"] == row["entry"]


def test_the_standings_say_whose_matches_do_not_count(desk: Desk, client: Client) -> None:
    desk.start(a_plan("league"), 4)
    desk.play(desk.open()[0].key)
    desk.do(departures.withdraw_entry, entry=4)
    said = "Guest 4 left before half of the matches were played: none of them counts."
    assert said in page(client, "standings", desk.event.key)
    # The second look is answered from what is kept.
    assert said in page(client, "standings", desk.event.key, language="en-GB")


@pytest.mark.long
def test_a_knock_outs_standings_have_nothing_to_separate(desk: Desk, client: Client) -> None:
    desk.start(a_plan("single-elimination"), 8)
    desk.play_out()
    assert "How ties were decided" not in page(client, "standings", desk.event.key)
    assert not any(row["why"] for row in load_part(client, desk, "standings/")["results"])


# -- the API


def test_the_api_says_why_of_every_pairing(desk: Desk, client: Client) -> None:
    desk.start(a_plan("single-elimination", draw="listed"), 6)
    rows = {row["key"]: row for row in load_part(client, desk, "pairings/")["results"]}
    assert rows["main/1.1"]["why"] == [
        {
            "code": "bye",
            "sentence": "Bye: seed 1 of 6 in a draw of 8; its byes (2) go to the top seeds.",
            "entries": {"entrant": 1},
            "places": {},
            "figures": {"seed": 1, "entrants": 6, "size": 8, "byes": 2},
        }
    ]
    assert [one["code"] for one in rows["main/1.2"]["why"]] == ["drawn"]


def test_a_drafted_rounds_reasons_are_its_directors_own(desk: Desk, client: Client, window: Client) -> None:
    desk.start(a_plan(DRAFTED), 5)
    assert load_part(client, desk, "pairings/")["results"] == []
    assert all(row["why"] for row in load_part(window, desk, "pairings/")["results"])


@pytest.mark.long
def test_the_schema_describes_reasons(client: Client) -> None:
    schema = client.get("/api/v1/schema/", headers={"Accept": "application/json"}).json()
    shapes = schema["components"]["schemas"]
    for name in ("Pairing", "Rank", "Draw"):
        assert "why" in shapes[name]["properties"]


# -- what it costs


@pytest.mark.long
@pytest.mark.parametrize("name", ["bracket", "standings"])
def test_reasons_cost_no_query_for_a_match(desk: Desk, name: str) -> None:
    def asked(players: int) -> int:
        desk.start(a_plan("swiss", rounds=3), players)
        play_round(desk)
        with CaptureQueriesContext(connection) as queries:
            assert Client().get(url(name, desk.event.key)).status_code == 200
        return len(queries)

    assert asked(11) == asked(5)


@pytest.mark.parametrize("part", ["pairings/", "standings/", ""])
def test_the_api_asks_no_more_for_a_large_event(desk: Desk, part: str) -> None:
    def asked(players: int) -> int:
        desk.start(a_plan("swiss", rounds=3), players)
        with CaptureQueriesContext(connection) as queries:
            load_part(Client(), desk, part)
        return len(queries)

    assert asked(11) == asked(5)


@pytest.mark.long
def test_a_sheet_keeps_nothing(desk: Desk, django_assert_num_queries: Callable[[int], Any]) -> None:
    desk.start(a_plan("last-chance"), 5)
    desk.play_out()
    assert not Pairing.objects.filter(tournament=desk.event).exclude(why=[]).exists()
    view = event_view.load_view(desk.fresh())
    table = standings_tables.build_tables(view)[0]
    with django_assert_num_queries(0):
        assert table.why == ()
