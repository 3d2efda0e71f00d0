"""How soon a password or a code may be tried again: after longer and longer waits, but always in the end (ADR 45).

Tries are counted in lanes: by account, by address, by both, by device. A try needs its turn in each of its lanes
*before* anything is checked, so that many at once gain nothing; one that was right gives its turns back. Nobody is made
to wait here: who comes too soon is told for how long, and that costs a look into the cache.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog

from runtime import addresses
from runtime.http.counters import ATTEMPTS

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

log = structlog.get_logger(__name__)

HOUR = 3600
# Under which a request carries what its answer is to say in `Retry-After`.
RETRY_AFTER = "players.retry_after"


@dataclass(frozen=True, slots=True)
class Pace:
    """So many tries an hour are free; the next come one by one, with waits that double from *first* to *most*."""

    free: int
    first: int
    most: int
    # So many seconds wait for their next turn who had one when turns were scarce: the others come first.
    rest: int = 0

    def wait(self, tries: int) -> int:
        """Return for how many seconds try number *tries* keeps the next one waiting."""
        return min(self.first << min(max(tries - self.free - 1, 0), 16), self.most)


# Of what one network of 64 bits may try, the 48 bits around it may try eight times as much.
WIDE = Pace(free=1_600, first=1, most=6)
# Wrong passwords from devices that are not known: some 20 an hour from one address at one account, some 145 at one account,
# some 800 from one address, where forty people may mistype theirs on the first evening.
PAIR = Pace(free=5, first=5, most=300)
ACCOUNT = Pace(free=20, first=5, most=30, rest=300)
ADDRESS = Pace(free=200, first=1, most=6)
# A device that has signed in to the account before, or is signed in now, waits for nobody but itself.
DEVICE = Pace(free=10, first=2, most=60)
# A code of six digits is no password: some 20 an hour from one address, some 45 in all.
CODE_PAIR = Pace(free=5, first=5, most=300)
CODE_ACCOUNT = Pace(free=10, first=10, most=120, rest=300)
CODE_DEVICE = Pace(free=10, first=5, most=120)
# E-mails of one kind to one person. Those that came before still open what they open.
EMAILS = Pace(free=5, first=600, most=600)


@dataclass(frozen=True, slots=True)
class Lane:
    """Where tries are counted together."""

    key: str
    pace: Pace


class TooSoon(Exception):
    """It is not time for another try yet."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"{seconds} s")
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class Turn:
    """A try that was let through."""

    counted: Collection[str]
    waits: Collection[str]

    def give_back(self) -> None:
        """Forget that there was a try: it was right."""
        for key in self.counted:
            _count(key, -1)
        ATTEMPTS.delete_many(self.waits)


def lane(pace: Pace, *names: object) -> Lane:
    """Return the lane of that pace for what is named; what was typed stays out of the cache."""
    return Lane(f"attempts.{_digest(*names)}", pace)


def network_lanes(pace: Pace, what: str, address: str, *, wide_pace: Pace | None = None) -> list[Lane]:
    """Return the lanes of a caller: its network's, and for IPv6 the wider one's, which bounds how many lanes it can open."""
    narrow, *wide = addresses.list_networks(address)
    return [lane(pace, what, narrow), *(lane(wide_pace or WIDE, what, each) for each in wide)]


def take_turn(lanes: Collection[Lane], *, who: str = "", now: datetime) -> Turn:
    """Let a try through if it may be made now; *who* is whose turn it then was.

    :raises TooSoon: it may not; nothing was counted.
    """
    second = now.timestamp()
    rests = {each: f"{each.key}.{_digest(who)}" for each in lanes if each.pace.rest}
    closed = ATTEMPTS.get_many([*(_wait_key(each) for each in lanes), *rests.values()])
    if closed:
        raise _too_soon(max(closed.values()), second)
    counted: list[str] = []
    waits: list[str] = []
    for each in lanes:
        tries = _count(each.key, 1)
        counted.append(each.key)
        if tries <= each.pace.free:
            continue
        seconds = each.pace.wait(tries)
        if not ATTEMPTS.add(_wait_key(each), second + seconds, timeout=seconds):
            # Another try came between.
            Turn(counted, waits).give_back()
            raise _too_soon(second + seconds, second)
        waits.append(_wait_key(each))
        if each in rests:
            ATTEMPTS.set(rests[each], second + each.pace.rest, timeout=each.pace.rest)
            waits.append(rests[each])
            log.info("attempts.scarce", tries=tries)
    return Turn(counted, waits)


def _digest(*names: object) -> str:
    return hashlib.sha256("\n".join(map(str, names)).encode()).hexdigest()[:32]


def _wait_key(each: Lane) -> str:
    return f"{each.key}.wait"


def _too_soon(until: float, second: float) -> TooSoon:
    return TooSoon(max(math.ceil(until - second), 1))


def _count(key: str, step: int) -> int:
    """Count up or down, and forget all of it an hour after the first."""
    if step > 0:
        ATTEMPTS.add(key, 0, timeout=HOUR)
    try:
        return int(ATTEMPTS.incr(key, step))
    except ValueError:
        # Its hour ended just now.
        return 1
