"""Writing lines of an event's ledger under the event's lock; constraints reject duplicate lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from datetime import datetime
from itertools import count
from typing import Any

from django.db import transaction
from django.db.models import Max, QuerySet, Sum

from money.errors import (
    BadSplit,
    DueChanged,
    MoneyError,
    NothingToPay,
    NotSettled,
    PaidAlready,
    TooLate,
    UnknownLine,
)
from money.ledger import accounts
from money.models import MOST, EventMoney, LineKind, MoneyLine
from money.terms import formatting, terms
from players import names
from players.models import User
from tournaments.base.errors import NotDirector, UnknownEntrant
from tournaments.models import Entry
from tournaments.play import changes
from tournaments.play.changes import HelperActor
from tournaments.status import Status


def pay(
    *,
    tournament_id: int,
    entrant: int,
    by: User | HelperActor,
    now: datetime,
    again: bool = False,
    reduced: str = "",
) -> list[MoneyLine]:
    """Record an entrant's fees; *again* is a re-entry, *reduced* the reason of a reduced fee.

    A helper can record only a first entry at the full fee.

    :raises NotDirector, NotHelper, NoMoney, UnknownEntrant: nothing is written.
    :raises PaidAlready, NothingToPay: nothing is due.
    """
    with transaction.atomic():
        if isinstance(by, HelperActor) and (again or reduced):
            raise NotDirector
        money = terms.lock_money_for_fees(tournament_id, by, now=now)
        _require_entrant(money, entrant)
        due = _compute_fees(money, reduced)
        if not any(due.values()):
            raise NothingToPay
        # 1 is the first entry, 2 the first re-entry.
        items = [row["item"] for row in _list_paid_fees(money).filter(entrant=entrant)]
        if bool(items) != again:
            raise PaidAlready if items else NothingToPay
        item = _find_free_item(items)
        return [
            _write_line(money, kind, amount, entrant=entrant, item=item, note=reduced, by=by, now=now)
            for kind, amount in due.items()
            if amount
        ]


def pay_all(*, tournament_id: int, entrants: Collection[int], by: User, now: datetime) -> list[MoneyLine]:
    """Record the whole fee of each of these entrants; entrants who have paid or left by now are skipped.

    :raises NotDirector, NoMoney: nothing is written.
    :raises PaidAlready, NothingToPay: nothing is due.
    """
    with transaction.atomic():
        money = terms.lock_money_for_fees(tournament_id, by, now=now)
        there = Entry.objects.filter(tournament=money.event, withdrawn_at__isnull=True, number__in=entrants)
        paid = {row["entrant"] for row in _list_paid_fees(money)}
        unpaid = [number for number in there.values_list("number", flat=True) if number not in paid]
        if not unpaid:
            raise PaidAlready
        due = {kind: amount for kind, amount in _compute_fees(money, "").items() if amount}
        if not due:
            raise NothingToPay
        # Earlier lines, if any, were cancelled.
        item = _find_free_item([])
        before = Counter(money.lines.filter(kind__in=due, item=item).values_list("entrant", "kind"))
        numbers = count(_get_next_number(money))
        return MoneyLine.objects.bulk_create(
            MoneyLine(
                money=money,
                number=next(numbers),
                kind=kind,
                entrant=entrant,
                item=item,
                turn=before[entrant, kind],
                amount=amount,
                by=by,
                at=now,
            )
            for entrant in sorted(unpaid)
            for kind, amount in due.items()
        )


def stake(*, tournament_id: int, entrant: int, pool: int, by: User, now: datetime) -> MoneyLine:
    """Record an entrant's stake in a side pool.

    :raises NotDirector, NoMoney, UnknownEntrant, NothingToPay, PaidAlready: nothing is written.
    :raises TooLate: the event is over.
    """
    with transaction.atomic():
        money = terms.lock_money(tournament_id, by)
        _require_entrant(money, entrant)
        row = NothingToPay.raise_if_none(money.pools.filter(number=pool).first())
        if money.event.status == Status.FINISHED:
            raise TooLate
        staked = money.lines.filter(entrant=entrant, kind=LineKind.STAKE, item=pool)
        if (staked.aggregate(total=Sum("amount"))["total"] or 0) > 0:
            raise PaidAlready
        return _write_line(money, LineKind.STAKE, row.stake, entrant=entrant, item=pool, by=by, now=now)


def spend(*, tournament_id: int, amount: int, note: str, by: User, now: datetime) -> MoneyLine:
    """Record an expense.

    :raises NotDirector, NoMoney, NothingToPay: nothing is written.
    """
    with transaction.atomic():
        money = terms.lock_money(tournament_id, by)
        if not 0 < amount <= MOST:
            raise NothingToPay
        note = names.clean_line(note, limit=200)
        return _write_line(money, LineKind.EXPENSE, amount, note=note, by=by, now=now)


def pay_out(*, tournament_id: int, entrant: int, amount: int, by: User, now: datetime) -> MoneyLine:
    """Record a payout: *amount*, as the page showed it.

    :raises NotDirector, NoMoney: nothing is written.
    :raises NotSettled: the event is not finished.
    :raises PaidAlready, DueChanged: the amount due has changed.
    """
    with transaction.atomic():
        money = terms.lock_money(tournament_id, by)
        if money.event.status != Status.FINISHED:
            raise NotSettled
        account = accounts.load_account(money)
        owed = account.due.get(entrant, 0) - account.paid_out.get(entrant, 0)
        if owed <= 0:
            raise PaidAlready
        if owed != amount:
            raise DueChanged(due=formatting.format_amount(owed, money))
        return _write_line(money, LineKind.PAYOUT, amount, entrant=entrant, by=by, now=now)


def pay_out_all(*, tournament_id: int, prizes: Mapping[int, int], by: User, now: datetime) -> list[MoneyLine]:
    """Record the payouts of these entrants, all or none.

    :raises NothingToPay: *prizes* is empty.
    :raises NotDirector, NoMoney, NotSettled, PaidAlready, DueChanged: as `pay_out`.
    """
    if not prizes:
        raise NothingToPay
    with transaction.atomic():
        return [
            pay_out(tournament_id=tournament_id, entrant=entrant, amount=amount, by=by, now=now)
            for entrant, amount in prizes.items()
        ]


def split(
    *, tournament_id: int, shares: Mapping[int, int], by: User, now: datetime, note: str = ""
) -> list[MoneyLine]:
    """Record an agreed split: each player gets their share, and the total stays the same (P108).

    :raises NotDirector, NoMoney, NotSettled: nothing is written.
    :raises UnknownEntrant: one of them does not play in the event.
    :raises BadSplit: the shares do not add up to the amount due to these players.
    :raises PaidAlready: a player was paid out more than their share.
    """
    with transaction.atomic():
        money = terms.lock_money(tournament_id, by)
        if money.event.status != Status.FINISHED:
            raise NotSettled
        account = accounts.load_account(money)
        if not shares.keys() <= {*account.playing}:
            raise UnknownEntrant
        due, out = account.due, account.paid_out
        together = sum(due.get(entrant, 0) for entrant in shares)
        if min(shares.values(), default=0) < 0 or sum(shares.values()) != together or not together:
            raise BadSplit(due=formatting.format_amount(together, money))
        if any(out.get(entrant, 0) > share for entrant, share in shares.items()):
            raise PaidAlready
        note = names.clean_optional(note, limit=200)
        item = (money.lines.filter(kind=LineKind.SPLIT).aggregate(last=Max("item"))["last"] or 0) + 1
        changed = {who: share - due.get(who, 0) for who, share in sorted(shares.items())}
        agreed = {who: [account.won.get(who, 0), share] for who, share in shares.items()}
        about: dict[str, Any] = {"item": item, "note": note, "agreed": agreed, "by": by, "now": now}
        return [
            _write_line(money, LineKind.SPLIT, amount, entrant=who, **about)
            for who, amount in changed.items()
            if amount
        ]


def cancel_line(*, tournament_id: int, line: int, why: str, by: User, now: datetime) -> list[MoneyLine]:
    """Cancel a line by a counter-entry. Lines of the same split or fee are cancelled together.

    :raises NotDirector, NoMoney, ReasonNeeded: nothing is written.
    :raises UnknownLine, PaidAlready: there is no such line, or it is cancelled already.
    """
    with transaction.atomic():
        money = terms.lock_money(tournament_id, by)
        why = changes.require_reason(why)[:200]
        row = UnknownLine.raise_if_none(money.lines.filter(number=line, corrects__isnull=True).first())
        rows = _list_joint_lines(money, row)
        if row not in rows:
            raise PaidAlready
        return [
            _write_line(
                money,
                LineKind(each.kind),
                -each.amount,
                entrant=each.entrant,
                item=each.item,
                note=why,
                corrects=each,
                by=by,
                now=now,
            )
            for each in rows
        ]


def _list_joint_lines(money: EventMoney, row: MoneyLine) -> list[MoneyLine]:
    """Return the lines of the same split or fee, which are cancelled together, without those already cancelled."""
    there = money.lines.filter(**terms.STANDING).order_by("number")
    if row.kind == LineKind.SPLIT:
        there = there.filter(kind=LineKind.SPLIT, item=row.item)
    elif row.kind in accounts.FEES:
        there = there.filter(kind__in=accounts.FEES, entrant=row.entrant, item=row.item)
    else:
        there = there.filter(pk=row.pk)
    return list(there)


def _compute_fees(money: EventMoney, reduced: str) -> dict[LineKind, int]:
    """Return the fees of an entry, full or reduced for this reason.

    :raises NothingToPay: there is no such reason.
    """
    if not reduced:
        return {LineKind.FEE: money.fee, LineKind.REGISTRATION: money.registration}
    for one in money.reduced:
        if one["reason"] == reduced:
            return {LineKind.FEE: one["fee"], LineKind.REGISTRATION: one["registration"]}
    raise NothingToPay


def _require_entrant(money: EventMoney, entrant: int) -> None:
    if not Entry.objects.filter(tournament=money.event, number=entrant, withdrawn_at__isnull=True).exists():
        raise UnknownEntrant


def _list_paid_fees(money: EventMoney) -> QuerySet[MoneyLine, Any]:
    """Return the entries that are paid and not cancelled, as entrant and item."""
    rows = money.lines.filter(kind__in=accounts.FEES).order_by().values("entrant", "item")
    return rows.annotate(total=Sum("amount")).filter(total__gt=0)


def _find_free_item(items: list[int]) -> int:
    return next(number for number in range(1, len(items) + 2) if number not in items)


def _get_next_number(money: EventMoney) -> int:
    return (money.lines.aggregate(last=Max("number"))["last"] or 0) + 1


def _write_line(
    money: EventMoney,
    kind: LineKind,
    amount: int,
    *,
    by: User | HelperActor,
    now: datetime,
    entrant: int | None = None,
    item: int = 0,
    note: str = "",
    agreed: Mapping[int, list[int]] | None = None,
    corrects: MoneyLine | None = None,
) -> MoneyLine:
    if entrant is None and kind is not LineKind.EXPENSE:
        raise MoneyError
    turn = money.lines.filter(entrant=entrant, kind=kind, item=item).count() if entrant is not None else 0
    return MoneyLine.objects.create(
        money=money,
        number=_get_next_number(money),
        kind=kind,
        entrant=entrant,
        item=item,
        turn=turn,
        amount=amount,
        note=note,
        agreed=agreed,
        corrects=corrects,
        at=now,
        **({"helper_id": by.helper_id} if isinstance(by, HelperActor) else {"by": by}),
    )
