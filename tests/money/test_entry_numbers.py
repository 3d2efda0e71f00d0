"""Payments and lots of an entry that would be deleted are taken back first, and no other entry gets its number."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from money.ledger import account_pages, ledger
from tests.money.conftest import Till
from tests.money.test_merged_entrants import buy_lot, pay
from tests.tournaments.event_desk import a_plan
from tournaments.base.errors import EntryInUse
from tournaments.models import Entry
from tournaments.plan import drawing
from tournaments.play import arrivals, corrections, openings


@pytest.fixture
def night(till: Till) -> Till:
    till.announce(a_plan("single-elimination"), 4)
    till.agree()
    return till


def wait(night: Till, name: str) -> Entry:
    return night.do(arrivals.enter_latecomer, name=name, place=openings.WAIT)


def delete_entry(night: Till, number: int) -> None:
    """Delete an entry with a payment, as earlier versions did."""
    pay(night, number)
    Entry.objects.filter(tournament=night.event, number=number).delete()


def test_a_number_with_a_payment_is_not_given_again(night: Till) -> None:
    night.do(drawing.publish)
    delete_entry(night, wait(night, "Xena").number)
    late = wait(night, "Zoe")
    assert late.number == 6
    assert account_pages.count_times_paid(night.account, late.number) == 0


def test_a_late_entry_is_taken_back_after_its_payment(night: Till) -> None:
    night.do(drawing.publish)
    late = wait(night, "Zoe")
    ruling = night.ruling()
    pay(night, late.number)

    with pytest.raises(EntryInUse, match="recorded for Zoe"):
        night.do(corrections.undo_act, ruling_id=ruling.pk, reason="Wrong name")
    assert Entry.objects.filter(pk=late.pk).exists()

    night.do(ledger.cancel_line, line=1, why="Wrong name")
    night.do(corrections.undo_act, ruling_id=ruling.pk, reason="Wrong name")
    assert not Entry.objects.filter(pk=late.pk).exists()


@pytest.mark.parametrize("record", [pay, buy_lot])
def test_a_substitute_keeps_no_payment_of_their_own(night: Till, record: Callable[[Till, int], None]) -> None:
    night.do(drawing.publish)
    late = wait(night, "Zoe")
    record(night, late.number)
    before = night.image()

    with pytest.raises(EntryInUse, match="recorded for Zoe"):
        night.do(arrivals.substitute_player, entry=3, player_key=late.player.key, reason="Has to leave")

    assert night.image() == before
