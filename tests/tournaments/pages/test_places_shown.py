"""A night of sixteen with consolation and last chance: the final is over, the sides are still played."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import datetime
from operator import attrgetter

import pytest

from draw.files import tables
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import bracket_cache, event_rows, event_view
from tournaments.desk import previews
from tournaments.pages import standings_tables
from tournaments.play import corrections, departures, event_control, preview

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(desk: Desk) -> Desk:
    desk.start(a_plan("last-chance"), 16)
    while todo := [row for row in desk.open() if row.bracket == "main"]:
        for row in todo:
            desk.play(row.key)
    return desk


def places(desk: Desk) -> dict[int, str]:
    return {int(one.entrant): one.places for one in bracket_cache.compute_standings(desk.fresh()).order}


@pytest.mark.long
def test_the_final_fixes_first_and_second_while_the_sides_are_played(desk: Desk) -> None:
    final = desk.row("main/4.1")
    assert final.a is not None
    assert final.b is not None
    loser = final.b if final.winner == final.a else final.a
    shown = places(desk)
    assert (shown.pop(final.winner.number), shown.pop(loser.number)) == ("1", "2")
    # Who lost a semi-final begins two rounds before the end of the consolation.
    assert sorted(shown.values()) == ["3–12"] * 2 + ["3–16"] * 12  # noqa: RUF001
    (table,) = standings_tables.build_tables(event_view.load_view(desk.fresh()))
    assert [row.place for row in table.rows[:3]] == ["1", "2", "3–12"]  # noqa: RUF001
    assert table.rows[0].figures == ("Final, won",)


@pytest.mark.long
def test_files_and_api_say_the_same_places(desk: Desk) -> None:
    ranking = bracket_cache.compute_standings(desk.fresh()).order
    names = {one.entrant: one.entrant for one in ranking}
    rows = list(csv.DictReader(io.StringIO(tables.write_standings(ranking, names))))
    assert {int(row["name"]): row["place"] for row in rows} == places(desk)
    assert event_rows.compute_proposal(event_rows.load_rows(desk.fresh())).ranking == ranking


@pytest.mark.long
def test_a_forecast_speaks_of_the_same_places_and_they_come_true(desk: Desk) -> None:
    """The finalist had lost the first match: all but the place of the champion is open again."""
    final = desk.row("main/4.1")
    first = next(
        desk.row(f"main/1.{at}")
        for at in range(1, 9)
        if final.winner in (desk.row(f"main/1.{at}").a, desk.row(f"main/1.{at}").b)
    )
    what = {"key": first.key, "reason": "misread", "kind": "played"}
    score = (0, first.length) if first.winner == first.a else (first.length, 0)
    seen = preview.preview_act(desk.pk, lambda: desk.do(corrections.correct_result, score=score, **what))
    said = previews.describe_preview(event_view.load_view(desk.fresh()), seen)
    champion = event_view.load_view(desk.fresh()).by_number[final.winner.number if final.winner else 0].name
    assert f"{champion}: place 3–16, not 1" in said.order  # noqa: RUF001
    desk.do(corrections.correct_result, score=score, **what)
    assert {int(one.entrant): one.places for one in seen.after.ranking} == places(desk)


@pytest.mark.long
def test_winners_of_the_sides_are_named(desk: Desk) -> None:
    desk.play_out()
    (table,) = standings_tables.build_tables(event_view.load_view(desk.fresh()))
    assert [name for name, _ in table.winners] == ["Consolation", "Last chance"]
    consolation = table.winners[0][1]
    row = next(row for row in table.rows if row.who == consolation)
    assert (row.place, row.figures) == ("3", ("Consolation, won",))


@pytest.mark.long
def test_who_leaves_the_consolation_stands_where_they_were_out(desk: Desk) -> None:
    row = desk.row("main/2.1")
    assert row.a is not None
    assert row.b is not None
    quarter_finalist = row.b if row.winner == row.a else row.a
    desk.do(departures.withdraw_entry, entry=quarter_finalist.number, reason="last train")
    assert places(desk)[quarter_finalist.number] == "13–16"  # noqa: RUF001
    (table,) = standings_tables.build_tables(event_view.load_view(desk.fresh()))
    (said,) = next(row.figures for row in table.rows if row.who.number == quarter_finalist.number)
    assert "Last chance" not in said
    desk.play_out()
    assert desk.entry(quarter_finalist.number).place == 13


@pytest.mark.long
def test_an_event_that_is_ended_early_closes_up(desk: Desk) -> None:
    desk.do(event_control.end_event_early, reason="the room closes")
    assert sorted(place for place in places(desk).values())[:2] == ["1", "2"]
    assert sorted(places(desk).values())[2:] == ["3–4"] * 2 + ["5–16"] * 12  # noqa: RUF001
    assert {desk.entry(number).place for number in places(desk)} == {1, 2, 3, 5}


def test_a_bracket_that_is_kept_says_the_same_while_somebody_plays_a_last_match(now: datetime) -> None:
    """The first to leave may still win that match, and would lose the next to the later one (P33)."""
    desk = Desk(now)
    event = desk.start(a_plan("single-elimination"), 8)
    first, second, third, _ = sorted(desk.open(), key=attrgetter("key"))
    desk.do(departures.withdraw_entry, entry=first.a.number, after=True)
    desk.play(second.key)
    later = desk.row(second.key).winner
    desk.do(departures.withdraw_entry, entry=later.number)
    desk.play(third.key)

    shown = bracket_cache.find_ranking(desk.fresh())
    assert shown == event_rows.compute_proposal(event_rows.load_rows(event)).ranking
    assert places(desk)[later.number] == "2–4"  # noqa: RUF001


def test_a_note_about_a_player_in_no_table_is_still_shown(now: datetime) -> None:
    desk = Desk(now)
    desk.start(a_plan("round-robin"), 5)
    row = desk.open()[0]
    desk.play(row.key)
    desk.do(departures.withdraw_entry, entry=row.a.number)
    view = event_view.load_view(desk.fresh())
    (note,) = [one for one in view.standings.notes if one.code == "cancelled"]
    tables = standings_tables.build_tables(view)
    assert [note in table.notes for table in tables].count(True) == 1
    # A player whom the tables have never had, as after a stage that only some have played.
    unknown = replace(note, figures=(("entrant", "99"),))
    vars(view)["standings"] = view.standings._replace(notes=(unknown,))
    assert standings_tables.build_tables(view)[0].notes == (unknown,)
