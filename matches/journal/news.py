"""Live events about agreements on matches, each to its player's topic, and about the lobby.

They are notifications only: a page that missed one queries the state (`list_unjoined` and `find_rematch` in
`matches.lobby.offers`).
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction

from matches.journal import live
from matches.models import Challenge
from players.models import Player
from runtime import stream

BEGINS: Final = "match-begins"
REMATCH: Final = "rematch"


def notify_start(row: Challenge, *, now: datetime) -> None:
    """Notify the challenger, on any page, that the match begins."""
    if row.match is None or row.opponent is None:
        return
    told = {"match": row.match.key, "opponent": row.opponent.public_name}
    _publish(row.challenger, BEGINS, told, now=now)


def notify_rematch(row: Challenge, *, now: datetime) -> None:
    """Notify both players that a rematch was offered, was declined or withdrawn, or has expired."""
    if row.rematch_of is None:
        return
    for player in (row.challenger, row.opponent):
        _publish(player, REMATCH, {"match": row.rematch_of.key}, now=now)


def notify_lobby(*, now: datetime) -> None:
    """Notify the lobby after the commit that a board or an offer was added or removed.

    The event gets a separate transaction, so that requests do not contend for the lock of the topic.
    """
    transaction.on_commit(lambda: stream.publish(live.LOBBY, "changed", {}, now=now))


def _publish(player: Player | None, name: str, told: dict[str, str], *, now: datetime) -> None:
    if player is not None and player.user_id is not None:
        stream.publish(f"user.{player.user_id}", name, told, now=now)
