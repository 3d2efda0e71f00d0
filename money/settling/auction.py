"""Settlement of an auction of the players (Calcutta): the owners of well-placed lots share the pool.

The rules are A1 to A6 in docs/money.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from draw.prizes import Finish, split_amount
from money.settling.division import compute_rake, divide
from money.settling.values import MAIN, WHOLE, BadMoney, Carry, Prize, Share


@dataclass(frozen=True, slots=True)
class SoldLot:
    players: tuple[str, ...]
    price: int
    buyer: str
    # Percents by player who bought a share back.
    back: Mapping[str, Fraction] = field(default_factory=dict[str, Fraction])

    @property
    def kept(self) -> Fraction:
        """The buyer's percent."""
        return WHOLE - sum(self.back.values(), Fraction(0))


@dataclass(frozen=True, slots=True)
class Auction:
    lots: tuple[SoldLot, ...] = ()
    rake_percent: Fraction = Fraction(0)
    prizes: tuple[Prize, ...] = ()
    finish: Finish = ()


@dataclass(frozen=True, slots=True)
class AuctionSettlement:
    """The result: winnings and the rest. `pool` is rake, winnings and carried money (A1)."""

    pool: int
    rake: int
    prize_money: int
    # By lot: its winnings, the owners' parts of the price, the owners' parts of the winnings.
    won: tuple[int, ...]
    costs: tuple[Mapping[str, int], ...]
    gains: tuple[Mapping[str, int], ...]
    # Each player's winnings for the owners of their lot.
    shares: tuple[Share, ...]
    carries: tuple[Carry, ...]

    @property
    def carried(self) -> int:
        return sum(one.amount for one in self.carries)

    @property
    def payouts(self) -> dict[str, int]:
        """Each owner's winnings in all; owners without winnings are left out."""
        due: dict[str, int] = {}
        for gain in self.gains:
            for owner, amount in gain.items():
                due[owner] = due.get(owner, 0) + amount
        return {owner: amount for owner, amount in due.items() if amount}


def settle_auction(auction: Auction) -> AuctionSettlement:
    """Settle an auction: the winnings of each lot, and the payments and payouts of its owners.

    >>> from money.settling.values import Prize
    >>> ann = SoldLot(("Ann",), 1000, "Zoe", {"Ann": Fraction(50)})
    >>> both = SoldLot(("Bob", "Cem"), 500, "Yan")
    >>> order = (("Bob",), ("Ann",), ("Cem",))
    >>> result = settle_auction(Auction((ann, both), Fraction(10), Prize.by_place(70, 30), order))
    >>> result.pool, result.rake, result.payouts
    (1500, 150, {'Zoe': 203, 'Ann': 202, 'Yan': 945})

    :raises BadMoney: a price is below zero, percents are more than 100, or a player is sold twice.
    """
    _require_valid(auction)
    pool = sum(lot.price for lot in auction.lots)
    rake = compute_rake(pool, auction.rake_percent)
    lot_of = {player: at for at, lot in enumerate(auction.lots) for player in lot.players}
    # A3: only sold players count for places.
    order = (tuple(player for player in tied if player in lot_of) for tied in auction.finish)
    shares, carries = divide(pool - rake, auction.prizes, {MAIN: tuple(tied for tied in order if tied)})
    won = [0] * len(auction.lots)
    for share in shares:
        won[lot_of[share.player]] += share.amount
    return AuctionSettlement(
        pool=pool,
        rake=rake,
        prize_money=pool - rake,
        won=tuple(won),
        costs=tuple(divide_among_owners(lot, lot.price) for lot in auction.lots),
        gains=tuple(divide_among_owners(lot, amount) for lot, amount in zip(auction.lots, won, strict=True)),
        shares=tuple(shares),
        carries=tuple(carries),
    )


def divide_among_owners(lot: SoldLot, amount: int) -> dict[str, int]:
    """Divide a price or winnings among owners by largest remainders, the buyer first, then by name (A4)."""
    parts = [(lot.buyer, lot.kept), *sorted(lot.back.items())]
    scale = lcm(*(percent.denominator for _, percent in parts))
    amounts = split_amount(amount, [int(percent * scale) for _, percent in parts])
    found: dict[str, int] = {}
    for (owner, _), each in zip(parts, amounts, strict=True):
        found[owner] = found.get(owner, 0) + each
    return found


def _require_valid(auction: Auction) -> None:
    if any(lot.price < 0 for lot in auction.lots):
        raise BadMoney("No price can be below zero.")
    if not 0 <= auction.rake_percent <= WHOLE:
        raise BadMoney("The rake is a percent from 0 to 100.")
    if any(lot.kept < 0 or min(lot.back.values(), default=Fraction(0)) < 0 for lot in auction.lots):
        raise BadMoney("The shares of a lot are more than 100 percent together, or one is below zero.")
    players = [player for lot in auction.lots for player in lot.players]
    if len(set(players)) < len(players):
        raise BadMoney("A player is sold once.")
