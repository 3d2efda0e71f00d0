"""Helpers of an event: for its director, and for browsers with a helper's link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.base import hours
from tournaments.models import Helper

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class HelperLine:
    """A valid helper's link."""

    pk: int
    name: str
    until: str
    is_taken_up: bool


def list_valid(event: Tournament, *, now: datetime) -> tuple[HelperLine, ...]:
    """List the valid links of an event."""
    rows = Helper.objects.filter(tournament=event, revoked_at=None, expires_at__gt=now).order_by("pk")
    return tuple(_line(event, row) for row in rows)


def find_helper(event: Tournament, helper: int, *, now: datetime) -> HelperLine | None:
    """Return the helper with this primary key if the link was opened and is still valid."""
    rows = Helper.objects.filter(tournament=event, revoked_at=None, expires_at__gt=now)
    row = rows.filter(pk=helper, taken_up_at__isnull=False).first()
    return _line(event, row) if row else None


def _line(event: Tournament, row: Helper) -> HelperLine:
    zone = event.club.time_zone
    until = f"{hours.short_day(row.expires_at, zone)}, {hours.hour(row.expires_at, zone)}"
    return HelperLine(row.pk, row.name, until, row.taken_up_at is not None)
