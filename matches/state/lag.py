"""What the network takes of a player's time, and how much of it the clock forgives: plain milliseconds, no state.

A browser says how long its player thought; what the turn took beyond that is the lag it claims. It may
lie, so a claim is believed as far as two other figures bear it out:

- the round trip that the server has measured itself, and a little more. Without such a figure nothing is
  forgiven. A turn loses one round trip: the frame on its way down, the command on its way up.
- a quota, since answers to a measurement can be held back as well. Each player of a match has one. It
  begins with three seconds, gains one with every command that is timed, is never more than seven, and
  what is forgiven is taken from it.

So one command gains a liar no more than the measured round trip and 40 ms, and whatever they do with the
measurements, any ten commands gain them no more than 7 + 9 seconds. The figures are those of lichess for
all but its shortest games.

>>> lag = allowed(START, claimed=350, trusted=180)
>>> lag, after(START, lag)
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


def allowed(quota: int, *, claimed: int, trusted: int | None) -> int:
    """Return how much of the *claimed* lag is forgiven; *trusted* is the measured round trip.

    >>> allowed(7_000, claimed=500, trusted=None), allowed(100, claimed=500, trusted=800)
    (0, 100)
    """
    if trusted is None:
        return 0
    return max(0, min(claimed, trusted + SLACK, quota))


def after(quota: int, lag: int) -> int:
    """Return the quota after a command that was forgiven *lag*."""
    return min(MOST, quota - lag + GAIN)


def grace(quota: int) -> int:
    """Return how long after the deadline a move may still be on its way, so that nobody is flagged yet.

    >>> grace(7_000), grace(900)
    (2000, 900)
    """
    return min(quota, LONGEST_GRACE)


def smoothed(before: int | None, sample: int) -> int | None:
    """Return the round trip as it is taken to be after one more *sample* of it; the newest weighs 0.3.

    A negative sample is a watch that was put back, and one of over five seconds a browser that slept: they
    say nothing of the network.

    >>> smoothed(None, 100), smoothed(100, 200), smoothed(130, 60_000), smoothed(None, -1)
    (100, 130, 130, None)
    """
    if not 0 <= sample <= LONGEST_SAMPLE:
        return before
    return sample if before is None else (7 * before + 3 * sample + 5) // 10
