"""Locking a person while they are merged or erased: what points at them first, then their own row.

The lock order is event, match, players (docs/adr/0006). The apps above know which events and matches a
person is in, and lock those first (`hooks.LOCKS`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from players import hooks
from players.models import Player

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def hold_with_all(leaving: Collection[int], *, staying: Collection[int] = ()) -> dict[int, Player]:
    """Lock what those who leave are in, then all rows, the oldest first; return them as they are now."""
    for lock in hooks.LOCKS:
        lock(leaving)
    return hold([*leaving, *staying])


def hold(pks: Iterable[int]) -> dict[int, Player]:
    """Lock players in the order in which everybody locks them; return them as they are now."""
    locked = Player.objects.order_by("pk").select_for_update(of=("self",), no_key=True)
    return {row.pk: row for row in locked.filter(pk__in=list(pks))}
