"""The papers of an event: the list of papers, and that no entrant and no match is missing on them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from runtime.install import reach
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import text, url
from tournaments.base import codes, event_view, local_times
from tournaments.desk import papers
from tournaments.models import Entry, Pairing, PairingState, ReportedBy
from tournaments.plan import draw_sheet
from tournaments.plan.draw_sheet import SheetMatch, SheetTable
from tournaments.plan.templates import StagePlan

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper


def matches(tables: tuple[SheetTable, ...]) -> list[SheetMatch]:
    return [cell.match for table in tables for row in table.rows for cell in row if cell.match]


@pytest.mark.parametrize("players", [2, 3, 5, 13, 16, 33, 64])
@pytest.mark.parametrize("form", ["single-elimination", "double-elimination"])
def test_a_draw_sheet_has_every_match_once_and_fits_on_pages(desk: Desk, form: str, players: int) -> None:
    desk.start(a_plan(form), players)
    there = set(
        Pairing.objects.filter(tournament=desk.event)
        .exclude(state=PairingState.VACANT)
        .values_list("key", flat=True)
    )
    view = event_view.load_view(desk.event)
    tables = draw_sheet.build_current_tables(view)
    found = [match.key for match in matches(tables)]
    assert sorted(found) == sorted(there)
    named = {seat.name for match in matches(tables) for seat in (match.a, match.b)}
    assert {f"Guest {number}" for number in range(1, players + 1)} <= named
    for table in tables:
        assert len(table.rows) <= draw_sheet.MOST_ROWS
        assert len(table.heads) <= draw_sheet.MOST_ROUNDS + 1
        # All rows are as wide as the table; a cell that spans several rows is counted in each.
        width = [0] * len(table.rows)
        for at, row in enumerate(table.rows):
            for cell in row:
                for below in range(cell.rows):
                    width[at + below] += 1
        assert set(width) == {len(table.heads)}, table.title


def test_a_blank_sheet_has_the_matches_of_as_many_players_and_no_name(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination"), 5)
    view = event_view.load_view(desk.event)
    blank = matches(draw_sheet.build_blank_tables(desk.event, view.parts, 128))
    assert len(blank) == 127
    assert {seat.name for match in blank for seat in (match.a, match.b)} == {""}
    desk.announce(a_plan("progressive-consolation"), 5)
    view = event_view.load_view(desk.event)
    hints = {
        seat.hint
        for match in matches(draw_sheet.build_blank_tables(desk.event, view.parts, 16))
        for seat in (match.a, match.b)
    }
    assert {"Loser of round 1, match 1", "Loser of semi-final 1"} <= hints, "where the losers go is said"


def test_a_sheet_names_the_last_matches_of_both_brackets_in_words(desk: Desk) -> None:
    desk.start(a_plan("double-elimination"), 8)
    view = event_view.load_view(desk.event)
    for made in (
        draw_sheet.build_current_tables(view),
        draw_sheet.build_blank_tables(desk.event, view.parts, 8),
    ):
        hints = {seat.hint for match in matches(made) for seat in (match.a, match.b)}
        assert {"Winner of winners' final", "Winner of losers' final", "Loser of winners' final"} <= hints
        assert "Winner of round 1, match 1" in hints
        assert not [hint for hint in hints if " main " in hint or " losers " in hint]


def test_a_sheet_says_how_it_stands(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    row = desk.play("main/1.1")
    found = {
        match.key: match
        for match in matches(draw_sheet.build_current_tables(event_view.load_view(desk.event)))
    }
    played = found["main/1.1"]
    assert [played.a.score, played.b.score] == [str(row.score_a), str(row.score_b)]
    assert [played.a.is_winner, played.b.is_winner] == [row.winner == row.a, row.winner == row.b]
    assert found["main/2.1"].feeds == ("main/1.1", "main/1.2")


def test_pairings_stand_by_table_in_the_order_of_numbers_and_by_name(desk: Desk) -> None:
    desk.start(a_plan("swiss", rounds=3), 6)
    for row, label in zip(desk.open(), ("10", "9", "B2"), strict=True):
        Pairing.objects.filter(pk=row.pk).update(table=label)
    view = event_view.load_view(desk.event)
    assert [row.table for row in papers.list_pairings(view)] == ["9", "10", "B2"]
    rows = papers.list_players_by_name(view)
    assert [row.name for row in rows] == [f"Guest {number}" for number in range(1, 7)]
    assert {(row.name, row.opponent) for row in rows} == {(row.opponent, row.name) for row in rows}


def test_who_waits_in_a_round_before_a_knock_out_stands_by_name(desk: Desk) -> None:
    rounds = StagePlan(format="swiss", name="rounds", options={"rounds": 2})
    final = StagePlan(format="single-elimination", name="final", takes=({"stage": "rounds", "last": 2},))
    desk.start(a_plan([rounds, final]), 5)
    desk.play(next(iter(desk.pairs())))
    rows = papers.list_players_by_name(event_view.load_view(desk.event))
    assert [bool(row.opponent) for row in rows].count(False) == 3, "two have finished, one has the bye"


@pytest.mark.parametrize("query", ["", "?of=matches"])
def test_the_code_on_a_slip_and_on_a_score_sheet_opens_its_match(
    desk: Desk, window: Client, query: str
) -> None:
    desk.start(a_plan("single-elimination"), 4)
    page = text(window.get(url("paper_score_sheet" if query else "paper_slips", desk.event.key) + query))
    assert len(desk.open()) == page.count("Report the result: scan") == 2
    for row in desk.open():
        address = codes.build_match_address(row, now=timezone.now())
        assert str(reach.render_qr_code(f"http://testserver{address}", title="QR code of the match")) in page
        # A director is sent to the page of the match; a player chooses which of the two they are.
        assert window.get(address)["Location"] == url("pairing", desk.event.key, row.key)
        assert row.a.player.public_name in text(Client().get(address))


def test_a_slip_says_until_when_its_code_is_good(desk: Desk, window: Client) -> None:
    desk.start(a_plan("single-elimination"), 2)
    [row] = desk.open()
    deadline = timezone.now() + timedelta(days=9)
    Pairing.objects.filter(pk=row.pk).update(deadline_at=deadline)
    until = codes.get_expiry(codes.build_match_address(desk.row(row.key), now=timezone.now()))
    assert until > deadline
    desk.club.time_zone = "America/Anchorage"
    desk.club.save(update_fields=["time_zone"])
    said = f"{local_times.format_short_day(until, 'America/Anchorage')}, {local_times.format_hour(until, 'America/Anchorage')}"
    assert said.endswith((", 15:00", ", 16:00")), "codes end at midnight in Greenwich"
    assert f"Valid until {said}" in text(window.get(url("paper_slips", desk.event.key)))


def test_where_the_director_alone_enters_results_a_code_is_for_the_score(desk: Desk, window: Client) -> None:
    desk.start(a_plan("single-elimination"), 2)
    type(desk.event).objects.filter(pk=desk.pk).update(reporting=ReportedBy.DIRECTOR)
    page = text(window.get(url("paper_slips", desk.event.key)))
    assert "Keep the score: scan" in page
    assert "Report the result" not in page


def test_a_code_printed_at_the_computer_that_serves_leads_phones_there(
    desk: Desk, window: Client, settings: SettingsWrapper
) -> None:
    desk.start(a_plan("single-elimination"), 2)
    [row] = desk.open()
    settings.OWN_ADDRESSES, settings.PORT = ["192.168.7.20"], 8000
    path = url("paper_slips", desk.event.key)
    page = text(window.get(path, headers={"host": "localhost:8000"}))
    address = codes.build_match_address(row, now=timezone.now())
    assert (
        str(reach.render_qr_code(f"http://192.168.7.20:8000{address}", title="QR code of the match")) in page
    )
    settings.OWN_ADDRESSES = []
    page = text(window.get(path, headers={"host": "localhost:8000"}))
    assert "QR code" not in page
    assert "Phones do not reach this computer" in page
    assert "Guest 1" in page, "the slip itself is there"


def test_entries_stand_by_name_or_by_rating(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("single-elimination"), 3)
    for number, rating in ((1, 1480.0), (3, 1720.5)):
        Entry.objects.filter(tournament=desk.event, number=number).update(rating=rating)
    assert [row.name for row in papers.list_entries(desk.event, by_rating=False)] == [
        "Guest 1",
        "Guest 2",
        "Guest 3",
    ]
    assert [row.name for row in papers.list_entries(desk.event, by_rating=True)] == [
        "Guest 3",
        "Guest 1",
        "Guest 2",
    ]
    assert "1720.5" in text(window.get(url("paper_entries", desk.event.key)))


@pytest.mark.long
def test_the_desk_lists_what_can_be_printed_now(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("single-elimination"), 4)
    before = text(window.get(url("papers", desk.event.key)))
    assert url("paper_draw", desk.event.key) + "?blank=yes" in before
    assert url("paper_slips", desk.event.key) not in before
    assert url("papers", desk.event.key) in text(window.get(url("roster", desk.event.key)))
    desk.start(a_plan("swiss", rounds=3), 4)
    after = text(window.get(url("papers", desk.event.key)))
    for name in ("pairings", "names", "slips", "standings", "cross", "score_sheet", "entries"):
        address = url(f"paper_{name}", desk.event.key)
        assert f'href="{address}"' in after, name
        assert window.get(address).status_code == 200, name
    assert url("paper_draw", desk.event.key) not in after
    assert window.get(url("paper_draw", desk.event.key)).status_code == 302
    frame = reverse("tournaments:embed_bracket", args=[desk.event.key])
    assert f"http://testserver{frame}" in after


def test_papers_are_the_directors(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    for name in ("papers", "paper_draw", "paper_slips", "paper_entries"):
        assert "/accounts/login/" in Client().get(url(name, desk.event.key))["Location"]
