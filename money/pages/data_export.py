"""Money in a person's data export."""

from __future__ import annotations

from typing import TYPE_CHECKING

from money.models import AuctionLine, AuctionParty, MoneyLine
from tournaments.models import Entry

if TYPE_CHECKING:
    from players.models import Player


def export_lines(player: Player) -> list[dict[str, object]]:
    """Return all lines about this player."""
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


def export_auction_lines(player: Player) -> list[dict[str, object]]:
    """Return all lines of auctions for lots or shares of this player."""
    numbers = dict(Entry.objects.filter(player=player).values_list("tournament", "number"))
    parties = AuctionParty.objects.filter(auction__money__event__in=numbers, entrant__isnull=False)
    own = {
        (party.auction_id, party.number)
        for party in parties.select_related("auction__money")
        if party.entrant == numbers[party.auction.money.event_id]
    }
    rows = AuctionLine.objects.filter(auction__in={auction for auction, _party in own})
    return [
        {
            "event": row.auction.money.event.name,
            "line": row.number,
            "kind": row.kind,
            "lot": row.lot,
            "units": row.amount,
            "percent": f"{row.percent:.2f}",
            "currency": row.auction.money.currency,
            "decimals": row.auction.money.decimals,
            "note": row.note,
            "at": row.at.isoformat(),
        }
        for row in rows.select_related("auction__money__event").order_by("auction", "number")
        if (row.auction_id, row.party) in own
    ]
