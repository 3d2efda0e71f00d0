"""The measured round trip between us and one player, carried in a signed token and nowhere else.

A token says when it was given; sent back at once, it has made one round trip. It belongs to one account
and one match, and is worth nothing after a while. What a liar may gain is bounded in `matches.state.lag`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.core import signing

from matches.state import lag

SALT: Final = "barpoint.pulse"
LIVES_MS: Final = 120_000

_signer = signing.Signer(salt=SALT)


@dataclass(frozen=True, slots=True)
class Pulse:
    """What a token says: when it was given, and the round trip as we take it to be."""

    at: int
    trip: int | None


def give(*, user_id: int, key: str, at: int, trip: int | None) -> str:
    """Return a token; the milliseconds are those of our watch as it is sent."""
    return _signer.sign(f"{user_id}.{key}.{at}.{'' if trip is None else trip}")


def read(token: str, *, user_id: int, key: str, now: int) -> Pulse | None:
    """Return what a token says; None where it is none, somebody else's, of another match, or too old."""
    try:
        told = _signer.unsign(token).split(".")
    except signing.BadSignature:
        return None
    if told[:2] != [str(user_id), key]:
        return None
    at, trip = int(told[2]), int(told[3]) if told[3] else None
    return Pulse(at, trip) if now - at <= LIVES_MS else None


def trip(token: str, *, user_id: int, key: str, now: int) -> int | None:
    """The round trip in a token; None if there is none, or if the token is not valid."""
    pulse = read(token, user_id=user_id, key=key, now=now)
    return None if pulse is None else pulse.trip


def measured(token: str, *, user_id: int, key: str, received: int) -> int | None:
    """Return the round trip after a token has come back; None as long as there was none to measure."""
    pulse = read(token, user_id=user_id, key=key, now=received)
    return None if pulse is None else lag.smoothed(pulse.trip, received - pulse.at)
