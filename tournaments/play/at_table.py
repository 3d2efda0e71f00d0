"""Somebody at the table with the code of a match and perhaps no account: whose side they speak for, and by which device.

What they say is confirmed by another device, by the opponent's account, at the desk, or by silence; never by the same device.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.base.errors import CodeExpired, NotYourMatch, ReportedElsewhere, SameDevice, SeatsMoved

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from players.models import User
    from tournaments.models import Entry, Pairing, Report


@dataclass(frozen=True, slots=True)
class AtTable:
    """Who holds the code of a match: it was made for these two and is good until then."""

    seats: tuple[int, int]
    until: datetime
    # Who they say they are.
    entry_id: int
    device: str

    def side(self, row: Pairing, *, now: datetime) -> Entry:
        """Return with which entry they play; the caller holds the event's lock.

        :raises CodeExpired: it was good until an earlier time.
        :raises SeatsMoved: others meet here now.
        :raises NotYourMatch: they are none of the two.
        """
        self.require_good(row, now=now)
        for entry in (row.a, row.b):
            if entry is not None and entry.pk == self.entry_id:
                return entry
        raise NotYourMatch

    def require_good(self, row: Pairing, *, now: datetime) -> None:
        """Let pass as long as the code is good for this match.

        :raises CodeExpired, SeatsMoved: it is not.
        """
        require_in_time(self.until, now=now)
        require_seats(self.seats, row)


def require_in_time(until: datetime, *, now: datetime) -> None:
    """Let a code pass that is still good."""
    if until <= now:
        raise CodeExpired


def require_seats(seats: tuple[int, int], row: Pairing) -> None:
    """Let a code pass that was made for the two who meet here."""
    if seats != (row.a_id, row.b_id):
        raise SeatsMoved


def require_to_speak(who: User | AtTable, own: Report | None, said: Iterable[Report]) -> None:
    """Let somebody with a code report: for one player only, and over no other device.

    :raises SameDevice: this device has reported for the opponent.
    :raises ReportedElsewhere: another one has reported for this player.
    """
    if not isinstance(who, AtTable):
        return
    for report in said:
        if report.by_id != who.entry_id:
            require_other_device(who, report)
    if own is not None and own.device != who.device:
        raise ReportedElsewhere


def require_other_device(who: User | AtTable, said: Report) -> None:
    """Let somebody answer a report, if it did not come from the device in their own hand.

    :raises SameDevice: it did.
    """
    if isinstance(who, AtTable) and said.device == who.device:
        raise SameDevice
