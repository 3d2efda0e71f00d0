"""Prize money to the last cent: figures of real events, and refusals."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from draw.prizes import (
    SPLITS,
    Contribution,
    PaidPlace,
    PrizeRefusal,
    SidePoolRule,
    Split,
    Terms,
    compute_payouts,
    compute_purse,
    rank_contributors,
    split_amount,
)

ORDER = {
    "main": (("Ann",), ("Bob",), ("Cem", "Dee"), ("Eva", "Fay", "Gus", "Hal")),
    "consolation": (("Hal",), ("Eva",), ("Fay", "Cem")),
}


def refusal(code: str):
    return pytest.raises(PrizeRefusal, check=lambda error: error.code == code)


@pytest.mark.parametrize(
    ("pool", "weights", "paid"),
    [
        (460, (45, 22, 22, 11), (207, 101, 101, 51)),
        (997, (40, 25, 25, 10), (399, 249, 249, 100)),
        (1200, (4, 2, 2, 1, 1, 1, 1), (400, 200, 200, 100, 100, 100, 100)),
        (100, (2, 1), (67, 33)),
        (100, (1, 1, 1), (34, 33, 33)),
        (0, (1, 2), (0, 0)),
    ],
)
def test_rounding_by_largest_remainder(pool, weights, paid):
    assert split_amount(pool, weights) == paid


def test_notes_instead_of_cents_leave_the_rest_to_the_first_paid_place():
    assert split_amount(46_037, (0, 60, 40), 500) == (0, 27_537, 18_500)


@given(
    st.integers(0, 10**7),
    st.lists(st.integers(0, 100), min_size=1, max_size=12).filter(any),
    st.sampled_from([1, 5, 100, 500]),
)
def test_shares_always_add_up_and_are_off_by_less_than_a_unit(pool, weights, unit):
    paid = split_amount(pool, weights, unit)
    assert sum(paid) == pool
    first = next(place for place, weight in enumerate(weights) if weight)
    # What is less than a unit goes to the first; the rest is shared in units.
    rest = pool % unit
    for place, (amount, weight) in enumerate(zip(paid, weights, strict=True)):
        exact = Fraction((pool - rest) * weight, sum(weights))
        assert abs(amount - (rest if place == first else 0) - exact) < unit


@pytest.mark.parametrize(
    ("amount", "weights", "unit"), [(-1, (1,), 1), (1, (0,), 1), (1, (2, -1), 1), (1, (1,), 0)]
)
def test_a_split_that_cannot_be(amount, weights, unit):
    with refusal("bad-split"):
        split_amount(amount, weights, unit)


def test_the_purse_of_an_evening():
    terms = Terms(fee=2500, registration=500, added=10_000, rake=1000, reserve=500)
    account = compute_purse(terms, [Contribution(name) for name in "ABCDEFGHIJKL"])
    assert (account.fees, account.registration, account.rake, account.reserve) == (
        30_000,
        6_000,
        3_000,
        1_500,
    )
    assert account.pool == 35_500


def test_part_payers_and_re_entries_pay_what_they_buy():
    account = compute_purse(
        Terms(fee=2001), [Contribution("A"), Contribution("A"), Contribution("B", Fraction(1, 2))]
    )
    assert account.pool == account.fees == 2001 + 2001 + 1000


@pytest.mark.parametrize(
    ("terms", "code"),
    [({"fee": -1}, "negative-amount"), ({"rake": 9_000, "reserve": 1_001}, "keeps-too-much")],
)
def test_terms_that_cannot_be(terms, code):
    with refusal(code):
        Terms(**terms)


def test_a_part_lies_between_nothing_and_all():
    with refusal("bad-part"):
        Contribution("A", Fraction(3, 2))


def test_two_parts_share_one_pool():
    paid = compute_payouts(460, SPLITS["45-22+22-11"], ORDER)
    assert {one.entrant: one.prize for one in paid} == {"Ann": 207, "Bob": 101, "Hal": 101, "Eva": 51}
    assert paid[2].why == (("consolation", 1, 1),)


def test_ties_share_the_places_they_cover_and_odd_cents_go_to_the_first_named():
    paid = compute_payouts(
        1001,
        Split.from_weights(main=(40, 30, 20, 10)),
        {"main": (("Ann", "Bob"), ("Cem", "Dee", "Eva"))},
    )
    assert [(one.entrant, one.prize) for one in paid] == [
        ("Ann", 351),
        ("Bob", 350),
        ("Cem", 100),
        ("Dee", 100),
        ("Eva", 100),
    ]


def test_places_that_nobody_reached_are_shared_by_the_others():
    paid = compute_payouts(900, SPLITS["50-25+25"], {"main": (("Ann",), ("Bob",))})
    assert [one.prize for one in paid] == [600, 300]
    with refusal("nobody-to-pay"):
        compute_payouts(900, SPLITS["winner"], {"consolation": (("Ann",),)})


def test_a_part_payer_leaves_part_of_the_prize():
    paid = compute_payouts(301, SPLITS["two-thirds"], ORDER, parts={"Ann": Fraction(1, 2)})
    assert [(one.entrant, one.prize, one.paid, one.withheld) for one in paid] == [
        ("Ann", 201, 101, 100),
        ("Bob", 100, 100, 0),
    ]


@given(
    st.integers(0, 10**6),
    st.sampled_from(sorted(SPLITS)),
    st.lists(st.integers(1, 4), min_size=1, max_size=6),
    st.lists(st.integers(1, 4), max_size=4),
)
def test_payouts_always_equal_the_pool(pool, name, main, consolation):
    names = iter(range(100))
    finish = {
        part: tuple(tuple(str(next(names)) for _ in range(size)) for size in sizes)
        for part, sizes in (("main", main), ("consolation", consolation))
    }
    assert sum(one.prize for one in compute_payouts(pool, SPLITS[name], finish)) == pool


@pytest.mark.parametrize(
    ("reading", "order"),
    [
        (SidePoolRule.MAIN, (("Cem", "Dee"), ("Eva", "Hal"), ("Zoe",))),
        (SidePoolRule.MAIN_FIRST, (("Cem",), ("Dee",), ("Hal",), ("Eva",), ("Zoe",))),
        (SidePoolRule.CONSOLATION_FIRST, (("Hal",), ("Eva",), ("Cem",), ("Dee",), ("Zoe",))),
    ],
)
def test_a_side_pool_says_before_how_it_is_read(reading, order):
    assert rank_contributors(("Zoe", "Cem", "Dee", "Eva", "Hal"), reading, ORDER) == order


def test_only_contributors_win_a_side_pool():
    assert rank_contributors(("Gus", "Bob"), SidePoolRule.MAIN, ORDER) == (("Bob",), ("Gus",))


@pytest.mark.parametrize(
    "levels",
    [
        (PaidPlace("main", 1, 1), PaidPlace("main", 1, 2)),
        (PaidPlace("main", 0, 1),),
        (PaidPlace("main", 1, 0),),
        (),
    ],
)
def test_a_split_pays_each_place_once_and_somebody(levels):
    with refusal("bad-split"):
        Split(levels)
