"""Helpers of an event receive fees: the ledger names the helper, and all other money acts are refused."""

from __future__ import annotations

import contextlib
import threading
from typing import Any

import pytest
from django.db import connections
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from money.errors import NothingToPay, PaidAlready
from money.ledger import account_pages, ledger, printed_sheets
from money.models import MoneyLine
from tests.clients import signed_in
from tests.money.conftest import Till
from tests.tournaments.desk.test_helpers import anna
from tests.tournaments.event_desk import a_plan
from tests.tournaments.support import text, url
from tournaments.base.errors import NotDirector, NotHelper
from tournaments.base.settings import Settings
from tournaments.plan import drawing
from tournaments.play import directing, helper_links


@pytest.fixture
def open_till(till: Till) -> Till:
    till.announce(a_plan("swiss", rounds=2), 4)
    till.agree()
    return till


def phone_of(till: Till, who: Any) -> Client:
    """A browser that has taken the link up."""
    phone = Client()
    session = phone.session
    session["helping"] = {till.event.key: who.helper_id}
    session.save()
    return phone


def test_a_helper_takes_the_fees_and_the_ledger_says_who(
    open_till: Till, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: open_till.now)
    phone = phone_of(open_till, anna(open_till))
    there = url("helping", open_till.event.key)
    assert text(phone.get(there)).count("Mark as paid") == 4

    paid = f"/events/{open_till.event.key}/money/helping/"
    phone.post(paid, {"entrant": "2"})
    phone.post(paid, {"entrant": "2"})
    phone.post(paid, {"entrant": "99"})

    assert text(phone.get(there)).count("Mark as paid") == 3
    (line,) = MoneyLine.objects.all()
    assert (line.entrant, line.amount, line.by) == (2, 2000, None)
    assert [row.by for row in account_pages.build_page(open_till.account).lines] == ["Anna, helper"]
    # While it is played those who have not paid are still to be found.
    open_till.do(drawing.publish)
    assert "3 have not paid" in text(phone.get(there))

    window = signed_in(open_till.director)
    assert "Anna, helper" in text(window.get(f"/events/{open_till.event.key}/money/"))
    assert Client().post(paid, {"entrant": "3"}).status_code == 403


def test_the_waiting_list_owes_nothing_and_is_shown_if_it_has_paid(
    till: Till, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: till.now)
    till.announce(a_plan("swiss", Settings(has_waiting_list=True), rounds=2), capacity=4)
    till.do(directing.admit_named, names=[f"Guest {number}" for number in range(1, 7)])
    till.agree()
    till.do(drawing.publish)
    phone = phone_of(till, anna(till))
    assert "4 have not paid" in text(phone.get(url("helping", till.event.key)))

    till.do(ledger.pay, entrant=1)
    till.do(ledger.pay, entrant=6)

    assert "3 have not paid" in text(phone.get(url("helping", till.event.key)))
    page = account_pages.build_page(till.account)
    assert [row.number for row in page.entrants] == [1, 2, 3, 4, 6]
    assert page.unpaid == (2, 3, 4)
    sheet = printed_sheets.build_paid_sheet(till.account)
    assert sheet.paid == page.in_hand == "40.00 EUR"


def test_helpers_do_nothing_else_with_money(open_till: Till) -> None:
    who = anna(open_till)
    said: dict[str, Any] = {"tournament_id": open_till.pk, "by": who, "now": open_till.now}
    (line,) = ledger.pay(**said, entrant=1)
    with pytest.raises(PaidAlready):
        ledger.pay(**said, entrant=1)
    refused: list[Any] = [
        lambda: ledger.spend(**said, amount=5, note="Cake"),
        lambda: ledger.cancel_line(**said, line=line.number, why="wrong"),
        lambda: ledger.stake(**said, entrant=1, pool=1),
        lambda: ledger.pay_out(**said, entrant=1, amount=5),
        lambda: ledger.pay(**said, entrant=1, again=True),
        lambda: ledger.pay(**said, entrant=2, reduced="Student"),
    ]
    for act in refused:
        with pytest.raises(NotDirector):
            act()
    open_till.do(helper_links.revoke_link, helper=who.helper_id)
    with pytest.raises(NotHelper):
        ledger.pay(**said, entrant=3)


@pytest.mark.long
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whoever_takes_them_in_each_fee_is_there_once(open_till: Till, data: st.DataObject) -> None:
    """The box holds a fee for each who has paid, and the page of helpers names the others."""
    who = anna(open_till)
    for entrant, is_helper in data.draw(
        st.lists(st.tuples(st.integers(1, 4), st.booleans()), max_size=8), label="who pays, to whom"
    ):
        with contextlib.suppress(PaidAlready, NothingToPay):
            ledger.pay(
                tournament_id=open_till.pk,
                entrant=entrant,
                by=who if is_helper else open_till.director,
                now=open_till.now,
            )
    paid = set(MoneyLine.objects.filter(money__event=open_till.event).values_list("entrant", flat=True))
    assert sum(MoneyLine.objects.values_list("amount", flat=True)) == 2000 * len(paid)
    unpaid = account_pages.list_unpaid(open_till.account)
    assert len(unpaid) == 4 - len(paid)


@pytest.mark.long
@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_a_helper_and_the_director_take_the_same_fee_at_once(open_till: Till) -> None:
    who, gate, told = anna(open_till), threading.Barrier(4), []

    def take(by: Any) -> None:
        try:
            gate.wait(30)
            ledger.pay(tournament_id=open_till.pk, entrant=1, by=by, now=open_till.now)
        except PaidAlready:
            told.append(by)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=take, args=[by]) for by in (who, open_till.director) * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(told) == 3
    assert MoneyLine.objects.count() == 1
