"""Handlers of the money package for signals and hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.dispatch import receiver
from django.utils.translation import pgettext_lazy

from money import demo, verifiers
from money.auction import auction_table, auctions
from money.ledger import sheets, shown
from money.pages import event_views as views
from money.pages import own_export as own
from money.pages import paid_column
from money.terms import terms
from players import hooks as player_hooks
from runtime import hooks as runtime_hooks
from runtime.hooks import SlotPart
from tournaments import hooks as event_hooks
from tournaments.hooks import demo_announced, event_repeated

if TYPE_CHECKING:
    from datetime import datetime

    from players.models import User
    from tournaments.models import Tournament


@receiver(event_repeated, dispatch_uid="money.same_terms")
def same_terms(*, event: Tournament, like: Tournament, now: datetime, **_signal: object) -> None:
    """Copy the terms of the event that is repeated."""
    terms.repeat(event=event, like=like, now=now)
    auctions.repeat(event=event, like=like, now=now)


@receiver(demo_announced, dispatch_uid="money.money_of_the_demo")
def money_of_the_demo(*, event: Tournament, by: User, now: datetime, **_signal: object) -> None:
    demo.play_for_money(event, by=by, now=now)


event_hooks.EVENT_DRAW.add("money", SlotPart("money/_unpaid.html", views.unpaid))
event_hooks.EVENT_ACT.add("money", SlotPart("money/_handed_out.html", views.handed_out))
event_hooks.HELPING_ENTRANT.add("money", SlotPart("money/_helped.html", views.ticked))
event_hooks.HELPING_EVENT.add("money", SlotPart("money/_to_pay.html", views.to_pay))
event_hooks.ROSTER_ENTRANT.add("money", SlotPart("money/_ticked.html", views.ticked))
event_hooks.ROSTER_COLUMNS.add(
    "paid",
    event_hooks.ExtraColumn(
        title=pgettext_lazy("column of a file", "Paid"),
        # Titles of this column in clubs' files, in English and German.
        heads=frozenset({"paid", "fee", "fee paid", "bezahlt", "startgeld", "gezahlt"}),
        is_there=paid_column.is_there,
        ticked=paid_column.list_paid,
        tick=paid_column.record_paid,
    ),
)
event_hooks.TABS.add(
    "prizes",
    event_hooks.ExtraTab(
        address="money:prizes", title=shown.prizes_title, is_there=shown.has_money, related="money"
    ),
)
event_hooks.PAPERS.add(
    "money 1 entries",
    event_hooks.ExtraPaper(
        address="money:paid_sheet",
        title=sheets.title,
        about=sheets.about,
        is_there=sheets.is_there,
    ),
)
event_hooks.PAPERS.add(
    "money 2 payouts",
    event_hooks.ExtraPaper(
        address="money:payouts",
        title=sheets.payouts_title,
        about=sheets.payouts_about,
        is_there=sheets.is_there,
    ),
)
event_hooks.PAPERS.add(
    "money 3 auction",
    event_hooks.ExtraPaper(
        address="money:auction_sheet",
        title=auction_table.title,
        about=auction_table.about,
        is_there=auction_table.is_there,
    ),
)
player_hooks.EXPORTS.add("money", own.export_lines)
player_hooks.EXPORTS.add("auctions", own.export_auction_lines)
runtime_hooks.VERIFIERS.add("money", verifiers.ledgers)
runtime_hooks.VERIFIERS.add("auctions", verifiers.auctions)
