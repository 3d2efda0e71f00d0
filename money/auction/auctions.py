"""The terms of an auction, and its lots: agreed before the first lot is sold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final

from django.db import transaction
from django.db.models import Max

from money.errors import BadLot, BadTerms, LinesThere, LotSold, NoAuction, TooLate, UnknownLot
from money.models import AuctionKind, AuctionLot, AuctionPlayer, EventAuction, EventMoney
from money.terms.terms import STANDING, lock_money, require_percents
from players import names
from players.models import User
from tournaments.models import Entry, Tournament
from tournaments.status import Status

OVER: Final = frozenset({Status.FINISHED, Status.CANCELLED})
OF_AUCTIONS: Final = ("rake_percent", "prizes", "is_public")


@dataclass(frozen=True, slots=True)
class AuctionTerms:
    prizes: Sequence[str]
    rake_percent: Decimal = Decimal(0)
    is_public: bool = False


def lock_auction(tournament_id: int, by: User) -> EventAuction:
    """Lock an event and return its auction, for a director.

    :raises NotDirector, NoMoney, NoAuction: there is none, or `by` is not a director of the club.
    """
    money = lock_money(tournament_id, by)
    auction = NoAuction.raise_if_none(EventAuction.objects.filter(money=money).first())
    auction.money = money
    return auction


def lock_open_auction(tournament_id: int, by: User) -> EventAuction:
    """Lock an event and return its auction, as `lock_auction`.

    :raises TooLate: the event is over.
    """
    auction = lock_auction(tournament_id, by)
    _require_open(auction.money.event)
    return auction


def set_terms(*, tournament_id: int, terms: AuctionTerms, by: User, now: datetime) -> EventAuction:
    """Create an auction with these terms, or change them; `is_public` may change at any time.

    :raises NotDirector, NoMoney: nothing changes.
    :raises LinesThere: a lot was sold by other terms.
    :raises BadTerms: the terms cannot be settled.
    :raises TooLate: the auction is new and the event is over.
    """
    if not terms.prizes:
        raise BadTerms(why="an auction has a prize for the first place at least")
    require_percents({"main": terms.prizes}, terms.rake_percent)
    with transaction.atomic():
        money = lock_money(tournament_id, by)
        auction = EventAuction.objects.filter(money=money).first()
        if auction is None:
            _require_open(money.event)
            auction = EventAuction(money=money, opened_by=by, opened_at=now)
        elif auction.lines.exists() and (
            list(terms.prizes) != auction.prizes or terms.rake_percent != auction.rake_percent
        ):
            raise LinesThere
        auction.prizes = list(terms.prizes)
        auction.rake_percent = terms.rake_percent
        auction.is_public = terms.is_public
        auction.save()
    return auction


def copy_terms(*, event: Tournament, like: Tournament, now: datetime) -> None:
    """Copy the auction's terms to a new event. The caller holds a transaction."""
    there = EventAuction.objects.filter(money__event=like).first()
    money = EventMoney.objects.filter(event=event).first()
    if there is not None and money is not None:
        same = {name: getattr(there, name) for name in OF_AUCTIONS}
        EventAuction.objects.create(money=money, opened_at=now, **same)


def delete_auction(*, tournament_id: int, by: User, now: datetime) -> None:
    """Delete the auction.

    :raises NotDirector, NoMoney, NoAuction: nothing changes.
    :raises LinesThere: a lot was sold.
    """
    with transaction.atomic():
        auction = lock_auction(tournament_id, by)
        if auction.lines.exists():
            raise LinesThere
        auction.delete()


def add_lot(
    *, tournament_id: int, players: Sequence[int], by: User, now: datetime, name: str = ""
) -> AuctionLot:
    """Put up a lot: one player, or several as a field.

    :raises NotDirector, NoMoney, NoAuction, TooLate: nothing changes.
    :raises BadLot: a player is not in the event, or in another lot.
    """
    name = names.clean_optional(name, limit=60)
    with transaction.atomic():
        auction = lock_open_auction(tournament_id, by)
        if not players or set(players) - set(_list_free_players(auction)):
            raise BadLot
        return _create_lot(auction, sorted(set(players)), name)


def add_lot_for_each(*, tournament_id: int, by: User, now: datetime) -> list[AuctionLot]:
    """Put up a lot for each player who is in none.

    :raises NotDirector, NoMoney, NoAuction, TooLate: nothing changes.
    :raises BadLot: there are no such players.
    """
    with transaction.atomic():
        auction = lock_open_auction(tournament_id, by)
        free = _list_free_players(auction)
        if not free:
            raise BadLot
        return [_create_lot(auction, [entrant], "") for entrant in free]


def remove_lot(*, tournament_id: int, lot: int, by: User, now: datetime) -> None:
    """Remove a lot that was never sold.

    :raises NotDirector, NoMoney, NoAuction, UnknownLot: nothing changes.
    :raises LotSold: it is sold.
    :raises LinesThere: it has lines of a cancelled sale.
    """
    with transaction.atomic():
        auction = lock_auction(tournament_id, by)
        row = find_lot(auction, lot)
        sales = auction.lines.filter(lot=lot, kind=AuctionKind.SALE)
        if sales.filter(**STANDING).exists():
            raise LotSold
        if sales.exists():
            raise LinesThere
        row.delete()


def find_lot(auction: EventAuction, number: int) -> AuctionLot:
    """Find a lot.

    :raises UnknownLot: there is none of this number.
    """
    return UnknownLot.raise_if_none(auction.lots.filter(number=number).first())


def _create_lot(auction: EventAuction, players: Sequence[int], name: str) -> AuctionLot:
    last = auction.lots.aggregate(last=Max("number"))["last"] or 0
    lot = AuctionLot.objects.create(auction=auction, number=last + 1, name=name)
    AuctionPlayer.objects.bulk_create(
        AuctionPlayer(auction=auction, lot=lot, entrant=entrant) for entrant in players
    )
    return lot


def _list_free_players(auction: EventAuction) -> list[int]:
    taken = auction.players.values_list("entrant", flat=True)
    rows = Entry.objects.filter(tournament=auction.money.event, withdrawn_at__isnull=True)
    return [entry.number for entry in rows.exclude(number__in=taken).order_by("number") if not entry.waits]


def _require_open(event: Tournament) -> None:
    if Status(event.status) in OVER:
        raise TooLate
