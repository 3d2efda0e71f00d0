"""Auctions for printing and for spreadsheets."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy

from draw.files import tables
from money.auction import auction_account
from money.settling.settlement_output import format_plain_amount, format_plain_percent

if TYPE_CHECKING:
    from money.auction.auction_account import AuctionAccount
    from tournaments.models import Tournament

TITLE: Final = gettext_lazy("Auction sheet")
HEADS: Final = ("lot", "name", "players", "price", "owner", "percent", "cost", "paid", "won")


def has_auction(event: Tournament) -> bool:
    return auction_account.find_auction(event) is not None


def write_csv(account: AuctionAccount) -> str:
    """Write the lots as CSV, one row for each owner; an unsold lot is one row."""
    return tables.write_csv([HEADS, *_build_rows(account)])


def _build_rows(account: AuctionAccount) -> list[tuple[str, ...]]:
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
