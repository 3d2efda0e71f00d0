"""The money of an event as rows: what was agreed, ledgers that are only added to, and an auction."""

from money.models.auction import (
    AuctionKind,
    AuctionLine,
    AuctionLot,
    AuctionParty,
    AuctionPlayer,
    EventAuction,
)
from money.models.ledger import (
    DECIMALS,
    MOST,
    OF_PLAYERS,
    EventMoney,
    LineKind,
    MoneyLine,
    MoneyPool,
    ReadingChoice,
)

__all__ = [
    "DECIMALS",
    "MOST",
    "OF_PLAYERS",
    "AuctionKind",
    "AuctionLine",
    "AuctionLot",
    "AuctionParty",
    "AuctionPlayer",
    "EventAuction",
    "EventMoney",
    "LineKind",
    "MoneyLine",
    "MoneyPool",
    "ReadingChoice",
]
