"""Counters of limits: bounded in number, and not pushed out by many small ones."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from django.conf import settings as the_settings
from django.core.cache import caches
from django.test import RequestFactory
from rest_framework.request import Request

from matches.lobby import visitors
from matches.state.errors import Refused
from players.access import attempts
from runtime.http.rate_limits import ATTEMPTS, LIMITS, AnonThrottle, CounterCache, UserThrottle, WideThrottle


def test_many_new_counters_push_out_no_large_one() -> None:
    cache = CounterCache("tests-counters", {"max_entries": 100})
    cache.clear()
    cache.set("account", 20)
    cache.set("wait", 1_700_000_000.5)
    for number in range(1_000):
        cache.add(f"network-{number}", 1)
    assert cache.get("account") == 20
    assert cache.get("wait") is not None
    assert cache.get("network-999") == 1
    assert len(cache._cache) <= 100


def test_what_has_expired_goes_first() -> None:
    cache = CounterCache("tests-expired", {"max_entries": 4})
    cache.clear()
    for number in range(3):
        cache.set(f"old-{number}", 50, timeout=0.0)
    cache.set("small", 1)
    cache.set("next", 1)
    assert cache.get_many(["small", "next"]) == {"small": 1, "next": 1}


def test_wrong_passwords_and_other_limits_are_counted_apart() -> None:
    places = {(each["LOCATION"], each.get("KEY_PREFIX")) for each in the_settings.CACHES.values()}
    assert len(places) == len(the_settings.CACHES) == 3
    ATTEMPTS.set("one", 1)
    # Not `clear`, with which Redis empties a whole database.
    assert LIMITS.get("one") is caches["default"].get("one") is None
    LIMITS.delete("one")
    caches["default"].delete("one")
    assert ATTEMPTS.get("one") == 1


def send_request(throttle: Any, rf: RequestFactory, address: str) -> bool:
    from django.contrib.auth.models import AnonymousUser

    request = rf.get("/api/v1/clubs/", REMOTE_ADDR=address)
    request.user = AnonymousUser()
    wrapped = Request(request)
    wrapped.user = request.user
    view: Any = None
    return bool(throttle().allow_request(wrapped, view))


@pytest.mark.parametrize("throttle", [AnonThrottle, UserThrottle])
def test_the_api_counts_the_network_and_not_the_address(
    rf: RequestFactory, monkeypatch: pytest.MonkeyPatch, throttle: Any
) -> None:
    monkeypatch.setattr(throttle, "rate", "3/min", raising=False)
    answers = [send_request(throttle, rf, f"2001:db8::{number}") for number in range(5)]
    assert answers == [True, True, True, False, False]
    assert send_request(throttle, rf, "2001:db8:0:1::1"), "a neighbour"
    assert [send_request(throttle, rf, each) for each in ["192.0.2.1", "::ffff:192.0.2.1"] * 2] == [
        True
    ] * 3 + [False]


def test_many_networks_of_one_customer_have_a_limit_and_open_no_more_counters(
    rf: RequestFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WideThrottle, "rate", "5/min", raising=False)
    answers = [send_request(AnonThrottle, rf, f"2001:db8:0:{number}::1") for number in range(8)]
    assert answers == [True] * 5 + [False] * 3
    assert LIMITS.get("throttle_anon_2001:db8:0:4::") is not None
    assert LIMITS.get("throttle_anon_2001:db8:0:7::") is None
    assert send_request(AnonThrottle, rf, "2001:db8:1::1")


def test_tries_from_many_networks_of_one_customer_end_and_open_no_more_counters(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts, "WIDE", attempts.RateLimit(free=5, first=300, most=300))
    pace = attempts.RateLimit(free=200, first=1, most=6)

    def turn(number: int) -> None:
        lanes = attempts.build_network_buckets(pace, "password", f"2001:db8:0:{number:x}::1")
        attempts.count_try(lanes, now=now)

    for number in range(6):
        turn(number)
    with pytest.raises(attempts.TooManyTries):
        turn(6)
    narrow = attempts.build_network_buckets(pace, "password", "2001:db8:0:6::1")[0]
    assert ATTEMPTS.get(narrow.key) is None


def test_guests_are_counted_by_network(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitors, "MOST_BEGUN", 2)
    visitors._enforce_rate_limit("2001:db8::1", now=now)
    visitors._enforce_rate_limit("2001:db8::2", now=now)
    with pytest.raises(Refused):
        visitors._enforce_rate_limit("2001:db8::3", now=now)
    for number in range(1, 15):
        visitors._enforce_rate_limit(f"2001:db8:0:{number:x}::1", now=now)
    with pytest.raises(Refused):
        visitors._enforce_rate_limit("2001:db8:0:ff::1", now=now)
