"""Measured round trip times of players, stored only in signed tokens.

A token contains its time of issue; sent back at once, it has made one round trip. It is valid for one
account and one match, for two minutes. `matches.state.lag` limits what manipulation can gain.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.core import signing

SALT: Final = "barpoint.pulse"
LIVES_MS: Final = 120_000

_signer = signing.Signer(salt=SALT)


@dataclass(frozen=True, slots=True)
class Pulse:
    """The content of a token: time of issue, and the smoothed round trip."""

    at: int
    trip: int | None


def create_token(*, actor: str, key: str, at: int, trip: int | None) -> str:
    """Return a token; *at* is the server time in milliseconds."""
    return _signer.sign(f"{actor}.{key}.{at}.{'' if trip is None else trip}")


def read_token(token: str, *, actor: str, key: str, now: int) -> Pulse | None:
    """Return the content of a token; None if it is invalid, expired, or of another account or match."""
    try:
        whose, match, issued, measured = _signer.unsign(token).rsplit(".", 3)
    except signing.BadSignature:
        return None
    if (whose, match) != (actor, key):
        return None
    at, trip = int(issued), int(measured) if measured else None
    return Pulse(at, trip) if now - at <= LIVES_MS else None
