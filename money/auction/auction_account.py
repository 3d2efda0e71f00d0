"""The totals of an auction's ledger: sales, payments, winnings and payouts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final

from draw.prizes import Finish
from money.ledger import accounts, finishes
from money.ledger.finishes import Order
from money.models import (
    AuctionKind,
    AuctionLine,
    AuctionLot,
    AuctionParty,
    AuctionPlayer,
    EventAuction,
    EventMoney,
)
from money.settling.auction import Auction, AuctionSettlement, SoldLot, settle_auction
from money.settling.values import Prize
from money.terms.terms import STANDING
from players.access.callers import found_or_404
from players.models import NameStyle
from tournaments.base import event_lines
from tournaments.models import Entry, Tournament
from tournaments.status import Status

HUNDREDTHS: Final = 100


@dataclass(frozen=True, slots=True)
class Sale:
    buyer: int
    price: int
    # In hundredths of a percent, by party.
    back: Mapping[int, int]

    @property
    def owners(self) -> tuple[int, ...]:
        """The parties with a share, the buyer first."""
        return (self.buyer, *(party for party in sorted(self.back) if party != self.buyer))


@dataclass(frozen=True)
class AuctionAccount:
    """The auction of an event with all its rows, read once."""

    auction: EventAuction
    lots: Sequence[AuctionLot]
    # By lot, the entry numbers of its players.
    fields: Mapping[int, tuple[int, ...]]
    parties: Mapping[int, AuctionParty]
    lines: Sequence[AuctionLine]
    entries: Sequence[Entry]
    # The order of the main draw alone, if it differs from the final order.
    main: Order = ()

    @property
    def money(self) -> EventMoney:
        return self.auction.money

    @property
    def is_settled(self) -> bool:
        """True if the event is finished, so that winnings are known."""
        return self.money.event.status == Status.FINISHED

    @cached_property
    def totals(self) -> Mapping[tuple[AuctionKind, int, int], int]:
        """The totals by kind, lot and party, less counter-entries; for shares in hundredths of a percent."""
        found: defaultdict[tuple[AuctionKind, int, int], int] = defaultdict(int)
        for line in self.lines:
            units = line.amount or int(line.percent * HUNDREDTHS)
            found[AuctionKind(line.kind), line.lot, line.party] += units
        return found

    @cached_property
    def sales(self) -> Mapping[int, Sale]:
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
        """The settlement, without winners before the end. Every sold lot counts, paid or not (A5)."""
        return settle_auction(
            Auction(
                lots=tuple(self._build_sold_lot(lot, sale) for lot, sale in self.sales.items()),
                rake_percent=Fraction(self.auction.rake_percent),
                prizes=Prize.by_place(*self.auction.prizes),
                finish=self._build_finish() if self.is_settled else (),
            )
        )

    @cached_property
    def costs(self) -> Mapping[tuple[int, int], int]:
        """Each owner's part of the price, by lot and party."""
        return self._group_by_owner(self.settlement.costs)

    @cached_property
    def gains(self) -> Mapping[tuple[int, int], int]:
        """Each owner's part of the winnings, by lot and party."""
        return self._group_by_owner(self.settlement.gains)

    @cached_property
    def won(self) -> Mapping[int, int]:
        return dict(zip(self.sales, self.settlement.won, strict=True))

    def share(self, lot: int, party: int) -> int:
        """Return a party's share of a lot, in hundredths of a percent."""
        sale = self.sales[lot]
        if party == sale.buyer:
            return 100 * HUNDREDTHS - sum(sale.back.values())
        return sale.back.get(party, 0)

    def paid(self, lot: int, party: int) -> int:
        return self.totals.get((AuctionKind.PAID, lot, party), 0)

    def to_pay(self, lot: int, party: int) -> int:
        return self.costs.get((lot, party), 0) - self.paid(lot, party)

    def owes(self, party: int) -> int:
        return sum(self.to_pay(lot, party) for lot in self.sales)

    def due(self, party: int) -> int:
        return sum(amount for (_lot, who), amount in self.gains.items() if who == party)

    def had(self, party: int) -> int:
        """Return the amount paid out to a party."""
        return self.totals.get((AuctionKind.PAYOUT, 0, party), 0)

    def total(self, kind: AuctionKind) -> int:
        return sum(amount for (each, _, _), amount in self.totals.items() if each is kind)

    @property
    def in_hand(self) -> int:
        """The expected balance of the auction's cash box."""
        return self.total(AuctionKind.PAID) - self.total(AuctionKind.PAYOUT)

    @cached_property
    def names(self) -> Mapping[int, str]:
        return event_lines.name_entries(self.entries, self.money.event.club.name_style)

    @cached_property
    def whole_names(self) -> Mapping[int, str]:
        return event_lines.name_entries(self.entries, NameStyle.WHOLE)

    def party_name(self, number: int) -> str:
        party = self.parties[number]
        return party.name if party.entrant is None else self.names.get(party.entrant, "")

    @cached_property
    def free(self) -> tuple[int, ...]:
        """The entrants who are in no lot."""
        taken = {number for field in self.fields.values() for number in field}
        return tuple(
            entry.number
            for entry in self.entries
            if entry.withdrawn_at is None and not entry.waits and entry.number not in taken
        )

    def _build_finish(self) -> Finish:
        main = accounts.build_main_finish(self.entries, self.main)
        return main or accounts.build_finish(self.entries)

    def _build_sold_lot(self, lot: int, sale: Sale) -> SoldLot:
        ids = accounts.name_entrants(self.entries)
        return SoldLot(
            players=tuple(ids.get(number, accounts.name_gone_entrant(number)) for number in self.fields[lot]),
            price=sale.price,
            buyer=self._build_owner_id(sale.buyer),
            back={
                self._build_owner_id(party): Fraction(share, HUNDREDTHS) for party, share in sale.back.items()
            },
        )

    @cached_property
    def _sort_names(self) -> Mapping[int, str]:
        return {entry.number: accounts.get_sort_name(entry.player) for entry in self.entries}

    def _build_owner_id(self, number: int) -> str:
        party = self.parties[number]
        name = party.name if party.entrant is None else self._sort_names.get(party.entrant, "")
        return f"{name}{accounts.APART}{number}"

    def _group_by_owner(self, cut: Sequence[Mapping[str, int]]) -> Mapping[tuple[int, int], int]:
        return {
            (lot, int(owner.rpartition(accounts.APART)[2])): amount
            for lot, owners in zip(self.sales, cut, strict=True)
            for owner, amount in owners.items()
        }


def find_auction(event: Tournament) -> EventAuction | None:
    auction = EventAuction.objects.select_related("money").filter(money__event=event).first()
    if auction is not None:
        auction.money.event = event
    return auction


def get_auction(event: Tournament) -> EventAuction:
    """Return the event's auction, or raise Http404."""
    return found_or_404(find_auction(event))


def list_entrants(event: Tournament) -> set[int]:
    """Return the numbers of the entrants who are in a lot, or are buyers in lines that are not cancelled."""
    lines = AuctionLine.objects.filter(auction__money__event=event, **STANDING)
    buyers = AuctionParty.objects.filter(auction__money__event=event, number__in=lines.values("party"))
    in_lots = AuctionPlayer.objects.filter(auction__money__event=event)
    found = (*in_lots.values_list("entrant", flat=True), *buyers.values_list("entrant", flat=True))
    return {who for who in found if who is not None}


def load_account(auction: EventAuction) -> AuctionAccount:
    fields: defaultdict[int, list[int]] = defaultdict(list)
    for lot, entrant in auction.players.order_by("entrant").values_list("lot__number", "entrant"):
        fields[lot].append(entrant)
    lots = list(auction.lots.order_by("number"))
    event = auction.money.event
    is_over = event.status == Status.FINISHED
    rows = Entry.objects.filter(tournament=event).select_related("player").order_by("number")
    return AuctionAccount(
        auction=auction,
        lots=lots,
        fields={lot.number: tuple(fields[lot.number]) for lot in lots},
        parties={party.number: party for party in auction.parties.order_by("number")},
        lines=list(auction.lines.select_related("by__player", "corrected_by").order_by("number")),
        entries=list(rows),
        main=finishes.compute_finishes(event, frozenset()).main if is_over else (),
    )
