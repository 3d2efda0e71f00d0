"""Invariants of money: sums balance, and every counter-entry matches the line it corrects."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from money.auction import auction_account as auction_accounts
from money.auction.auction_account import AuctionAccount
from money.ledger import accounts
from money.ledger.accounts import Account
from money.models import AuctionKind, AuctionLine, EventAuction, EventMoney, LineKind, MoneyLine


def verify_ledgers() -> Iterator[str]:
    for money in EventMoney.objects.select_related("event").order_by("pk"):
        for sentence in find_problems(accounts.load_account(money)):
            yield f"money of event {money.event.key}: {sentence}"


def find_problems(account: Account) -> Iterator[str]:
    yield from _find_line_problems(account.lines, ("amount",), ("kind", "entrant", "item"))
    if below := [
        key for key, amount in account.totals.items() if amount < 0 and key[0] is not LineKind.SPLIT
    ]:
        yield f"{below[0]} is below nought"
    splits: defaultdict[int, int] = defaultdict(int)
    for (kind, _, item), amount in account.totals.items():
        if kind is LineKind.SPLIT:
            splits[item] += amount
    if any(splits.values()):
        yield "a split makes or loses money"
    result = account.settlement
    taken = account.total(LineKind.FEE) + account.money.added + account.total(LineKind.STAKE)
    gone = sum(result.payouts.values()) + result.kept + result.expenses + result.carried
    if taken != gone:
        yield f"{taken} came in, and {gone} is paid, kept, spent and carried"
    if sum(account.due.values()) != sum(result.payouts.values()):
        yield "what is due is not what the prizes come to"


def _find_line_problems(
    lines: Sequence[MoneyLine | AuctionLine], opposite: Sequence[str], same: Sequence[str]
) -> Iterator[str]:
    """Yield gaps in the numbers, and counter-entries without *opposite* and *same* values."""
    if [line.number for line in lines] != list(range(1, len(lines) + 1)):
        yield "its lines are not numbered from 1 on without a gap"
    by_pk = {line.pk: line for line in lines}
    for line in lines:
        corrected = by_pk.get(line.corrects_id) if line.corrects_id else None
        if corrected is not None and (
            any(getattr(corrected, name) + getattr(line, name) for name in opposite)
            or any(getattr(corrected, name) != getattr(line, name) for name in same)
        ):
            yield f"line {line.number} does not take line {corrected.number} back"


def verify_auctions() -> Iterator[str]:
    for auction in EventAuction.objects.select_related("money__event").order_by("pk"):
        for sentence in find_auction_problems(auction_accounts.load_account(auction)):
            yield f"auction of event {auction.money.event.key}: {sentence}"


def find_auction_problems(account: AuctionAccount) -> Iterator[str]:
    yield from _find_line_problems(account.lines, ("amount", "percent"), ("kind", "lot", "party"))
    if below := [key for key, amount in account.totals.items() if amount < 0]:
        yield f"{below[0]} is below nought"
    standing = [
        lot for (kind, lot, _), amount in account.totals.items() if kind is AuctionKind.SALE and amount
    ]
    if len(set(standing)) < len(standing):
        yield "a lot is sold twice"
    result = account.settlement
    if result.pool != sum(result.payouts.values()) + result.rake + result.carried:
        yield f"{result.pool} is the pool, and something else is paid, kept and carried"
