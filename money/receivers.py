"""Handlers of the money package for signals and hooks, and money in a person's data export."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Final

from django.dispatch import receiver
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from money import event_views as views
from money import verifiers
from money.auction import auction_account, auction_pages, auctions
from money.ledger import account_pages, accounts, ledger, printed_sheets
from money.models import AuctionLine, AuctionParty, MoneyLine
from money.terms import terms
from players import hooks as player_hooks
from players.models import Player, User
from runtime import hooks as runtime_hooks
from runtime.hooks import SlotPart
from tournaments import hooks as event_hooks
from tournaments.hooks import demo_announced, event_repeated
from tournaments.models import Entry, Tournament

# The terms of the demo events.
TERMS: Final = terms.MoneyTerms(
    currency="EUR",
    fee=1000,
    registration=200,
    rake_percent=Decimal(10),
    prizes={"main": ["50", "25", "10"], "consolation": ["15"]},
)
POOL_STAKE: Final = 500
# Seven of eight entrants have paid; of these, about every other one is in the side pool.
PAID_OF_EIGHT: Final = 7
POOL_EVERY: Final = 2


def export_lines(player: Player) -> list[dict[str, object]]:
    numbers = dict(Entry.objects.filter(player=player).values_list("tournament", "number"))
    rows = MoneyLine.objects.filter(money__event__in=numbers).select_related("money__event")
    return [
        {
            "event": row.money.event.name,
            "line": row.number,
            "kind": row.kind,
            "units": row.amount,
            "currency": row.money.currency,
            "decimals": row.money.decimals,
            "note": row.note,
            "at": row.at.isoformat(),
        }
        for row in rows.order_by("money", "number")
        if row.entrant == numbers[row.money.event_id]
    ]


def export_auction_lines(player: Player) -> list[dict[str, object]]:
    numbers = dict(Entry.objects.filter(player=player).values_list("tournament", "number"))
    parties = AuctionParty.objects.filter(auction__money__event__in=numbers, entrant__isnull=False)
    own = {
        (party.auction_id, party.number)
        for party in parties.select_related("auction__money")
        if party.entrant == numbers[party.auction.money.event_id]
    }
    rows = AuctionLine.objects.filter(auction__in={auction for auction, _party in own})
    return [
        {
            "event": row.auction.money.event.name,
            "line": row.number,
            "kind": row.kind,
            "lot": row.lot,
            "units": row.amount,
            "percent": f"{row.percent:.2f}",
            "currency": row.auction.money.currency,
            "decimals": row.auction.money.decimals,
            "note": row.note,
            "at": row.at.isoformat(),
        }
        for row in rows.select_related("auction__money__event").order_by("auction", "number")
        if (row.auction_id, row.party) in own
    ]


@receiver(event_repeated, dispatch_uid="money.same_terms")
def copy_terms(*, event: Tournament, like: Tournament, now: datetime, **_signal: object) -> None:
    terms.copy_terms(event=event, like=like, now=now)
    auctions.copy_terms(event=event, like=like, now=now)


@receiver(demo_announced, dispatch_uid="money.money_of_the_demo")
def set_up_demo_money(*, event: Tournament, by: User, now: datetime, **_signal: object) -> None:
    terms.set_terms(tournament_id=event.pk, terms=TERMS, by=by, now=now)
    pool = terms.open_pool(
        tournament_id=event.pk, terms=terms.PoolTerms(gettext("Side pool"), POOL_STAKE), by=by, now=now
    )
    for place, entry in enumerate(Entry.objects.filter(tournament=event).order_by("number")):
        if place % 8 >= PAID_OF_EIGHT:
            continue
        ledger.pay(tournament_id=event.pk, entrant=entry.number, by=by, now=now)
        if place % POOL_EVERY == 0:
            ledger.stake(tournament_id=event.pk, entrant=entry.number, pool=pool.number, by=by, now=now)


event_hooks.EVENT_DRAW.add("money", SlotPart("money/_unpaid.html", views.find_unpaid))
event_hooks.EVENT_ACT.add("money", SlotPart("money/_handed_out.html", views.find_payouts))
event_hooks.HELPING_ENTRANT.add("money", SlotPart("money/_helped.html", views.find_payment_state))
event_hooks.HELPING_EVENT.add("money", SlotPart("money/_to_pay.html", views.find_helper_payments))
event_hooks.ROSTER_ENTRANT.add("money", SlotPart("money/_ticked.html", views.find_payment_state))
event_hooks.ROSTER_COLUMNS.add(
    "paid",
    event_hooks.ExtraColumn(
        title=pgettext_lazy("column of a file", "Paid"),
        # Titles of this column in clubs' files, in English and German.
        heads=frozenset({"paid", "fee", "fee paid", "bezahlt", "startgeld", "gezahlt"}),
        is_there=views.has_fees,
        ticked=views.list_paid,
        tick=views.record_paid,
        untick=views.cancel_paid,
    ),
)
event_hooks.ENTRIES_IN_USE.add("money", accounts.list_entrants)
event_hooks.ENTRIES_IN_USE.add("auctions", auction_account.list_entrants)
event_hooks.TABS.add(
    "prizes",
    event_hooks.ExtraTab(
        address="money:prizes", title=_("Prizes"), is_there=account_pages.has_money, related="money"
    ),
)
event_hooks.PAPERS.add(
    "money 1 entries",
    event_hooks.ExtraPaper(
        address="money:paid_sheet",
        title=printed_sheets.TITLE,
        about=_("Who has paid what, who gets what, with totals."),
        is_there=account_pages.has_money,
    ),
)
event_hooks.PAPERS.add(
    "money 2 payouts",
    event_hooks.ExtraPaper(
        address="money:payouts",
        title=_("Payout sheet"),
        about=_("Everyone who wins a prize signs for it."),
        is_there=account_pages.has_money,
    ),
)
event_hooks.PAPERS.add(
    "money 3 auction",
    event_hooks.ExtraPaper(
        address="money:auction_sheet",
        title=auction_pages.SHEET_TITLE,
        about=_("Lots with players, price and buyer; who pays and gets what, to be signed."),
        is_there=auction_pages.has_auction,
    ),
)
player_hooks.EXPORTS.add("money", export_lines)
player_hooks.EXPORTS.add("auctions", export_auction_lines)
runtime_hooks.VERIFIERS.add("money", verifiers.verify_ledgers)
runtime_hooks.VERIFIERS.add("auctions", verifiers.verify_auctions)
