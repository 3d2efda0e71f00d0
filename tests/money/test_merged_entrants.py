"""Players who entered an event twice are merged: the entry with money stays."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from money.auction import auction_ledger, auctions
from money.auction.auction_ledger import Buyer
from money.auction.auctions import AuctionTerms
from money.ledger import ledger
from players.clubs import merging
from players.errors import BothInUse
from players.models import Player
from tests.money.conftest import Till
from tests.tournaments.event_desk import a_plan
from tournaments.models import Entry, Tournament
from tournaments.plan import drawing
from tournaments.play import arrivals, directing


def put_up_lot(till: Till, entrant: int) -> None:
    till.do(auctions.set_terms, terms=AuctionTerms(prizes=["100"]))
    till.do(auctions.add_lot, players=[entrant])


def buy_lot(till: Till, entrant: int) -> None:
    put_up_lot(till, 1)
    till.do(auction_ledger.sell, lot=1, price=500, buyer=Buyer(entrant))


def pay(till: Till, entrant: int) -> None:
    till.do(ledger.pay, entrant=entrant)


def merge(till: Till, kept: int, dropped: int) -> Player:
    stays = till.player(kept)
    merging.merge_guest(kept=stays, dropped=till.player(dropped), by=till.director, now=till.now)
    return stays


def rows(till: Till) -> list[tuple[int, str, bool, bool]]:
    entries = Entry.objects.filter(tournament=till.event).order_by("number")
    return [(one.number, one.player.name, one.waits, one.withdrawn_at is not None) for one in entries]


@pytest.fixture
def night(till: Till) -> Till:
    till.announce(a_plan("single-elimination"), 4)
    till.agree()
    return till


@pytest.mark.parametrize("record", [pay, put_up_lot, buy_lot])
def test_the_entry_with_money_is_kept(night: Till, record: Callable[[Till, int], None]) -> None:
    before = rows(night)
    record(night, 3)
    stays = merge(night, 4, 3)
    assert rows(night) == [*before[:2], (3, "Guest 4", False, False)]

    merging.unmerge(merge_id=stays.merges.get().pk, by=night.director, now=night.now)
    assert rows(night) == before


def test_the_entry_that_is_kept_takes_the_place_of_the_other(night: Till) -> None:
    pay(night, 3)
    pay(night, 1)
    night.do(directing.withdraw_player, player_key=night.player(3).key)
    Entry.objects.filter(tournament=night.event, number=1).update(waits=True)
    Tournament.objects.filter(pk=night.pk).update(capacity=2)
    before = rows(night)
    merged = [merge(night, 4, 3), merge(night, 2, 1)]
    assert rows(night) == [(1, "Guest 2", False, False), (3, "Guest 4", False, False)]

    for stays in merged:
        merging.unmerge(merge_id=stays.merges.get().pk, by=night.director, now=night.now)
    assert rows(night) == before


def test_two_entries_with_money_are_merged_when_one_is_taken_back(night: Till) -> None:
    pay(night, 3)
    pay(night, 4)
    with pytest.raises(BothInUse, match="Both have entered Thursday, and payments or lots"):
        merge(night, 4, 3)
    assert len(rows(night)) == 4
    night.do(ledger.cancel_line, line=1, why="Entered twice")
    merge(night, 4, 3)
    assert [number for number, *_ in rows(night)] == [1, 2, 4]


@pytest.mark.parametrize(("kept", "dropped"), [(4, 3), (3, 4)])
def test_the_entry_in_the_draw_is_kept_and_a_withdrawn_one_with_money_stays(
    night: Till, kept: int, dropped: int
) -> None:
    pay(night, 3)
    night.do(directing.withdraw_player, player_key=night.player(3).key)
    night.do(drawing.publish)
    before = rows(night)
    stays = merge(night, kept, dropped)
    assert rows(night)[2:] == [
        (3, f"Guest {dropped}", False, True),
        (4, f"Guest {kept}", False, False),
    ]

    merging.unmerge(merge_id=stays.merges.get().pk, by=night.director, now=night.now)
    assert rows(night) == before


def test_players_who_were_exchanged_stay_if_one_was_replaced_since(night: Till) -> None:
    pay(night, 3)
    night.do(directing.withdraw_player, player_key=night.player(3).key)
    night.do(drawing.publish)
    stays = merge(night, 3, 4)
    night.do(arrivals.substitute_player, entry=4, name="Zoe", reason="Has to leave")

    merging.unmerge(merge_id=stays.merges.get().pk, by=night.director, now=night.now)

    assert rows(night)[2:] == [(3, "Guest 4", False, True), (4, "Zoe", False, False)]


def test_a_withdrawn_entry_without_money_beside_one_in_the_draw_is_deleted(night: Till) -> None:
    night.do(directing.withdraw_player, player_key=night.player(3).key)
    night.do(drawing.publish)
    merge(night, 4, 3)
    assert [number for number, *_ in rows(night)] == [1, 2, 4]


def test_an_entry_that_was_drawn_since_stays_in_the_draw_when_the_merge_is_undone(night: Till) -> None:
    pay(night, 3)
    night.do(directing.withdraw_player, player_key=night.player(3).key)
    stays = merge(night, 4, 3)
    night.do(drawing.publish)

    merging.unmerge(merge_id=stays.merges.get().pk, by=night.director, now=night.now)

    assert [(number, is_out) for number, _name, _waits, is_out in rows(night)] == [
        (1, False),
        (2, False),
        (3, False),
        (4, True),
    ]
