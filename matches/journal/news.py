"""What two people who agree on a match are told live, each on their own topic; and what the lobby is told.

All of it is a hint: a page that missed one asks how things stand (`selectors.offers.begun`, `rematch_of`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import transaction

from matches.journal import live
from runtime import stream

if TYPE_CHECKING:
    from datetime import datetime

    from matches.models import Challenge
    from players.models import Player

BEGINS: Final = "match-begins"
REMATCH: Final = "rematch"


def begins(row: Challenge, *, now: datetime) -> None:
    """Tell the one who offered that the match begins, wherever they are."""
    if row.match is None or row.opponent is None:
        return
    told = {"match": row.match.key, "opponent": row.opponent.public_name}
    _publish(row.challenger, BEGINS, told, now=now)


def rematch_changed(row: Challenge, *, now: datetime) -> None:
    """Tell both that a rematch was offered, declined or taken back: the page of the finished match shows it."""
    if row.rematch_of is None:
        return
    for player in (row.challenger, row.opponent):
        _publish(player, REMATCH, {"match": row.rematch_of.key}, now=now)


def lobby_changed(*, now: datetime) -> None:
    """Tell the lobby that a board or an offer is there or is there no more, once that is safely stored.

    In a transaction of its own: all of these would otherwise wait for each other at the one topic.
    """
    transaction.on_commit(lambda: stream.publish(live.LOBBY, "changed", {}, now=now))


def _publish(player: Player | None, name: str, told: dict[str, str], *, now: datetime) -> None:
    if player is not None and player.user_id is not None:
        stream.publish(f"user.{player.user_id}", name, told, now=now)
