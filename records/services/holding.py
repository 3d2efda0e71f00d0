"""Who somebody says they are who holds the code of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from records.models import Holder
from tournaments.services import changes, results

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.models import Tournament
    from tournaments.services.at_table import AtTable


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
        results.require_open(row)
        said, _is_new = Holder.objects.update_or_create(
            pairing=row, device=who.device, defaults={"entry": entry, "at": now}
        )
        return said
