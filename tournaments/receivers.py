"""What events do when something happens elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.dispatch import receiver

from players.services import exports
from players.signals import player_erased, player_merged
from runtime import outbox
from tournaments.selectors import results
from tournaments.services import merging, news, progress

if TYPE_CHECKING:
    from datetime import datetime

    from players.models import Player


@receiver(player_merged, dispatch_uid="tournaments.move_entries")
def move_entries(*, kept: Player, dropped: Player, **_signal: object) -> None:
    """Bring the dropped player's entries along, in the transaction of the merge."""
    merging.adopt(kept=kept, dropped=dropped)


@receiver(player_erased, dispatch_uid="tournaments.withdraw_entries")
def withdraw_entries(*, player: Player, now: datetime, **_signal: object) -> None:
    """Free the places of someone who has left; finished events keep theirs, without a name."""
    progress.forget(player, now=now)


exports.register("events", results.own)
outbox.register(news.KIND, news.tell)
