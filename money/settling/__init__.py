"""What an event's money comes to: a library of its own, with `python -m money settle`; docs/money.md has its rules."""

from money.settling.auction import Auction, AuctionSettlement, SoldLot, settle_auction
from money.settling.division import divide
from money.settling.settle import settle
from money.settling.values import BadMoney, Event, Pool, Prize, Settlement

__all__ = [
    "Auction",
    "AuctionSettlement",
    "BadMoney",
    "Event",
    "Pool",
    "Prize",
    "Settlement",
    "SoldLot",
    "divide",
    "settle",
    "settle_auction",
]
