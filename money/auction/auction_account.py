"""An auction's ledger added up: what was sold to whom, who has paid, what the lots won, and what was paid out."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final

from money.ledger import accounts
from money.models import AuctionKind, AuctionLine, AuctionLot, AuctionParty, EventAuction
from money.settling.auction import Auction, SoldLot, settle_auction
from money.settling.values import Prize
from tournaments.base import lines
from tournaments.models import Entry
from tournaments.status import Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from money.models import EventMoney
    from money.settling.auction import AuctionSettlement
    from tournaments.models import Tournament

HUNDREDTHS: Final = 100


@dataclass(frozen=True, slots=True)
class Sale:
    """A lot that is sold: to whom, for how much, and who bought what share back."""

    buyer: int
    price: int
    # In hundredths of a percent, by party.
    back: Mapping[int, int]

    @property
    def owners(self) -> tuple[int, ...]:
        """Who has a share in it, the buyer first."""
        return (self.buyer, *(party for party in sorted(self.back) if party != self.buyer))


@dataclass(frozen=True)
class AuctionAccount:
    """The auction of an event, read once."""

    auction: EventAuction
    lots: Sequence[AuctionLot]
    # By lot, the numbers of its players' entries.
    fields: Mapping[int, tuple[int, ...]]
    parties: Mapping[int, AuctionParty]
    lines: Sequence[AuctionLine]
    entries: Sequence[Entry]

    @property
    def money(self) -> EventMoney:
        """The currency that it is counted in."""
        return self.auction.money

    @property
    def is_settled(self) -> bool:
        """Say whether the order stands by which the lots win."""
        return self.money.event.status == Status.FINISHED

    @cached_property
    def totals(self) -> Mapping[tuple[AuctionKind, int, int], int]:
        """What stands of each kind, lot and party, counter-entries taken off; of shares hundredths of a percent."""
        found: defaultdict[tuple[AuctionKind, int, int], int] = defaultdict(int)
        for line in self.lines:
            units = line.amount or int(line.percent * HUNDREDTHS)
            found[AuctionKind(line.kind), line.lot, line.party] += units
        return found

    @cached_property
    def sales(self) -> Mapping[int, Sale]:
        """What is sold, by the number of the lot."""
        sold = {
            lot: (party, amount)
            for (kind, lot, party), amount in self.totals.items()
            if kind is AuctionKind.SALE and amount
        }
        back: defaultdict[int, dict[int, int]] = defaultdict(dict)
        for (kind, lot, party), share in self.totals.items():
            if kind is AuctionKind.BACK and share:
                back[lot][party] = share
        return {lot: Sale(party, price, back[lot]) for lot, (party, price) in sorted(sold.items())}

    @cached_property
    def settlement(self) -> AuctionSettlement:
        """What the auction comes to; before the end nobody has won. Every sold lot counts, paid or not (A5)."""
        return settle_auction(
            Auction(
                lots=tuple(self._sold(lot, sale) for lot, sale in self.sales.items()),
                rake_percent=Fraction(self.auction.rake_percent),
                prizes=Prize.by_place(*self.auction.prizes),
                finish=accounts.finish_of(self.entries) if self.is_settled else (),
            )
        )

    @cached_property
    def costs(self) -> Mapping[tuple[int, int], int]:
        """What each owner bears of the price of each lot, by lot and party."""
        return self._by_owner(self.settlement.costs)

    @cached_property
    def gains(self) -> Mapping[tuple[int, int], int]:
        """What each owner gets of what each lot won, by lot and party."""
        return self._by_owner(self.settlement.gains)

    @cached_property
    def won(self) -> Mapping[int, int]:
        """What each lot won."""
        return dict(zip(self.sales, self.settlement.won, strict=True))

    def share(self, lot: int, party: int) -> int:
        """Return what of a lot is somebody's, in hundredths of a percent."""
        sale = self.sales[lot]
        if party == sale.buyer:
            return 100 * HUNDREDTHS - sum(sale.back.values())
        return sale.back.get(party, 0)

    def paid(self, lot: int, party: int) -> int:
        """Return what somebody has paid for a lot."""
        return self.totals.get((AuctionKind.PAID, lot, party), 0)

    def to_pay(self, lot: int, party: int) -> int:
        """Return what somebody still owes for a lot."""
        return self.costs.get((lot, party), 0) - self.paid(lot, party)

    def owes(self, party: int) -> int:
        """Return what somebody still owes in all."""
        return sum(self.to_pay(lot, party) for lot in self.sales)

    def due(self, party: int) -> int:
        """Return what somebody is to get in all."""
        return sum(amount for (_lot, who), amount in self.gains.items() if who == party)

    def had(self, party: int) -> int:
        """Return what somebody was handed."""
        return self.totals.get((AuctionKind.PAYOUT, 0, party), 0)

    def total(self, kind: AuctionKind) -> int:
        """Return what stands of a kind."""
        return sum(amount for (each, _, _), amount in self.totals.items() if each is kind)

    @property
    def in_hand(self) -> int:
        """What has to be in the auction's box now."""
        return self.total(AuctionKind.PAID) - self.total(AuctionKind.PAYOUT)

    @cached_property
    def names(self) -> Mapping[int, str]:
        """The names of the entrants."""
        return {entry.number: lines.shown_name(entry.player) for entry in self.entries}

    def party_name(self, number: int) -> str:
        """Return what a buyer is called."""
        party = self.parties[number]
        return party.name if party.entrant is None else self.names.get(party.entrant, "")

    @cached_property
    def free(self) -> tuple[int, ...]:
        """Who is in the event and in no lot."""
        taken = {number for field in self.fields.values() for number in field}
        return tuple(
            entry.number
            for entry in self.entries
            if entry.withdrawn_at is None and not entry.waits and entry.number not in taken
        )

    def _sold(self, lot: int, sale: Sale) -> SoldLot:
        ids = accounts.ids_of(self.entries)
        return SoldLot(
            players=tuple(ids.get(number, accounts.id_of_gone(number)) for number in self.fields[lot]),
            price=sale.price,
            buyer=self._id(sale.buyer),
            back={self._id(party): Fraction(share, HUNDREDTHS) for party, share in sale.back.items()},
        )

    def _id(self, party: int) -> str:
        return f"{self.party_name(party)}{accounts.APART}{party}"

    def _by_owner(self, cut: Sequence[Mapping[str, int]]) -> Mapping[tuple[int, int], int]:
        return {
            (lot, int(owner.rpartition(accounts.APART)[2])): amount
            for lot, owners in zip(self.sales, cut, strict=True)
            for owner, amount in owners.items()
        }


def find(event: Tournament) -> EventAuction | None:
    """Return an event's auction, if there is one."""
    auction = EventAuction.objects.select_related("money").filter(money__event=event).first()
    if auction is not None:
        auction.money.event = event
    return auction


def read(auction: EventAuction) -> AuctionAccount:
    """Read an auction."""
    fields: defaultdict[int, list[int]] = defaultdict(list)
    for lot, entrant in auction.players.order_by("entrant").values_list("lot__number", "entrant"):
        fields[lot].append(entrant)
    lots = list(auction.lots.order_by("number"))
    rows = Entry.objects.filter(tournament=auction.money.event).select_related("player").order_by("number")
    return AuctionAccount(
        auction=auction,
        lots=lots,
        fields={lot.number: tuple(fields[lot.number]) for lot in lots},
        parties={party.number: party for party in auction.parties.order_by("number")},
        lines=list(auction.lines.select_related("by__player", "corrected_by").order_by("number")),
        entries=list(rows),
    )
