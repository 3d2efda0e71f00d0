"""Writing lines of an auction's ledger under the event's lock; constraints reject duplicate lines."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final

from django.db import transaction
from django.db.models import Max

from money.auction import auction_account as account_of
from money.auction import auctions
from money.errors import (
    BadBuyer,
    BadPrice,
    BadShare,
    DueChanged,
    LinesThere,
    LotSold,
    NotSettled,
    NotSold,
    PaidAlready,
    PaysFirst,
    UnknownLine,
)
from money.models import MOST, AuctionKind, AuctionLine, AuctionParty, EventAuction
from money.terms import formatting
from money.terms.terms import STANDING
from players import names
from players.models import User
from tournaments.models import Entry
from tournaments.play import changes
from tournaments.status import Status

WHOLE: Final = 100


@dataclass(frozen=True, slots=True)
class Buyer:
    """A buyer: a player of the event by entry number, or any other person by name."""

    entrant: int | None = None
    name: str = ""


def sell(*, tournament_id: int, lot: int, price: int, buyer: Buyer, by: User, now: datetime) -> AuctionLine:
    """Record the sale of a lot.

    :raises NotDirector, NoMoney, NoAuction, UnknownLot: nothing is written.
    :raises BadPrice, BadBuyer: the price or buyer is invalid.
    :raises LotSold: the lot is sold already.
    :raises TooLate: the event is over.
    """
    if not 0 < price <= MOST:
        raise BadPrice
    with transaction.atomic():
        auction = auctions.lock_open_auction(tournament_id, by)
        auctions.find_lot(auction, lot)
        account = account_of.load_account(auction)
        if lot in account.sales:
            raise LotSold
        party = _get_or_create_party(auction, buyer)
        return _write_line(auction, AuctionKind.SALE, lot=lot, party=party, amount=price, by=by, now=now)


def buy_back(
    *, tournament_id: int, lot: int, entrant: int, percent: Decimal, by: User, now: datetime
) -> AuctionLine:
    """Record that a player of a lot buys back a share from the buyer, of the price and of the winnings.

    :raises NotDirector, NoMoney, NoAuction, UnknownLot, NotSold, TooLate: nothing is written.
    :raises BadShare: the player is not in the lot, or owns it, or the share is larger than what is left.
    :raises PaidAlready: the player has bought a share back.
    :raises LinesThere: the lot is paid for by the current shares.
    """
    with transaction.atomic():
        auction = auctions.lock_open_auction(tournament_id, by)
        auctions.find_lot(auction, lot)
        account = account_of.load_account(auction)
        sale = NotSold.raise_if_none(account.sales.get(lot))
        # Before the multiplication, which raises for a percent that is far too large or no number.
        if entrant not in account.fields[lot] or not percent.is_finite() or not 0 < percent <= WHOLE:
            raise BadShare
        hundredths = percent * account_of.HUNDREDTHS
        if hundredths != int(hundredths):
            raise BadShare
        party = _get_or_create_party(auction, Buyer(entrant))
        if party in sale.back:
            raise PaidAlready
        left = WHOLE * account_of.HUNDREDTHS - sum(sale.back.values())
        if party == sale.buyer or hundredths > left:
            raise BadShare
        if any(account.paid(lot, owner) for owner in sale.owners):
            raise LinesThere
        return _write_line(auction, AuctionKind.BACK, lot=lot, party=party, percent=percent, by=by, now=now)


def pay(*, tournament_id: int, lot: int, party: int, amount: int, by: User, now: datetime) -> AuctionLine:
    """Record that a party has paid for a lot: *amount*, as the page showed it.

    :raises NotDirector, NoMoney, NoAuction, UnknownLot, NotSold: nothing is written.
    :raises PaidAlready, DueChanged: the amount due has changed.
    """
    with transaction.atomic():
        auction = auctions.lock_auction(tournament_id, by)
        auctions.find_lot(auction, lot)
        account = account_of.load_account(auction)
        sale = account.sales.get(lot)
        if sale is None or party not in sale.owners:
            raise NotSold
        to_pay = account.to_pay(lot, party)
        if to_pay <= 0:
            raise PaidAlready
        if to_pay != amount:
            raise DueChanged(due=formatting.format_amount(to_pay, auction.money))
        return _write_line(auction, AuctionKind.PAID, lot=lot, party=party, amount=amount, by=by, now=now)


def pay_out(*, tournament_id: int, party: int, amount: int, by: User, now: datetime) -> AuctionLine:
    """Record the payout of an owner's winnings: *amount*, as the page showed it.

    :raises NotDirector, NoMoney, NoAuction, BadBuyer: nothing is written.
    :raises NotSettled: the event is not finished.
    :raises PaysFirst: the owner has not paid for their lots.
    :raises PaidAlready, DueChanged: the amount due has changed.
    """
    with transaction.atomic():
        auction = auctions.lock_auction(tournament_id, by)
        if auction.money.event.status != Status.FINISHED:
            raise NotSettled
        account = account_of.load_account(auction)
        if party not in account.parties:
            raise BadBuyer
        owed = account.due(party) - account.had(party)
        if owed <= 0:
            raise PaidAlready
        if owed != amount:
            raise DueChanged(due=formatting.format_amount(owed, auction.money))
        if (missing := account.owes(party)) > 0:
            raise PaysFirst(
                name=account.party_name(party), amount=formatting.format_amount(missing, auction.money)
            )
        return _write_line(auction, AuctionKind.PAYOUT, party=party, amount=amount, by=by, now=now)


def cancel_line(*, tournament_id: int, line: int, why: str, by: User, now: datetime) -> list[AuctionLine]:
    """Cancel a line by a counter-entry; a cancelled sale also cancels the shares bought back of it.

    :raises NotDirector, NoMoney, NoAuction, ReasonNeeded: nothing is written.
    :raises UnknownLine, PaidAlready: there is no such line, or it is cancelled already.
    :raises LinesThere: the lot is paid for; payments are cancelled first.
    """
    with transaction.atomic():
        auction = auctions.lock_auction(tournament_id, by)
        why = changes.require_reason(why)[:200]
        row = UnknownLine.raise_if_none(auction.lines.filter(number=line, corrects__isnull=True).first())
        if AuctionLine.objects.filter(corrects=row).exists():
            raise PaidAlready
        rows = [row]
        if row.kind in {AuctionKind.SALE, AuctionKind.BACK}:
            standing = auction.lines.filter(lot=row.lot, **STANDING)
            if standing.filter(kind=AuctionKind.PAID).exists():
                raise LinesThere
            if row.kind == AuctionKind.SALE:
                rows += standing.filter(kind=AuctionKind.BACK).order_by("number")
        return [
            _write_line(
                auction,
                AuctionKind(each.kind),
                lot=each.lot,
                party=each.party,
                amount=-each.amount,
                percent=-each.percent,
                note=why,
                corrects=each,
                by=by,
                now=now,
            )
            for each in rows
        ]


def _get_or_create_party(auction: EventAuction, buyer: Buyer) -> int:
    """Return the buyer's number, assigned with their first lot. Names are compared after folding."""
    parties = list(auction.parties.order_by("number"))
    if buyer.entrant is not None:
        if not Entry.objects.filter(tournament=auction.money.event, number=buyer.entrant).exists():
            raise BadBuyer
        found = next((party for party in parties if party.entrant == buyer.entrant), None)
        name = ""
    else:
        if not buyer.name.strip():
            raise BadBuyer
        name = names.clean_name(buyer.name, limit=80)
        found = next((party for party in parties if names.fold(party.name) == names.fold(name)), None)
    if found is not None:
        return found.number
    number = max((party.number for party in parties), default=0) + 1
    AuctionParty.objects.create(auction=auction, number=number, entrant=buyer.entrant, name=name)
    return number


def _write_line(
    auction: EventAuction,
    kind: AuctionKind,
    *,
    party: int,
    by: User,
    now: datetime,
    lot: int = 0,
    amount: int = 0,
    percent: Decimal = Decimal(0),
    note: str = "",
    corrects: AuctionLine | None = None,
) -> AuctionLine:
    before = auction.lines.filter(kind=kind, lot=lot)
    if kind is not AuctionKind.SALE:
        before = before.filter(party=party)
    last = auction.lines.aggregate(last=Max("number"))["last"] or 0
    return AuctionLine.objects.create(
        auction=auction,
        number=last + 1,
        kind=kind,
        lot=lot,
        party=party,
        turn=before.count(),
        amount=amount,
        percent=percent,
        note=note,
        corrects=corrects,
        by=by,
        at=now,
    )
