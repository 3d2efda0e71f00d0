"""What somebody does who holds the code of a match: they say who they are, and then report, confirm or dispute."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db import transaction

from records.models import Holder
from tournaments.play import changes, claims, results

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from players.models import User
    from records.sheets.at_table import Held
    from tournaments.models import Report, Tournament
    from tournaments.play.at_table import AtTable

CONFIRM: Final = "confirm"
DISPUTE: Final = "dispute"


def say_who(*, event: Tournament, match: str, who: AtTable, now: datetime) -> Holder:
    """Note which of the two the one with this device is; said again, the last counts.

    :raises CodeExpired, SeatsMoved, NotYourMatch: the code is not good for this.
    :raises ResultStands, NotOpen, WrongStatus: nobody plays it now.
    """
    with transaction.atomic():
        event = changes.lock(event.pk)
        row = results.find(event, match)
        entry = who.side(row, now=now)
        changes.running(event)
        claims.require_open(row)
        said, _is_new = Holder.objects.update_or_create(
            pairing=row, device=who.device, defaults={"entry": entry, "at": now}
        )
        return said


def speak(
    *,
    held: Held,
    do: str,
    who: User | AtTable,
    claim: Mapping[str, Any],
    device: str,
    now: datetime,
) -> Report | None:
    """Confirm or dispute what the opponent has reported, or report: a score or a winner, from this device.

    Return the report as it is by then, None for one that was confirmed.

    :raises TournamentError: as `tournaments.play.results` has it.
    """
    about: dict[str, Any] = {"tournament_id": held.event.pk, "key": held.row.key, "user": who, "now": now}
    if do == CONFIRM:
        results.confirm(**about, **claim)
        return None
    if do == DISPUTE:
        return results.dispute(**about, **claim)
    return results.report(**about, **claim, device=device)
