"""Settling an auction: real figures, every corner of its rules, and what holds for any auction (docs/money.md, A1 to A6)."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from money.settling.auction import Auction, SoldLot, divide_among_owners, settle_auction
from money.settling.values import BadMoney, CarryReason, Prize

pytestmark = pytest.mark.pure
ORDER = (("Ann",), ("Bob",), ("Cem", "Dee"), ("Eva", "Fay"))


def test_prizes_go_to_who_owns_the_players() -> None:
    lots = (SoldLot(("Ann",), 600, "Zoe"), SoldLot(("Bob",), 300, "Yan"), SoldLot(("Cem", "Dee"), 100, "Zoe"))
    result = settle_auction(Auction(lots, Fraction(10), Prize.by_place(60, 30, 10), ORDER))
    assert (result.pool, result.rake, result.prize_money, result.won) == (1000, 100, 900, (540, 270, 90))
    assert result.payouts == {"Zoe": 630, "Yan": 270}


def test_the_rake_is_rounded_down() -> None:  # A2
    assert settle_auction(Auction((SoldLot(("Ann",), 999, "Zoe"),), Fraction("12.5"))).rake == 124


def test_places_count_among_those_who_are_sold() -> None:  # A3
    lots = (SoldLot(("Bob",), 500, "Zoe"), SoldLot(("Eva",), 500, "Yan"))
    result = settle_auction(Auction(lots, prizes=Prize.by_place(50, 30, 20), finish=ORDER))
    assert result.won == (500, 300)
    assert [(carry.amount, carry.why, carry.place) for carry in result.carries] == [
        (200, CarryReason.UNREACHED, 3)
    ]


def test_players_who_tie_share_whoever_owns_them() -> None:  # A3
    lots = (SoldLot(("Cem",), 300, "Zoe"), SoldLot(("Dee",), 701, "Yan"))
    result = settle_auction(Auction(lots, prizes=Prize.by_place(60, 40), finish=ORDER))
    assert result.won == (501, 500)


def test_a_share_bought_back_bears_the_price_and_gets_of_the_winnings() -> None:  # A4
    lot = SoldLot(("Ann", "Bob"), 1001, "Zoe", {"Bob": Fraction(25), "Ann": Fraction(25)})
    result = settle_auction(Auction((lot,), prizes=Prize.by_place(100), finish=ORDER))
    assert result.costs == ({"Zoe": 501, "Ann": 250, "Bob": 250},)
    assert result.gains == result.costs
    assert divide_among_owners(lot, 3) == {"Zoe": 1, "Ann": 1, "Bob": 1}
    assert divide_among_owners(lot, 1) == {"Zoe": 1, "Ann": 0, "Bob": 0}


def test_an_auction_in_which_nothing_is_sold() -> None:
    assert settle_auction(Auction(prizes=Prize.by_place(100), finish=ORDER)).payouts == {}


@pytest.mark.parametrize(
    ("auction", "sentence"),
    [
        (Auction((SoldLot(("Ann",), -1, "Zoe"),)), "below zero"),
        (Auction(rake_percent=Fraction(101)), "The rake"),
        (Auction((SoldLot(("Ann",), 1, "Zoe", {"Ann": Fraction(101)}),)), "more than 100"),
        (Auction((SoldLot(("Ann",), 1, "Zoe", {"Ann": Fraction(-1)}),)), "below zero"),
        (Auction((SoldLot(("Ann",), 1, "Zoe"), SoldLot(("Ann",), 1, "Yan"))), "sold once"),
        (Auction(prizes=Prize.by_place(60, 41)), "more than 100"),
    ],
)
def test_an_auction_that_cannot_be_right(auction: Auction, sentence: str) -> None:
    with pytest.raises(BadMoney, match=sentence):
        settle_auction(auction)


@st.composite
def auctions(draw: st.DrawFn) -> Auction:
    """Draw an auction: lots of one or more players, with buy-backs and players without a place."""
    players = [f"P{number:02}" for number in range(draw(st.integers(0, 12)))]
    placed = draw(st.permutations(players))[: draw(st.integers(0, len(players)))]
    sold = draw(st.permutations(players))[: draw(st.integers(0, len(players)))]
    lots = []
    for field in _grouped(draw, list(sold)):
        shares = draw(st.lists(st.integers(0, 33), max_size=min(3, len(field))))
        lots.append(
            SoldLot(
                field,
                draw(st.integers(1, 10**9)),
                draw(st.sampled_from(["Zoe", "Yan", *players])),
                {who: Fraction(share) for who, share in zip(field, shares, strict=False)},
            )
        )
    weights = draw(st.lists(st.integers(0, 60), max_size=7))
    whole = sum(weights) or 1
    named = draw(st.sampled_from([Fraction(100), Fraction("33.3"), Fraction(0)]))
    return Auction(
        tuple(lots),
        draw(st.fractions(0, 100, max_denominator=1000)),
        Prize.by_place(*(named * weight / whole for weight in weights)),
        _grouped(draw, list(placed)),
    )


def _grouped(draw: st.DrawFn, players: list[str]) -> tuple[tuple[str, ...], ...]:
    groups: list[tuple[str, ...]] = []
    while players:
        size = draw(st.integers(1, 4))
        groups.append(tuple(players[:size]))
        players = players[size:]
    return tuple(groups)


@pytest.mark.long
@given(auctions())
def test_the_pool_is_payouts_rake_and_what_is_carried(auction: Auction) -> None:  # A1
    result = settle_auction(auction)
    assert result.pool == sum(lot.price for lot in auction.lots)
    assert result.pool == sum(result.payouts.values()) + result.rake + result.carried
    for lot, costs, gains, won in zip(auction.lots, result.costs, result.gains, result.won, strict=True):
        assert (sum(costs.values()), sum(gains.values())) == (lot.price, won)
    single = [*result.won, result.rake, *(carry.amount for carry in result.carries)]
    assert (
        min(
            [*single, *(amount for each in (*result.costs, *result.gains) for amount in each.values())],
            default=0,
        )
        >= 0
    )


@pytest.mark.long
@given(auctions(), st.randoms(use_true_random=False))
def test_the_order_of_writing_changes_nothing(auction: Auction, chance: random.Random) -> None:  # A6
    def shuffled(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(chance.sample(names, len(names)))

    lots = tuple(
        replace(
            lot,
            players=shuffled(lot.players),
            back=dict(chance.sample(sorted(lot.back.items()), len(lot.back))),
        )
        for lot in auction.lots
    )
    other = replace(auction, lots=lots, finish=tuple(map(shuffled, auction.finish)))
    assert settle_auction(other) == settle_auction(auction) == settle_auction(auction)
