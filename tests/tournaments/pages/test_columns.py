"""Tables of figures: tie-breaks are in the order in which they count, with labels."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import translation

from careers import results
from draw.standings.registry import TIE_BREAKS
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import event_view, labels
from tournaments.pages import standings_tables
from tournaments.play import departures

pytestmark = pytest.mark.django_db
# The first of four beats everybody; the others beat each other in a circle.
CIRCLE = {(1, 2): 1, (1, 3): 1, (1, 4): 1, (2, 3): 2, (3, 4): 3, (2, 4): 4}


def play_circle(desk: Desk, upto: int = 99) -> None:
    for _ in range(upto):
        if not (todo := desk.open()):
            return
        row = todo[0]
        numbers = (min(row.a.number, row.b.number), max(row.a.number, row.b.number))
        desk.play(row.key, CIRCLE[numbers])


def table(desk: Desk) -> standings_tables.StandingsTable:
    return standings_tables.build_tables(event_view.load_view(desk.fresh()))[0]


@pytest.mark.long
def test_columns_stand_in_the_order_in_which_they_count(desk: Desk) -> None:
    desk.start(a_plan("round-robin"), 4)
    play_circle(desk)
    assert [column.key for column in table(desk).columns] == [
        "points",
        "head-to-head",
        "sonneborn-berger",
        "wins-at-the-board",
    ]
    assert all(column.meaning for column in table(desk).columns)
    assert [row.place for row in table(desk).rows] == ["1", "2–4", "2–4", "2–4"]  # noqa: RUF001


@pytest.mark.long
def test_the_lot_of_a_group_is_called_so_when_it_decides_and_not_before(desk: Desk, client: Client) -> None:
    desk.start(a_plan("groups", groups=1), 4)
    play_circle(desk, upto=2)
    assert "lot" not in [column.key for column in table(desk).columns]
    play_circle(desk)
    shown = table(desk)
    assert [column.key for column in shown.columns][-1] == "lot"
    assert [row.place for row in shown.rows] == ["1", "2", "3", "4"]
    assert [row.figures[-1] for row in shown.rows] == ["", "1", "2", "3"]
    page = client.get(f"/events/{desk.fresh().key}/standings/").content.decode()
    assert "The lot was drawn from the seed of this event before play." in page
    assert "event.json" in page


@pytest.mark.long
@pytest.mark.share
def test_a_shared_place_says_why_it_is_shared(desk: Desk, client: Client) -> None:
    desk.start(a_plan("round-robin"), 4)
    play_circle(desk)
    said = "3 players, from Guest 2 to Guest 4, are level on every line of the list: they share the place."
    assert said in table(desk).why
    assert said in client.get(f"/events/{desk.fresh().key}/standings/").content.decode()


def test_before_anything_is_played_nothing_is_said_of_shared_places(desk: Desk) -> None:
    for form in ("swiss", "round-robin", "groups"):
        desk.start(a_plan(form, **({"rounds": 3} if form == "swiss" else {})), 4)
        assert table(desk).why == ()


@pytest.mark.long
def test_a_player_who_is_taken_out_of_a_group_shares_no_place(desk: Desk) -> None:
    """Of 1, 4 and 5 in group A, 4 leaves before playing, and 5 loses to 1."""
    desk.start(a_plan("groups", groups=2, order="listed"), 6)
    desk.do(departures.withdraw_entry, entry=4)
    desk.play_out()
    shown = table(desk)
    assert [(row.who.number, row.place) for row in shown.rows] == [(1, "1"), (5, "2"), (4, "3")]
    assert set(shown.rows[-1].figures) == {""}
    assert shown.why == ()


def test_a_lot_is_written_as_the_turn_in_which_it_was_drawn(desk: Desk) -> None:
    desk.start(a_plan("swiss", rounds=1, ties=["points", "lot"]), 6)
    desk.play_out()
    lots = [[int(row.figures[-1]) for row in table(desk).rows if row.figures[0] == score] for score in "10"]
    assert sorted(lots[0] + lots[1]) == [1, 2, 3, 4, 5, 6]
    assert lots == [sorted(each) for each in lots]


@pytest.mark.long
def test_groups_have_no_medals(desk: Desk) -> None:
    desk.start(a_plan("groups", groups=2), 8)
    desk.play_out()
    tables = standings_tables.build_tables(event_view.load_view(desk.fresh()))
    assert len(tables) == 2
    assert {row.medal for each in tables for row in each.rows} == {""}


def test_every_tie_break_is_explained_to_players() -> None:
    with translation.override("de"):
        assert all(labels.explain_tie_break(name) != one.explanation for name, one in TIE_BREAKS.items())
        assert labels.format_tie_break("wins") == "Siege"


@pytest.mark.long
def test_shared_places_are_written_in_one_way(desk: Desk, client: Client) -> None:
    desk.start(a_plan("single-elimination"), 8)
    desk.play_out()
    for page in (f"/events/{desk.fresh().key}/standings/", f"/events/{desk.fresh().key}/"):
        text = client.get(page).content.decode()
        assert "3–4" in text, page  # noqa: RUF001
    third = next(desk.player(number) for number in range(1, 9) if desk.entry(number).place == 3)
    assert results.load_results(third, desk.director).results[0].places == "3–4"  # noqa: RUF001
