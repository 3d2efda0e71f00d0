"""Lag compensation: how much network time the clock forgives. Pure functions on milliseconds.

A browser reports its player's thinking time; the rest of the turn is the lag it claims. It may
lie, so a claim is limited by two other figures:

- the round trip measured by the server, and a little more. Without a measurement nothing is
  forgiven. A turn loses one round trip: the frame on its way down, the command on its way up.
- a quota, since responses to a measurement can be delayed as well. Each player of a match has one. It
  begins with three seconds, gains one with every timed command, is never more than seven, and
  is reduced by what is forgiven.

So one command gains a cheat at most the measured round trip and 40 ms, and with any manipulation of the
measurements ten commands gain at most 7 + 9 seconds. The figures are those of lichess for
all but its shortest games.

>>> lag = compute_allowed(START, claimed=350, trusted=180)
>>> lag, compute_quota_after(START, lag)
(220, 3780)
"""

from __future__ import annotations

from typing import Final

START: Final = 3_000
GAIN: Final = 1_000
MOST: Final = 7_000
SLACK: Final = 40
LONGEST_GRACE: Final = 2_000
LONGEST_SAMPLE: Final = 5_000


def compute_allowed(quota: int, *, claimed: int, trusted: int | None) -> int:
    """Return the forgiven part of the *claimed* lag; *trusted* is the measured round trip.

    >>> compute_allowed(7_000, claimed=500, trusted=None), compute_allowed(100, claimed=500, trusted=800)
    (0, 100)
    """
    if trusted is None:
        return 0
    return max(0, min(claimed, trusted + SLACK, quota))


def compute_quota_after(quota: int, lag: int) -> int:
    return min(MOST, quota - lag + GAIN)


def compute_grace(quota: int) -> int:
    """Return the grace period after a deadline, in which a move may still be in flight.

    >>> compute_grace(7_000), compute_grace(900)
    (2000, 900)
    """
    return min(quota, LONGEST_GRACE)


def smooth_trip(before: int | None, sample: int) -> int | None:
    """Return the smoothed round trip after a new *sample*, which weighs 0.3.

    Negative samples (a clock set back) and those over five seconds (a suspended browser) are
    ignored.

    >>> smooth_trip(None, 100), smooth_trip(100, 200), smooth_trip(130, 60_000), smooth_trip(None, -1)
    (100, 130, 130, None)
    """
    if not 0 <= sample <= LONGEST_SAMPLE:
        return before
    return sample if before is None else (7 * before + 3 * sample + 5) // 10
