"""Rate limits for passwords and codes: waits grow, but a try is always possible in the end (ADR 45).

Tries are counted per account, per address, per pair of both, and per device. A try is counted under each of
these keys *before* anything is checked, so that concurrent tries gain nothing; a correct one is uncounted. No
request sleeps here: a try that is too early is rejected with the remaining seconds, at the cost of one cache
lookup.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

import structlog

from runtime import addresses
from runtime.http.rate_limits import ATTEMPTS

log = structlog.get_logger(__name__)

HOUR = 3600
# The key in request.META for the value of the `Retry-After` header.
RETRY_AFTER = "players.retry_after"


@dataclass(frozen=True, slots=True)
class RateLimit:
    """A number of free tries an hour; after these, waits double from *first* to *most* seconds."""

    free: int
    first: int
    most: int
    # After a try beyond the free ones, the same caller waits this many seconds, so that others come first.
    rest: int = 0

    def wait(self, tries: int) -> int:
        """Return the seconds that must pass after try number *tries*."""
        return min(self.first << min(max(tries - self.free - 1, 0), 16), self.most)


# The /48 around an IPv6 /64 network may make eight times as many tries.
WIDE = RateLimit(free=1_600, first=1, most=6)
# Wrong passwords from unknown devices: about 20 an hour from one address for one account, 145 for one
# account, 800 from one address, where forty people may mistype theirs on the first evening.
PAIR = RateLimit(free=5, first=5, most=300)
ACCOUNT = RateLimit(free=20, first=5, most=30, rest=300)
ADDRESS = RateLimit(free=200, first=1, most=6)
# A device that has signed in to the account before, or is signed in, is counted by itself.
DEVICE = RateLimit(free=10, first=2, most=60)
# A code has only six digits: about 20 tries an hour from one address, 45 in all.
CODE_PAIR = RateLimit(free=5, first=5, most=300)
CODE_ACCOUNT = RateLimit(free=10, first=10, most=120, rest=300)
CODE_DEVICE = RateLimit(free=10, first=5, most=120)
# E-mails of one kind to one address. Links in earlier ones stay valid.
EMAILS = RateLimit(free=5, first=600, most=600)


@dataclass(frozen=True, slots=True)
class Bucket:
    """A key under which tries are counted, with its rate limit."""

    key: str
    pace: RateLimit


class TooManyTries(Exception):
    def __init__(self, seconds: int) -> None:
        super().__init__(f"{seconds} s")
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class CountedTry:
    counted: Collection[str]
    waits: Collection[str]

    def give_back(self) -> None:
        """Uncount the try, after it was correct."""
        for key in self.counted:
            _increment_counter(key, -1)
        ATTEMPTS.delete_many(self.waits)


def build_bucket(pace: RateLimit, *names: object) -> Bucket:
    """Build the bucket for these names; they are hashed, so that input is not stored in the cache."""
    return Bucket(f"attempts.{_compute_digest(*names)}", pace)


def build_network_buckets(
    pace: RateLimit, what: str, address: str, *, wide_pace: RateLimit | None = None
) -> list[Bucket]:
    """Build the buckets of a caller's network; for IPv6 also that of the wider one, which contains many networks."""
    narrow, *wide = addresses.list_networks(address)
    return [build_bucket(pace, what, narrow), *(build_bucket(wide_pace or WIDE, what, each) for each in wide)]


def count_try(lanes: Collection[Bucket], *, who: str = "", now: datetime) -> CountedTry:
    """Allow and count a try; *who* identifies the caller for the longer rest.

    :raises TooManyTries: the try is too early; nothing was counted.
    """
    second = now.timestamp()
    rests = {each: f"{each.key}.{_compute_digest(who)}" for each in lanes if each.pace.rest}
    closed = ATTEMPTS.get_many([*(_build_wait_key(each) for each in lanes), *rests.values()])
    if closed:
        raise _build_too_many_tries(max(closed.values()), second)
    counted: list[str] = []
    waits: list[str] = []
    for each in lanes:
        tries = _increment_counter(each.key, 1)
        counted.append(each.key)
        if tries <= each.pace.free:
            continue
        seconds = each.pace.wait(tries)
        if not ATTEMPTS.add(_build_wait_key(each), second + seconds, timeout=seconds):
            # A concurrent try was counted first.
            CountedTry(counted, waits).give_back()
            raise _build_too_many_tries(second + seconds, second)
        waits.append(_build_wait_key(each))
        if each in rests:
            ATTEMPTS.set(rests[each], second + each.pace.rest, timeout=each.pace.rest)
            waits.append(rests[each])
            log.info("attempts.scarce", tries=tries)
    return CountedTry(counted, waits)


def _compute_digest(*names: object) -> str:
    return hashlib.sha256("\n".join(map(str, names)).encode()).hexdigest()[:32]


def _build_wait_key(each: Bucket) -> str:
    return f"{each.key}.wait"


def _build_too_many_tries(until: float, second: float) -> TooManyTries:
    return TooManyTries(max(math.ceil(until - second), 1))


def _increment_counter(key: str, step: int) -> int:
    """Add to a counter, which expires an hour after its first increment."""
    if step > 0:
        ATTEMPTS.add(key, 0, timeout=HOUR)
    try:
        return int(ATTEMPTS.incr(key, step))
    except ValueError:
        # The counter expired just now.
        return 1
