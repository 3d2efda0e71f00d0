"""Auctions for pages: small frozen views with formatted amounts. Also their sheet as CSV."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from draw.files import tables
from money.auction import auction_account
from money.auction.auction_account import AuctionAccount
from money.ledger.account_pages import LineRow
from money.models import AuctionKind
from money.settling.settlement_output import format_plain_amount, format_plain_percent
from money.settling.values import MAIN
from money.terms import formatting, terms
from money.terms.terms import PrizeRow
from players import names
from tournaments.base import event_lines
from tournaments.models import Tournament
from tournaments.status import Status

SHEET_TITLE: Final = gettext_lazy("Auction sheet")
SHEET_HEADS: Final = ("lot", "name", "players", "price", "owner", "percent", "cost", "paid", "won")
# Two players of the same name are distinguished as "Ann (3)".
NUMBERED: Final = re.compile(r"(.+) \((\d{1,5})\)", re.ASCII)


@dataclass(frozen=True, slots=True)
class OwnerRow:
    party: int
    name: str
    # "" for the buyer of a lot without shares bought back.
    percent: str
    cost: str
    to_pay: str
    to_pay_units: int

    @property
    def has_paid(self) -> bool:
        return self.to_pay_units <= 0


@dataclass(frozen=True, slots=True)
class LotRow:
    number: int
    name: str
    # Number and name of each player.
    players: tuple[tuple[int, str], ...]
    price: str
    buyer: str
    owners: tuple[OwnerRow, ...]
    won: str
    # Number and name of the players who can buy back a share.
    may_buy_back: tuple[tuple[int, str], ...]

    @property
    def title(self) -> str:
        return self.name or self.player_names

    @property
    def player_names(self) -> str:
        return ", ".join(name for _number, name in self.players)

    @property
    def is_sold(self) -> bool:
        return bool(self.owners)


@dataclass(frozen=True, slots=True)
class PartyRow:
    number: int
    name: str
    lots: str
    lot_count: int
    cost: str
    paid: str
    owes: str
    owes_units: int
    due: str
    due_units: int
    had: str
    had_units: int
    owed: str

    @property
    def owed_units(self) -> int:
        """The amount still to be paid out; negative if too much was paid out."""
        return self.due_units - self.had_units

    @property
    def has_changed(self) -> bool:
        return self.had_units > 0 and self.owed_units != 0


@dataclass(frozen=True, slots=True)
class AuctionPage:
    is_public: bool
    is_over: bool
    may_sell: bool
    may_change: bool
    rake: str
    prizes: tuple[PrizeRow, ...]
    lots: tuple[LotRow, ...]
    parties: tuple[PartyRow, ...]
    lines: tuple[LineRow, ...]
    sold: int
    pool: str
    gone: tuple[tuple[str, str], ...]
    open: str
    in_hand: str
    # Number and name of the players in no lot.
    free: tuple[tuple[int, str], ...]
    # The names suggested for buyers: players, then others who have bought.
    buyers: tuple[str, ...]

    @property
    def changed(self) -> tuple[PartyRow, ...]:
        return tuple(row for row in self.parties if row.has_changed) if self.is_over else ()


def load_page(event: Tournament, *, is_for_all: bool = False) -> AuctionPage | None:
    """Return the page of an event's auction; None without one, and for all if it is not public."""
    auction = auction_account.find_auction(event)
    if auction is None or (is_for_all and not auction.is_public):
        return None
    return build_page(auction_account.load_account(auction))


def build_page(account: AuctionAccount) -> AuctionPage:
    money, result = account.money, account.settlement
    still = sum(max(0, account.owes(party)) for party in account.parties)
    return AuctionPage(
        is_public=account.auction.is_public,
        is_over=account.is_settled,
        may_sell=Status(money.event.status) not in {Status.FINISHED, Status.CANCELLED},
        may_change=not account.lines,
        rake=formatting.format_percent(account.auction.rake_percent) if account.auction.rake_percent else "",
        prizes=terms.list_prize_rows(money, {MAIN: account.auction.prizes}, result.prize_money),
        lots=tuple(_list_lots(account)),
        parties=tuple(_list_parties(account)),
        lines=tuple(_list_lines(account)),
        sold=len(account.sales),
        pool=formatting.format_amount(result.pool, money),
        gone=tuple(
            (label, formatting.format_amount(units, money)) for label, units in _list_spending(account)
        ),
        open=formatting.format_amount(still, money) if still else "",
        in_hand=formatting.format_amount(account.in_hand, money),
        free=tuple((number, account.names[number]) for number in account.free),
        buyers=tuple(_list_buyers(account)),
    )


def find_entrant(account: AuctionAccount, text: str) -> int | None:
    """Return the number of the entrant with this name, whole or as the page shows it.

    If two have the same name, *text* needs the number in brackets; otherwise the result is None.
    """
    text = text.strip()
    if (found := NUMBERED.fullmatch(text)) and _is_called(account, int(found[2]), found[1]):
        return int(found[2])
    same = [number for number in account.names if _is_called(account, number, text)]
    return same[0] if len(same) == 1 else None


def _is_called(account: AuctionAccount, number: int, text: str) -> bool:
    called = (account.names.get(number, ""), account.whole_names.get(number, ""))
    return names.fold(text) in map(names.fold, called)


def _list_lots(account: AuctionAccount) -> Iterator[LotRow]:
    money = account.money
    for lot in account.lots:
        sale = account.sales.get(lot.number)
        players = tuple((number, account.names.get(number, "")) for number in account.fields[lot.number])
        owned = {account.parties[party].entrant for party in sale.owners} if sale else set()
        # Shares cannot change once the lot is paid for.
        is_settled = sale is None or any(account.paid(lot.number, party) for party in sale.owners)
        yield LotRow(
            number=lot.number,
            name=lot.name,
            players=players,
            price=formatting.format_amount(sale.price, money) if sale else "",
            buyer=account.party_name(sale.buyer) if sale else "",
            owners=tuple(_list_owners(account, lot.number)),
            won=formatting.format_amount(account.won[lot.number], money)
            if sale and account.won[lot.number]
            else "",
            may_buy_back=() if is_settled else tuple(each for each in players if each[0] not in owned),
        )


def _list_owners(account: AuctionAccount, lot: int) -> Iterator[OwnerRow]:
    sale = account.sales.get(lot)
    if sale is None:
        return
    for party in sale.owners:
        to_pay = account.to_pay(lot, party)
        yield OwnerRow(
            party=party,
            name=account.party_name(party),
            percent=formatting.format_percent(f"{account.share(lot, party)}/{auction_account.HUNDREDTHS}")
            if sale.back
            else "",
            cost=formatting.format_amount(account.costs[lot, party], account.money),
            to_pay=formatting.format_amount(to_pay, account.money),
            to_pay_units=to_pay,
        )


def _list_parties(account: AuctionAccount) -> Iterator[PartyRow]:
    money = account.money
    for number in sorted(account.parties, key=lambda one: (names.fold(account.party_name(one)), one)):
        lots = [lot for lot, sale in account.sales.items() if number in sale.owners]
        owes, due, had = account.owes(number), account.due(number), account.had(number)
        paid = sum(account.paid(lot, number) for lot in account.sales)
        if not lots and not had:
            # All sales to this party were cancelled.
            continue
        yield PartyRow(
            number=number,
            name=account.party_name(number),
            lots=", ".join(map(str, lots)),
            lot_count=len(lots),
            cost=formatting.format_amount(owes + paid, money),
            paid=formatting.format_amount(paid, money),
            owes=formatting.format_amount(owes, money),
            owes_units=owes,
            due=formatting.format_amount(due, money),
            due_units=due,
            had=formatting.format_amount(had, money),
            had_units=had,
            owed=formatting.format_amount(abs(due - had), money),
        )


def _list_lines(account: AuctionAccount) -> Iterator[LineRow]:
    by_pk = {line.pk: line.number for line in account.lines}
    for line in reversed(account.lines):
        what = str(line.get_kind_display())
        if line.lot:
            what = _("%(what)s: lot %(lot)s") % {"what": what, "lot": line.lot}
        amount = formatting.format_amount(line.amount, account.money)
        if line.kind == AuctionKind.BACK:
            amount = f"{formatting.MINUS if line.percent < 0 else ''}{formatting.format_percent(abs(line.percent))}"
        yield LineRow(
            number=line.number,
            entrant=None,
            at=line.at,
            what=what,
            who=account.party_name(line.party),
            amount=amount,
            note=line.note,
            by=event_lines.format_author(None, line.by),
            takes_back=by_pk.get(line.corrects_id) if line.corrects_id is not None else None,
            is_taken_back=hasattr(line, "corrected_by"),
        )


def _list_spending(account: AuctionAccount) -> Iterator[tuple[str, int]]:
    result = account.settlement
    if account.is_settled:
        yield pgettext("money", "Payouts"), sum(result.payouts.values())
    else:
        yield _("Prize money"), result.prize_money
    if result.rake:
        yield _("Rake"), result.rake
    if account.is_settled and result.carried:
        yield _("Carried to a later event"), result.carried


def _list_buyers(account: AuctionAccount) -> Iterator[str]:
    buyers = list(account.names.values())
    for number, name in account.names.items():
        yield f"{name} ({number})" if buyers.count(name) > 1 else name
    for party in account.parties.values():
        if party.entrant is None:
            yield party.name


def has_auction(event: Tournament) -> bool:
    return auction_account.find_auction(event) is not None


def write_csv(account: AuctionAccount) -> str:
    """Write the lots as CSV, one row for each owner; an unsold lot is one row."""
    return tables.write_csv([SHEET_HEADS, *_build_sheet_rows(account)])


def _build_sheet_rows(account: AuctionAccount) -> list[tuple[str, ...]]:
    decimals = account.money.decimals
    found: list[tuple[str, ...]] = []
    for lot in account.lots:
        players = "; ".join(account.names.get(number, "") for number in account.fields[lot.number])
        head = (str(lot.number), lot.name, players)
        sale = account.sales.get(lot.number)
        if sale is None:
            found.append((*head, "", "", "", "", "", ""))
            continue
        for party in sale.owners:
            share = account.share(lot.number, party)
            amounts = (
                account.costs[lot.number, party],
                account.paid(lot.number, party),
                account.gains[lot.number, party],
            )
            found.append(
                (
                    *head,
                    format_plain_amount(sale.price, decimals),
                    account.party_name(party),
                    format_plain_percent(Fraction(share, auction_account.HUNDREDTHS)),
                    *(format_plain_amount(amount, decimals) for amount in amounts),
                )
            )
    return found
