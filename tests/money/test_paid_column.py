"""The column "Paid" of the roster file: an export can be imported, and a ticked row records a payment."""

from __future__ import annotations

import csv
import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from money.ledger import account_pages, ledger
from money.models import MoneyLine
from tests.clients import signed_in
from tests.money.conftest import Till
from tests.tournaments.event_desk import a_plan
from tests.tournaments.support import text, url
from tournaments import hooks as event_hooks
from tournaments.desk import roster_file_views
from tournaments.plan import roster_file


@pytest.fixture
def open_till(till: Till) -> Till:
    till.announce(a_plan("swiss", rounds=2), 4)
    till.agree()
    return till


@pytest.fixture
def window(till: Till) -> Client:
    return signed_in(till.director)


def read(till: Till, table: list[list[str]]) -> roster_file.RosterFile:
    extra = event_hooks.list_roster_columns(till.event)
    columns = roster_file.guess_columns(table, extra)
    return roster_file.parse_roster(table, event=till.event, columns=columns, choices={}, extra=extra)


def test_whoever_is_ticked_has_paid(open_till: Till, window: Client) -> None:
    ledger.pay(tournament_id=open_till.pk, entrant=1, by=open_till.director, now=open_till.now)
    rows = "Name,Bezahlt\nGuest 1,ja\nGuest 2,x\nGuest 3,\nNina Berg,Yes\nOle Dahl,nein\n"
    upload = SimpleUploadedFile("list.csv", rows.encode())
    page = window.post(url("roster_file", open_till.event.key), {"file": upload})
    assert "· Paid" in text(page)
    form = page.context["form"]
    said = {name: form[name].value() or "" for name in form.fields if name != "table"}
    said |= {"table": form["table"].value(), "act": "enter"}

    done = window.post(url("roster_columns", open_till.event.key), said, follow=True)

    assert "5 players are in." in text(done)
    assert set(account_pages.list_unpaid(open_till.account)) == {"Guest 3", "Guest 4", "Ole Dahl"}
    # Who had paid before has not paid twice.
    assert MoneyLine.objects.filter(money__event=open_till.event).count() == 3
    written = text(window.get(url("roster_csv", open_till.event.key))).removeprefix("\ufeff")
    assert list(csv.reader(io.StringIO(written)))[:3] == [
        ["Name", "Rating", "Club", "Paid"],
        ["Guest 1", "", "", "yes"],
        ["Guest 2", "", "", "yes"],
    ]


def enter_file(window: Client, till: Till, rows: str) -> None:
    upload = SimpleUploadedFile("list.csv", rows.encode())
    form = window.post(url("roster_file", till.event.key), {"file": upload}).context["form"]
    said = {name: form[name].value() or "" for name in form.fields}
    window.post(url("roster_columns", till.event.key), {**said, "act": "enter"})


@pytest.mark.long
def test_what_a_list_has_ticked_is_taken_back_with_it(open_till: Till, window: Client) -> None:
    ledger.pay(tournament_id=open_till.pk, entrant=1, by=open_till.director, now=open_till.now)
    rows = "Name,Paid\nGuest 1,yes\nGuest 2,yes\nNina Berg,yes\n"

    enter_file(window, open_till, rows)
    assert open_till.account.settlement.fees == 6000
    window.post(url("take_out_pasted", open_till.event.key))

    # Guest 1 had paid before.
    assert {line.entrant for line in open_till.account.lines if line.corrects_id} == {2, 5}
    assert open_till.account.settlement.fees == 2000
    enter_file(window, open_till, rows)
    assert open_till.account.settlement.fees == 6000


def test_what_is_no_tick_is_told_by_its_cell(open_till: Till) -> None:
    found = read(open_till, [["Name", "Paid"], ["Guest 1", "tomorrow"]])
    (wrong,) = found.wrong
    assert (wrong.column, wrong.row, wrong.code) == ("B", 2, "no_tick")


def test_without_money_there_is_no_such_column(till: Till, window: Client) -> None:
    till.announce(a_plan("swiss", rounds=2), 2)
    assert event_hooks.list_roster_columns(till.event) == {}
    found = read(till, [["Name", "Paid"], ["Guest 1", "tomorrow"]])
    assert not found.wrong
    assert found.unused == ("B (Paid)",)
    assert "Paid" not in text(window.get(url("roster_csv", till.event.key)))


@pytest.mark.long
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(paid=st.sets(st.integers(1, 4)))
def test_what_is_written_is_read_again(open_till: Till, paid: set[int]) -> None:
    MoneyLine.objects.filter(money__event=open_till.event).delete()
    for entrant in paid:
        ledger.pay(tournament_id=open_till.pk, entrant=entrant, by=open_till.director, now=open_till.now)
    table = list(csv.reader(io.StringIO(roster_file_views.write_roster(open_till.event))))

    found = read(open_till, table)

    assert not found.wrong
    assert {row.name for row in found.rows if row.ticks} == {f"Guest {number}" for number in paid}
    assert all(row.is_in for row in found.rows)
