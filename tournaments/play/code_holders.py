"""Reports by match code, without an account: which entry the reporter plays for, and from which device.

A report is confirmed from another device, by the opponent's account, at the desk, or after the time limit;
never from the same device.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from players.models import User
from tournaments.base.errors import CodeExpired, NotYourMatch, ReportedElsewhere, SameDevice, SeatsMoved
from tournaments.models import Entry, Pairing, Report


@dataclass(frozen=True, slots=True)
class CodeHolder:
    seats: tuple[int, int]
    until: datetime
    # The entry that the user claims to play for.
    entry_id: int
    device: str

    def side(self, row: Pairing, *, now: datetime) -> Entry:
        """Return the entry that the user plays for; the caller holds the event's lock.

        :raises CodeExpired: the code has expired.
        :raises SeatsMoved: the players of the match have changed.
        :raises NotYourMatch: the entry does not play in this match.
        """
        require_unexpired(self.until, now=now)
        require_seats(self.seats, row)
        for entry in (row.a, row.b):
            if entry is not None and entry.pk == self.entry_id:
                return entry
        raise NotYourMatch


def require_unexpired(until: datetime, *, now: datetime) -> None:
    if until <= now:
        raise CodeExpired


def require_seats(seats: tuple[int, int], row: Pairing) -> None:
    if seats != (row.a_id, row.b_id):
        raise SeatsMoved


def require_may_report(who: User | CodeHolder, own: Report | None, reports: Iterable[Report]) -> None:
    """Require that a code may be used to report: for one player only, and from one device.

    :raises SameDevice: this device has reported for the opponent.
    :raises ReportedElsewhere: another device has reported for this player.
    """
    if not isinstance(who, CodeHolder):
        return
    for report in reports:
        if report.by_id != who.entry_id:
            require_other_device(who, report)
    if own is not None and own.device != who.device:
        raise ReportedElsewhere


def require_other_device(who: User | CodeHolder, report: Report) -> None:
    if isinstance(who, CodeHolder) and report.device == who.device:
        raise SameDevice
