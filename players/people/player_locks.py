"""Locks for merging or erasing players: rows that refer to them first, then their own.

The lock order is event, match, players (docs/adr/0006). The packages above lock the events and matches of a
player (`hooks.LOCKS`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from players import hooks
from players.models import Player


def lock_with_references(leaving: Collection[int], *, staying: Collection[int] = ()) -> dict[int, Player]:
    """Lock the rows that refer to the leaving players, then all players; return their current rows."""
    for lock in hooks.LOCKS:
        lock(leaving)
    return lock_players([*leaving, *staying])


def lock_players(pks: Iterable[int]) -> dict[int, Player]:
    """Lock players in the order of their primary keys; return their current rows."""
    locked = Player.objects.order_by("pk").select_for_update(of=("self",), no_key=True)
    return {row.pk: row for row in locked.filter(pk__in=list(pks))}
