"""What a person's own export says of money."""

from __future__ import annotations

from typing import TYPE_CHECKING

from money.models import MoneyLine
from tournaments.models import Entry

if TYPE_CHECKING:
    from players.models import Player


def lines_of(player: Player) -> list[dict[str, object]]:
    """Return every line of the ledgers that is about this player."""
    numbers = dict(Entry.objects.filter(player=player).values_list("tournament", "number"))
    rows = MoneyLine.objects.filter(money__event__in=numbers).select_related("money__event")
    return [
        {
            "event": row.money.event.name,
            "line": row.number,
            "kind": row.kind,
            "units": row.amount,
            "currency": row.money.currency,
            "decimals": row.money.decimals,
            "note": row.note,
            "at": row.at.isoformat(),
        }
        for row in rows.order_by("money", "number")
        if row.entrant == numbers[row.money.event_id]
    ]
