"""Who waits at the door of an event, and whom of the club each may be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from players.selectors import duplicates
from tournaments.models import DoorAnswer, DoorRequest, Entry

if TYPE_CHECKING:
    from datetime import datetime

    from players.selectors.duplicates import AlikeName
    from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class MaybeMember:
    """A member who may be the one at the door, with what speaks for it."""

    alike: AlikeName
    is_in: bool


@dataclass(frozen=True, slots=True)
class AtDoor:
    """Somebody who waits."""

    key: str
    name: str
    has_account: bool
    asked_at: datetime
    maybe: tuple[MaybeMember, ...]


def waiting(event: Tournament) -> tuple[AtDoor, ...]:
    """Return who waits, in the order in which they came."""
    rows = list(
        DoorRequest.objects.filter(tournament=event, answer=DoorAnswer.OPEN).order_by("asked_at", "pk")
    )
    if not rows:
        return ()
    inside = set(
        Entry.objects.filter(tournament=event, withdrawn_at__isnull=True).values_list(
            "player__key", flat=True
        )
    )
    alike = duplicates.alike(club=event.club, names=[row.name for row in rows])
    return tuple(
        AtDoor(
            row.key,
            row.name,
            bool(row.account_key),
            row.asked_at,
            tuple(
                MaybeMember(each, each.key in inside)
                for each in alike[row.name]
                if each.key != row.account_key
            ),
        )
        for row in rows
    )


def asked(event: Tournament, *, key: str, account_key: str) -> DoorRequest | None:
    """Return what this browser, or this account, has asked last."""
    rows = DoorRequest.objects.filter(tournament=event)
    mine = rows.filter(account_key=account_key) if account_key else rows.filter(key=key, account_key="")
    return mine.order_by("-asked_at", "-pk").first()
