"""Players from a file: recognised columns, questions, and a wrong cell that stops the whole import."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from players.accounts import accounts
from players.files import sheets
from players.models import Membership
from tests.sheets_made import archive, ods, xlsx
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import text, url
from tournaments.models import Entry
from tournaments.plan import roster_file
from tournaments.plan import roster_forms as forms

pytestmark = pytest.mark.django_db
ROWS: list[list[str | float]] = [
    ["Name", "Paid", "Elo", "Verein"],
    ["Ada Okafor", "yes", 1720.5, "Riverside"],
    ["Bo Lind", "no", "", ""],
]


@pytest.fixture
def window(desk: Desk, client: Client) -> Client:
    """The director's browser, at an event without anybody."""
    desk.announce(a_plan("single-elimination"))
    client.force_login(desk.director)
    return client


def upload(desk: Desk, window: Client, name: str, data: bytes) -> HttpResponse:
    return window.post(url("roster_file", desk.event.key), {"file": SimpleUploadedFile(name, data)})


def enter(desk: Desk, window: Client, table: list[list[str]], **more: str) -> HttpResponse:
    """Press "Enter them" under a file that was read as this table."""
    guess = roster_file.guess_columns(table)
    said = {f"column_{what}": "" if at is None else str(at) for what, at in guess.items()}
    what = {"table": json.dumps(table), "act": "enter"} | said | more
    return window.post(url("roster_columns", desk.event.key), what)


def entered(desk: Desk) -> set[tuple[str, float | None, str]]:
    rows = Entry.objects.filter(tournament=desk.event, withdrawn_at__isnull=True)
    return set(rows.values_list("player__name", "rating", "club"))


@pytest.mark.long
@pytest.mark.share
@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("list.csv", b"Name;Paid;Elo;Verein\r\nAda Okafor;yes;1720,5;Riverside\r\nBo Lind;no;;\r\n"),
        ("list.xlsx", xlsx(ROWS)),
        ("list.ods", ods(ROWS)),
    ],
)
def test_a_file_is_shown_first_and_then_entered(desk: Desk, window: Client, name: str, data: bytes) -> None:
    page = upload(desk, window, name, data)

    assert page.status_code == 200
    assert "2 players were read. No one is entered yet." in text(page)
    assert "Not used: B (Paid)." in text(page)
    assert not entered(desk)
    enter(desk, window, page.context["form"].initial["table"])
    assert entered(desk) == {("Ada Okafor", 1720.5, "Riverside"), ("Bo Lind", None, "")}

    window.post(url("take_out_pasted", desk.event.key))
    assert not entered(desk)


@pytest.mark.parametrize(
    ("table", "names"),
    [
        ([["Vorname", "Name"], ["Ada", "Okafor"]], ["Ada Okafor"]),
        ([["Last name", "First name"], ["Okafor", "Ada"]], ["Ada Okafor"]),
        ([["Ada Okafor", "1720"], ["Bo Lind", "1500"]], ["Ada Okafor", "Bo Lind"]),
        ([["1", "Ada Okafor"], ["2", "Bo Lind"]], ["Ada Okafor", "Bo Lind"]),
        ([["No.", "Player"], ["1", "Ada Okafor"], ["", ""], ["2", "Bo Lind"]], ["Ada Okafor", "Bo Lind"]),
    ],
)
def test_columns_are_found(desk: Desk, window: Client, table: list[list[str]], names: list[str]) -> None:
    found = roster_file.parse_roster(
        table, event=desk.event, columns=roster_file.guess_columns(table), choices={}
    )
    assert [row.name for row in found.rows] == names
    assert found.wrong == ()


def test_a_rating_may_have_a_separator_of_thousands(desk: Desk, window: Client) -> None:
    table = [["Ada Okafor", "1,650"], ["Bo Lind", "1.650"]]
    columns = roster_file.guess_columns(table)
    found = roster_file.parse_roster(table, event=desk.event, columns=columns, choices={})
    assert [(row.name, row.rating) for row in found.rows] == [("Ada Okafor", 1650), ("Bo Lind", 1650)]


def test_years_are_no_ratings(desk: Desk, window: Client) -> None:
    guess = roster_file.guess_columns([["Name", "Born"], ["Ada Okafor", "1985"]])
    assert guess["rating"] is None


@pytest.mark.parametrize(
    ("row", "at"),
    [
        (["=HYPERLINK(1)", "1500"], "A3"),
        (["Bo Lind", "strong"], "B3"),
        (["Bo Lind", "99999"], "B3"),
        (["ada  okafor", ""], "A3"),
        (["", "1500"], "A3"),
        (["Bo\u202eLind" * 20, ""], "A3"),
    ],
)
def test_a_wrong_cell_is_named_and_nobody_is_entered(
    desk: Desk, window: Client, row: list[str], at: str
) -> None:
    before = Membership.objects.count()
    answer = enter(desk, window, [["Name", "Rating"], ["Ada Okafor", "1500"], row, ["Cy Moss", ""]])

    assert answer.status_code == 422
    assert [f"{cell.column}{cell.row}" for cell in answer.context["found"].wrong] == [at]
    assert "No one was entered." in answer.content.decode()
    assert not entered(desk)
    assert Membership.objects.count() == before


def test_who_is_nearly_a_member_is_asked_about(desk: Desk, window: Client) -> None:
    key = desk.member("Ada Okafor").player.key
    table = [["Name"], ["Ada Okaffor"], ["Bo Lind"]]

    found = roster_file.parse_roster(
        table, event=desk.event, columns=roster_file.guess_columns(table), choices={}
    )
    (row,) = found.to_decide
    assert row.choices[0].value == key
    assert row.choices[0].label.endswith("%)")
    enter(desk, window, table, row_2=key)
    assert {name for name, *_ in entered(desk)} == {"Ada Okafor", "Bo Lind"}

    enter(desk, window, [["Name"], ["Ada Okaffor"]], row_2="new")
    assert {name for name, *_ in entered(desk)} == {"Ada Okafor", "Ada Okaffor", "Bo Lind"}


def test_two_rows_are_not_the_same_member(desk: Desk, window: Client) -> None:
    key = desk.member("Ada Okafor").player.key
    table = [["Name"], ["Ada Okaffor"], ["Ada Okafoor"]]
    answer = enter(desk, window, table, row_2=key, row_3=key)
    assert answer.status_code == 422
    assert "Row 2 is already used for the same player." in answer.content.decode()
    # Whom one row names exactly no other is taken for.
    exact = [["Name"], ["Ada Okafor"], ["Ada Okaffor"]]
    found = roster_file.parse_roster(
        exact, event=desk.event, columns=roster_file.guess_columns(exact), choices={3: key}
    )
    assert [row.chosen for row in found.rows] == [key, "new"]


def test_who_is_chosen_has_to_be_a_member(desk: Desk, window: Client) -> None:
    stranger = accounts.register(email="x@example.org", password=None, name="Xi", now=desk.now).player.key
    enter(desk, window, [["Name"], ["Bo Lind"]], row_2=str(stranger))
    assert {name for name, *_ in entered(desk)} == {"Bo Lind"}


HOSTILE: dict[str, tuple[str, bytes]] = {
    "a bomb": (
        "a.xlsx",
        archive({"xl/workbook.xml": b"<x/>", "xl/worksheets/sheet1.xml": b"0" * (sheets.MOST_INSIDE + 1)}),
    ),
    "a cell far away": (
        "a.xlsx",
        xlsx(
            cells='<row r="1"><c r="A1"><v>1</v></c></row>'
            '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
        ),
    ),
    "a picture": ("a.csv", b"\x89PNG\r\n\x1a\n\0\0"),
    "too many": ("a.csv", b"".join(b"Guest %d\n" % number for number in range(forms.MOST_NAMES + 2))),
    "long cells": ("a.csv", ("\n".join(";".join("x" * 80 for _ in range(12)) for _ in range(100))).encode()),
    "nothing": ("a.csv", b"\n\n"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_files_are_refused_with_a_sentence(desk: Desk, window: Client, what: str) -> None:
    answer = upload(desk, window, *HOSTILE[what])
    assert answer.status_code == 422
    assert answer.context["file_form"].errors["file"]
    assert not entered(desk)


@pytest.mark.parametrize(
    "table", ["", "{", "[]", "[1]", '[["a", 1]]', json.dumps([["x"]] * 300), '{"a": []}', "[[]]"]
)
def test_a_table_that_we_did_not_send_is_none(desk: Desk, window: Client, table: str) -> None:
    answer: Any = window.post(url("roster_columns", desk.event.key), {"table": table, "act": "enter"})
    assert answer.status_code in {302, 422}
    assert not entered(desk)


def test_an_event_that_is_full_takes_nobody(desk: Desk, window: Client) -> None:
    type(desk.event).objects.filter(pk=desk.pk).update(capacity=2)
    answer = enter(desk, window, [["Name"], ["Ada"], ["Bo"], ["Cy"]])
    waiting = Entry.objects.filter(tournament=desk.event, waits=True).count()
    assert answer.status_code == 422 or waiting == 1
    assert len(entered(desk)) == (0 if answer.status_code == 422 else 3)
