"""What matches do when something happens, and what they sweep for."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.dispatch import receiver

from matches import tasks
from matches.services import bots, challenges, notices
from matches.signals import match_due
from players.signals import player_erased
from runtime import sweeps
from runtime.models import Queue

if TYPE_CHECKING:
    from datetime import datetime

    from matches.models import Match
    from players.models import Player


@receiver(match_due, dispatch_uid="matches.wake_bot")
def wake_bot(*, row: Match, due: str, **_signal: object) -> None:
    """Let a bot answer at once, before whoever played is answered; two bots take their time."""
    if row.has_bot and due and bots.is_turn_of_one(row):
        tasks.bots_act(match_id=row.pk)


@receiver(player_erased, dispatch_uid="matches.close_offers")
def close_offers(*, player: Player, **_signal: object) -> None:
    """Close the open offers of somebody who has left."""
    challenges.forget(player)


def let_bots_act(now: datetime) -> int:
    """Let the bots do what they owe and nobody woke them for."""
    return bots.sweep(now=now)


def expire_offers(now: datetime) -> int:
    """Close the offers that nobody accepted in time."""
    return challenges.expire(now=now)


def tell_the_absent(now: datetime) -> int:
    """Tell those who are away what happened at their board."""
    return notices.sweep(now=now)


sweeps.register("matches.bots", timedelta(seconds=1), let_bots_act, queue=Queue.CLOCKS)
sweeps.register("matches.offers", timedelta(seconds=30), expire_offers)
sweeps.register("matches.notices", timedelta(seconds=10), tell_the_absent)
