"""Models of an event's money: terms, append-only ledgers, and an auction."""

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
