"""Settlement of an event's money: a library, also as `python -m money settle`; see docs/money.md."""

from money.settling.auction import Auction, AuctionSettlement, SoldLot, settle_auction
from money.settling.division import divide
from money.settling.settlement import settle
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
