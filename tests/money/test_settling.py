"""Settling: the figures of real events, every corner of the rules, and what holds for any event (docs/money.md)."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from draw.prizes import SidePoolRule
from money.settling.division import divide
from money.settling.settlement import settle
from money.settling.values import BadMoney, CarryReason, Event, Pool, Prize, Settlement

pytestmark = pytest.mark.pure
ORDER = {"main": (("Ann",), ("Bob",), ("Cem", "Dee"), ("Eva", "Fay", "Gus", "Hal"))}


@pytest.mark.parametrize(
    ("pool", "percents", "paid"),
    [
        (460, (45, 22, 22, 11), [207, 101, 101, 51]),
        (997, (40, 25, 25, 10), [399, 249, 249, 100]),
        (100, ("100/3", "100/3", "100/3"), [34, 33, 33]),
        (0, (60, 40), []),
    ],
)
def test_rounding_by_largest_remainder(
    pool: int, percents: tuple[int | str, ...], paid: list[int]
) -> None:  # M5
    order = {"main": (("Ann",), ("Bob",), ("Cem",), ("Dee",))}
    result = settle(Event(fees=(pool,), prizes=Prize.by_place(*percents), finish=order))
    assert list(result.payouts.values()) == paid
    assert result.carried == 0


def test_rake_is_of_the_fees_alone_and_rounded_down() -> None:  # M3
    result = settle(Event(fees=(999,), added=1000, rake_percent=Fraction("12.5")))
    assert (result.rake, result.prize_money) == (124, 1875)


def test_expenses_take_what_is_left_and_no_more() -> None:  # M4
    event = Event(fees=(1000,), rake_percent=Fraction(10), expenses=400)
    assert (settle(event).expenses, settle(event).uncovered, settle(event).prize_money) == (
        400,
        0,
        500,
    )
    short = settle(replace(event, expenses=1000))
    assert (short.rake, short.expenses, short.uncovered, short.prize_money) == (100, 900, 100, 0)


def test_what_nobody_reached_and_what_no_percent_names_is_carried() -> None:  # M6
    result = settle(
        Event(fees=(1000,), prizes=Prize.by_place(50, 20, 20), finish={"main": (("Ann",), ("Bob",))})
    )
    assert result.payouts == {"Ann": 500, "Bob": 200}
    assert [(one.amount, one.why, one.place) for one in result.carries] == [
        (200, CarryReason.UNREACHED, 3),
        (100, CarryReason.UNNAMED, 0),
    ]


def test_ties_share_the_prizes_of_the_places_they_take() -> None:  # M7, M8
    order = {"main": (("Ann",), ("Dee", "Cem", "Bob"))}
    result = settle(Event(fees=(1000,), prizes=Prize.by_place(60, 25, 15), finish=order))
    assert result.payouts == {"Ann": 600, "Bob": 134, "Cem": 133, "Dee": 133}
    assert {(one.place, one.tied, one.shared) for one in result.shares} == {(1, 1, 600), (2, 3, 400)}


def test_those_after_a_tie_have_the_place_after_it() -> None:
    order = {"main": (("Ann", "Bob"), ("Cem",))}
    result = settle(Event(fees=(100,), prizes=Prize.by_place(50, 30, 20), finish=order))
    assert result.payouts == {"Ann": 40, "Bob": 40, "Cem": 20}


def test_two_parts_share_one_pool() -> None:
    prizes = (*Prize.by_place(45, 22), *Prize.by_place(22, 11, part="consolation"))
    order = {**ORDER, "consolation": (("Hal",), ("Eva",))}
    assert settle(Event(fees=(460,), prizes=prizes, finish=order)).payouts == {
        "Ann": 207,
        "Bob": 101,
        "Hal": 101,
        "Eva": 51,
    }


def test_only_contributors_win_a_side_pool() -> None:  # M9
    pool = Pool(("Gus", "Bob", "Hal"), 1000, Prize.by_place(70, 30))
    assert settle(Event(finish=ORDER, pools=(pool,))).payouts == {"Bob": 2100, "Gus": 450, "Hal": 450}


def test_a_side_pool_whose_contributors_are_not_placed_is_carried() -> None:
    pool = Pool(("Zoe", "Yan"), 500)
    result = settle(Event(finish=ORDER, pools=(pool, replace(pool, players=("Zoe", "Cem")))))
    assert result.payouts == {"Cem": 1000}
    assert [(one.amount, one.pool, one.why) for one in result.carries] == [(1000, 0, CarryReason.UNREACHED)]


def test_a_side_pool_may_be_raked_and_read_from_the_consolation() -> None:
    order = {**ORDER, "consolation": (("Hal",), ("Eva",))}
    pool = Pool(("Ann", "Hal"), 999, rake_percent=Fraction(10), reading=SidePoolRule.CONSOLATION_FIRST)
    result = settle(Event(finish=order, pools=(pool,)))
    assert (result.kept, result.payouts) == (199, {"Hal": 1799})


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (Event(fees=(1, -1)), "below zero"),
        (Event(added=-1), "below zero"),
        (Event(pools=(Pool(("Ann",), -5),)), "below zero"),
        (Event(rake_percent=Fraction(101)), "The rake"),
        (Event(pools=(Pool((), 5, rake_percent=Fraction(-1)),)), "The rake"),
        (Event(pools=(Pool(("Ann", "Ann"), 5),)), "once"),
        (Event(prizes=Prize.by_place(60, 41)), "more than 100"),
        (Event(prizes=Prize.by_place(60, -1)), "below zero"),
        (Event(prizes=Prize.by_place(60) * 2), "more than 100"),
        (Event(prizes=Prize.by_place(6) * 2), "two prizes"),
    ],
)
def test_money_that_cannot_be_right(event: Event, sentence: str) -> None:
    with pytest.raises(BadMoney, match=sentence):
        settle(event)


AMOUNTS = st.integers(0, 10**9)
PERCENTS = st.fractions(0, 100, max_denominator=1000)


@st.composite
def prizes(draw: st.DrawFn, parts: tuple[str, ...] = ("main",)) -> tuple[Prize, ...]:
    """Draw prizes of at most 100 percent, often of 100."""
    weights = [
        (part, draw(st.lists(st.integers(0, 60), max_size=7), label=f"weights of {part}")) for part in parts
    ]
    whole = sum(sum(each) for _, each in weights) or 1
    named = draw(st.sampled_from([Fraction(100), Fraction(100), Fraction("33.3"), Fraction(0)]))
    return tuple(
        prize
        for part, each in weights
        for prize in Prize.by_place(*(named * weight / whole for weight in each), part=part)
    )


@st.composite
def events(draw: st.DrawFn) -> Event:
    """Draw an event, with re-entry fees and players without a place."""
    players = [f"P{number:02}" for number in range(draw(st.integers(0, 12)))]
    placed = draw(st.permutations(players))[: draw(st.integers(0, len(players)))]
    consoled = draw(st.permutations(placed))[: draw(st.integers(0, len(placed)))]
    finish = {"main": _grouped(draw, placed), "consolation": _grouped(draw, consoled)}
    pools = draw(
        st.lists(
            st.builds(
                Pool,
                players=st.sets(st.sampled_from(players)).map(tuple) if players else st.just(()),
                stake=AMOUNTS,
                prizes=prizes(),
                rake_percent=PERCENTS,
                reading=st.sampled_from(SidePoolRule),
            ),
            max_size=3,
        )
    )
    return Event(
        fees=tuple(draw(st.lists(AMOUNTS, max_size=15))),
        added=draw(AMOUNTS),
        expenses=draw(AMOUNTS),
        rake_percent=draw(PERCENTS),
        prizes=draw(prizes(("main", "consolation"))),
        finish=finish,
        pools=tuple(pools),
    )


def _grouped(draw: st.DrawFn, players: list[str]) -> tuple[tuple[str, ...], ...]:
    groups: list[tuple[str, ...]] = []
    left = list(players)
    while left:
        size = draw(st.integers(1, 4))
        groups.append(tuple(left[:size]))
        left = left[size:]
    return tuple(groups)


def _amounts(result: Settlement) -> list[int]:
    single = [share.amount for share in result.shares] + [carry.amount for carry in result.carries]
    return [*single, result.rake, result.expenses, result.uncovered, result.prize_money, *result.pool_rakes]


@pytest.mark.long
@given(events())
def test_not_a_unit_is_lost_or_made(event: Event) -> None:  # M1
    result = settle(event)
    assert result.taken == sum(event.fees) + event.added + sum(
        pool.stake * len(pool.players) for pool in event.pools
    )
    assert sum(result.payouts.values()) + result.kept + result.expenses + result.carried == result.taken
    assert min(_amounts(result)) >= 0
    assert result.expenses + result.uncovered == event.expenses


@pytest.mark.long
@given(events(), st.randoms(use_true_random=False))
def test_who_is_written_down_first_changes_nothing(event: Event, chance: random.Random) -> None:
    def shuffled(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(chance.sample(names, len(names)))

    other = replace(
        event,
        fees=tuple(chance.sample(event.fees, len(event.fees))),
        finish={part: tuple(map(shuffled, groups)) for part, groups in event.finish.items()},
        pools=tuple(replace(pool, players=shuffled(pool.players)) for pool in event.pools),
    )
    assert settle(other) == settle(event) == settle(event)


@pytest.mark.long
@given(events())
def test_nobody_wins_a_pool_without_paying_into_it(event: Event) -> None:
    for share in settle(event).shares:
        if share.pool is not None:
            assert share.player in event.pools[share.pool].players


@given(
    st.integers(0, 10**6), st.lists(st.integers(1, 3), min_size=1, max_size=6), st.lists(st.integers(0, 25))
)
def test_a_share_is_off_by_less_than_a_unit_for_each_place(
    amount: int, sizes: list[int], percents: list[int]
) -> None:
    names = iter(f"P{number:02}" for number in range(100))
    order = {"main": tuple(tuple(next(names) for _ in range(size)) for size in sizes)}
    wanted = Prize.by_place(*percents[:4])
    shares, _ = divide(amount, wanted, order)
    for share in shares:
        covered = range(share.place, share.place + share.tied)
        exact = sum(prize.percent for prize in wanted if prize.place in covered) * amount / 100 / share.tied
        assert abs(share.amount - exact) < 2
