"""An auction on paper and for spreadsheets."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from draw.files import tables
from money.auction import auction_account
from money.settling.writing import amount_in_words, percent_in_words

if TYPE_CHECKING:
    from money.auction.auction_account import AuctionAccount
    from tournaments.models import Tournament

HEADS: Final = ("lot", "name", "players", "price", "owner", "percent", "cost", "paid", "won")


def title() -> str:
    """Return what the sheet is called."""
    return _("Auction sheet")


def about() -> str:
    """Say what it is."""
    return _("Lots with players, price and buyer; who pays and gets what, to be signed.")


def is_there(event: Tournament) -> bool:
    """Say whether an event has an auction."""
    return auction_account.find(event) is not None


def written(account: AuctionAccount) -> str:
    """Return the lots as CSV, a row for each owner; a lot that nobody has bought is a row as well."""
    return tables.write_csv([HEADS, *_rows(account)])


def _rows(account: AuctionAccount) -> list[tuple[str, ...]]:
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
                    amount_in_words(sale.price, decimals),
                    account.party_name(party),
                    percent_in_words(Fraction(share, auction_account.HUNDREDTHS)),
                    *(amount_in_words(amount, decimals) for amount in amounts),
                )
            )
    return found
