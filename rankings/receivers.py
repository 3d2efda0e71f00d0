"""What rating lists do when something happens elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.dispatch import receiver

from players.services import exports
from rankings import verifiers
from rankings.selectors import rateable
from rankings.services import ledger
from runtime import outbox
from runtime import verifiers as runtime_verifiers
from tournaments.signals import event_changed

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.models import Tournament


@receiver(event_changed, dispatch_uid="rankings.follow_event")
def follow_event(*, event: Tournament, now: datetime, **_signal: object) -> None:
    """Write down that the club's lists have to follow."""
    ledger.note(event, now=now)


exports.register("ratings", rateable.own)
outbox.register(ledger.FOLLOW, ledger.tell_event)
outbox.register(ledger.REBUILD, ledger.tell_list)
runtime_verifiers.register("ratings", verifiers.ledgers)
