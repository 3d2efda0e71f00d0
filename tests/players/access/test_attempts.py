"""Rate limits of sign-in tries: bounded, fair, and never a lock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import chain

import pytest
import redis
import time_machine
from django.conf import settings

from players.access import attempts
from players.access.attempts import (
    ACCOUNT,
    ADDRESS,
    DEVICE,
    PAIR,
    Bucket,
    RateLimit,
    TooManyTries,
    build_bucket,
    count_try,
)
from runtime.addresses import find_network

START = datetime(2026, 3, 5, 19, 0, tzinfo=UTC)
ADA = "ada@example.org"


def lanes(address: str, email: str = ADA) -> list[Bucket]:
    return [
        build_bucket(ADDRESS, address),
        build_bucket(ACCOUNT, "of", email),
        build_bucket(PAIR, address, email),
    ]


def try_turn(address: str, email: str = ADA) -> int:
    """Count a try; the result is the wait in seconds, or 0 if the try was let through."""
    try:
        count_try(lanes(address, email), who=address, now=datetime.now(UTC))
    except TooManyTries as error:
        return error.seconds
    return 0


def test_waits_double_up_to_a_bound() -> None:
    pace = RateLimit(free=2, first=5, most=60)

    assert [pace.wait(tries) for tries in (3, 4, 5, 6, 7, 100)] == [5, 10, 20, 40, 60, 60]


def test_what_is_free_costs_no_wait_and_the_next_tells_one(clock: time_machine.Coordinates) -> None:
    assert [try_turn("a") for _ in range(PAIR.free + 1)] == [0] * (PAIR.free + 1)

    assert try_turn("a") == PAIR.first
    clock.shift(timedelta(seconds=PAIR.first - 1))
    assert try_turn("a") == 1
    clock.shift(timedelta(seconds=1))
    assert try_turn("a") == 0
    assert try_turn("a") == PAIR.first * 2


def test_a_refused_try_counts_nowhere(clock: time_machine.Coordinates) -> None:
    while not try_turn("a"):
        pass
    for _ in range(50):
        try_turn("a")
    clock.shift(timedelta(seconds=PAIR.first))

    assert try_turn("a") == 0
    assert try_turn("b") == 0, "fifty refused tries used up nothing of the account's"


def test_a_right_password_gives_its_turn_back(clock: time_machine.Coordinates) -> None:
    for _ in range(3 * ADDRESS.free):
        count_try(lanes("a"), who="a", now=START).give_back()

    assert try_turn("a") == 0


def test_all_is_forgotten_an_hour_after_the_first(clock: time_machine.Coordinates) -> None:
    while not try_turn("a"):
        pass
    clock.shift(timedelta(hours=1, seconds=1))

    assert [try_turn("a") for _ in range(PAIR.free + 1)] == [0] * (PAIR.free + 1)


def guesses_within_an_hour(clock: time_machine.Coordinates, *, addresses: int, accounts: int) -> int:
    """The number of tries within an hour by an attacker who tries without pause."""
    places = [f"address {n}" for n in range(addresses)]
    people = [f"person {n}" for n in range(accounts)]
    through = 0
    for _ in range(0, 3600, 5):
        pairs = ((place, person) for place in places for person in people)
        through += sum(not try_turn(place, person) for place, person in pairs)
        clock.shift(timedelta(seconds=5))
    return through


@pytest.mark.parametrize(
    ("addresses", "accounts", "least", "most"),
    [(1, 1, 15, 22), (12, 1, 100, 145), pytest.param(1, 40, 400, 820, marks=pytest.mark.long)],
)
def test_guessing_is_bounded_by_pair_by_account_and_by_address(
    clock: time_machine.Coordinates, addresses: int, accounts: int, least: int, most: int
) -> None:
    assert least <= guesses_within_an_hour(clock, addresses=addresses, accounts=accounts) <= most


@pytest.mark.parametrize("strangers", [1, 4, 8])
def test_strangers_who_never_rest_do_not_keep_the_owner_waiting_for_long(
    clock: time_machine.Coordinates, strangers: int
) -> None:
    """Each stranger tries every second, just before the owner, who waits as long as the server demands."""
    places = [f"stranger {n}" for n in range(strangers)]

    def second() -> None:
        for place in places:
            try_turn(place)
        clock.shift(timedelta(seconds=1))

    for _ in range(600):
        second()
    waited = 0
    while wait := try_turn("home"):
        assert wait <= ACCOUNT.most
        for _ in range(wait):
            second()
        waited += wait
        assert waited <= ACCOUNT.rest


def test_a_device_waits_for_nobody_but_itself(clock: time_machine.Coordinates) -> None:
    own = [build_bucket(DEVICE, "laptop", ADA)]
    for address in map(str, range(30)):
        try_turn(address)
    assert try_turn("new")

    waits = []
    for _ in range(DEVICE.free + 20):
        try:
            count_try(own, now=datetime.now(UTC))
        except TooManyTries as error:
            waits.append(error.seconds)
            clock.shift(timedelta(seconds=error.seconds))

    assert max(waits) == DEVICE.most


def test_an_attempt_that_comes_between_is_told_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    while not try_turn("a"):
        pass
    # Two looked at the same moment, and both saw a free turn.
    monkeypatch.setattr(attempts.ATTEMPTS, "get_many", lambda _keys: {})

    assert try_turn("a") > 0


def test_a_count_that_ends_in_between_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*_: object) -> int:
        raise ValueError("Key not found")

    monkeypatch.setattr(attempts.ATTEMPTS, "incr", gone)

    count_try(lanes("a"), now=START).give_back()


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::9", "2001:db8:1:2::"),
        ("nonsense", "nonsense"),
    ],
)
def test_a_network_that_one_household_has_is_one_address(address: str, counted: str) -> None:
    assert find_network(address) == counted


def test_what_was_typed_is_not_kept() -> None:
    keys = list(chain.from_iterable(each.key.split() for each in lanes("192.0.2.7")))

    assert not any(ADA in key or "192" in key for key in keys)
    assert len(set(keys)) == len(keys)


@pytest.mark.services
def test_a_redis_forgets_by_itself_what_is_over() -> None:
    """A Redis has its own clock, so this test reads the expiry times of the keys."""
    pace = RateLimit(free=1, first=7, most=7, rest=90)
    for who in ("a", "b"):
        count_try([build_bucket(pace, "one")], who=who, now=datetime.now(UTC))

    server = redis.Redis.from_url(settings.REDIS_URL)
    ends = sorted(server.ttl(key) for key in server.scan_iter("*attempts.*"))

    assert len(ends) == 3
    for end, most in zip(ends, (7, 90, attempts.HOUR), strict=True):
        assert 0 < end <= most
