"""The code at the door of an event, signed so that nobody else can make one, and good for some days."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from django.core.signing import BadSignature, Signer

SALT: Final = "tournaments.door"
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class DoorCode:
    """An event, and until when the code is good."""

    event_id: int
    until: datetime


def of_event(event_id: int, starts_at: datetime, now: datetime) -> str:
    """Return the code of an event: good until a day begins after the next from its start, or from now if that is later.

    It is the same all day long, so that a page that is loaded again shows what hangs at the door.
    """
    return _signer().sign(f"{event_id}-{(max(starts_at, now) + DAY - EPOCH) // DAY + 1}")


def read(code: str) -> DoorCode | None:
    """Return what a code says, whether it is still good or not; None where it is none of ours."""
    try:
        event, until = map(int, _signer().unsign(code).split("-"))
    except (BadSignature, ValueError):
        return None
    return DoorCode(event, EPOCH + until * DAY)


def _signer() -> Signer:
    return Signer(salt=SALT, sep="~")
