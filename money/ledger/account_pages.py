"""An event's money for pages: small frozen views with formatted amounts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from draw.event import format_places
from money.ledger import accounts
from money.ledger.accounts import Account
from money.models import EventMoney, LineKind, MoneyLine
from money.terms import formatting, terms
from money.terms.terms import PrizeRow
from players.access.callers import found_or_404
from tournaments.base import event_lines
from tournaments.models import Entry, Tournament
from tournaments.status import Status


@dataclass(frozen=True, slots=True)
class PoolTick:
    number: int
    name: str
    is_in: bool


@dataclass(frozen=True, slots=True)
class EntrantMoney:
    number: int
    name: str
    key: str
    is_out: bool
    waits: bool
    place: int | None
    # The place as displayed, "9-12" if it is shared.
    places: str
    has_paid: bool
    times: int
    paid: str
    pools: tuple[PoolTick, ...]
    due: str
    had: str
    owed: str
    owed_units: int
    due_units: int
    had_units: int

    @property
    def plays(self) -> bool:
        return not (self.is_out or self.waits)

    @property
    def had_too_much(self) -> bool:
        return self.owed_units < 0

    @property
    def has_changed(self) -> bool:
        return self.had_units > 0 and self.owed_units != 0


@dataclass(frozen=True, slots=True)
class LineRow:
    number: int
    entrant: int | None
    at: datetime
    what: str
    who: str
    amount: str
    note: str
    by: str
    takes_back: int | None
    is_taken_back: bool

    @property
    def may_be_taken_back(self) -> bool:
        """True if the line is neither cancelled nor a counter-entry."""
        return self.takes_back is None and not self.is_taken_back


@dataclass(frozen=True, slots=True)
class LapsedRow:
    line: int
    names: tuple[str, ...]
    agreed: str
    together: str


@dataclass(frozen=True, slots=True)
class PoolRow:
    number: int
    name: str
    stake: str
    players: int
    total: str
    prizes: str
    rake: str
    reading: str


@dataclass(frozen=True, slots=True)
class StepRow:
    """The percents from a number of entries on."""

    entries: int
    percents: str
    is_now: bool


@dataclass(frozen=True, slots=True)
class MoneyPage:
    currency: str
    fee: str
    registration: str
    added: str
    rake: str
    may_change: bool
    is_over: bool
    entrants: tuple[EntrantMoney, ...]
    # The numbers of unpaid entries.
    unpaid: tuple[int, ...]
    lines: tuple[LineRow, ...]
    pools: tuple[PoolRow, ...]
    # Income and its use: label, amount.
    taken: tuple[tuple[str, str], ...]
    gone: tuple[tuple[str, str], ...]
    taken_total: str
    gone_total: str
    uncovered: str
    in_hand: str
    prize_money: str
    # The prize money if all entrants pay.
    expected: str
    prizes: tuple[PrizeRow, ...]
    # The reduced fees: reason, amount.
    reduced: tuple[tuple[str, str], ...]
    # If prizes depend on entries: the number they start from, the percents, and whether they apply now.
    steps: tuple[StepRow, ...]
    # The agreed splits that are void.
    lapsed: tuple[LapsedRow, ...]

    @property
    def has_terms(self) -> bool:
        """True if more is set than the currency, which an auction needs, too."""
        return bool(self.prizes or self.fee or self.registration or self.added or self.pools or self.reduced)

    @property
    def winners(self) -> tuple[EntrantMoney, ...]:
        """The entrants with an amount due or a payout, the best first."""
        there = [row for row in self.entrants if row.due_units or row.had_units]
        return tuple(sorted(there, key=lambda row: (-row.due_units, row.place or 0, row.name)))

    @property
    def to_pay_out(self) -> tuple[EntrantMoney, ...]:
        return tuple(row for row in self.entrants if row.owed_units > 0) if self.is_over else ()

    @property
    def changed(self) -> tuple[EntrantMoney, ...]:
        return tuple(row for row in self.entrants if row.has_changed) if self.is_over else ()


def has_money(event: Tournament) -> bool:
    return getattr(event, "money", None) is not None


def find_money(event: Tournament) -> EventMoney | None:
    money = EventMoney.objects.filter(event=event).first()
    if money is not None:
        money.event = event
    return money


def get_money(event: Tournament) -> EventMoney:
    """Return the event's money, or raise Http404."""
    return found_or_404(find_money(event))


def load_page(money: EventMoney) -> MoneyPage:
    return build_page(accounts.load_account(money))


def build_page(account: Account) -> MoneyPage:
    money, result = account.money, account.settlement
    entrants = tuple(_list_entrants(account))
    missing = sum(not count_times_paid(account, number) for number in account.playing)
    expected = account.with_fees(missing).prize_money
    taken, gone = tuple(_list_income(account)), tuple(_list_spending(account))
    return MoneyPage(
        currency=money.currency,
        fee=formatting.format_amount(money.fee, money) if money.fee else "",
        registration=formatting.format_amount(money.registration, money) if money.registration else "",
        added=formatting.format_amount(money.added, money) if money.added else "",
        rake=formatting.format_percent(money.rake_percent) if money.rake_percent else "",
        may_change=Status(money.event.status) in {Status.DRAFT, Status.PUBLISHED},
        is_over=account.is_settled,
        entrants=entrants,
        unpaid=tuple(row.number for row in entrants if row.plays and not row.has_paid),
        lines=tuple(_list_lines(account)),
        pools=tuple(_list_pools(account)),
        taken=tuple((label, formatting.format_amount(units, money)) for label, units in taken),
        gone=tuple((label, formatting.format_amount(units, money)) for label, units in gone),
        taken_total=formatting.format_amount(sum(units for _label, units in taken), money),
        gone_total=formatting.format_amount(sum(units for _label, units in gone), money),
        uncovered=formatting.format_amount(result.uncovered, money) if result.uncovered else "",
        in_hand=formatting.format_amount(account.in_hand, money),
        prize_money=formatting.format_amount(result.prize_money, money),
        expected=formatting.format_amount(expected, money),
        prizes=terms.list_prize_rows(
            money, account.prizes, result.prize_money if account.is_settled else expected
        ),
        reduced=tuple(list_reduced(money)),
        steps=tuple(_list_steps(account)),
        lapsed=tuple(
            LapsedRow(
                each.line,
                tuple(map(account.name_of, each.players)),
                formatting.format_amount(each.agreed, money),
                formatting.format_amount(each.together, money),
            )
            for each in account.lapsed
        ),
    )


def list_unpaid(account: Account) -> tuple[str, ...]:
    return tuple(row.name for row in _list_entrants(account) if row.plays and not row.has_paid)


def has_fees(money: EventMoney) -> bool:
    return bool(money.fee or money.registration)


def list_reduced(money: EventMoney) -> Iterator[tuple[str, str]]:
    for one in money.reduced:
        yield one["reason"], formatting.format_amount(one["fee"] + one["registration"], money)


def count_times_paid(account: Account, number: int) -> int:
    return len(
        {
            item
            for (kind, who, item), amount in account.totals.items()
            if kind in accounts.FEES and who == number and amount > 0
        }
    )


def _list_entrants(account: Account) -> Iterator[EntrantMoney]:
    """Yield the players by name, and others whose payments, stakes or payouts are in the ledger."""
    for entry in sorted(
        account.entries, key=lambda one: (account.name_of(one.number).casefold(), one.number)
    ):
        row = _build_entrant(account, entry)
        if row.plays or row.times or row.had_units or any(tick.is_in for tick in row.pools):
            yield row


def _build_entrant(account: Account, entry: Entry) -> EntrantMoney:
    money, number = account.money, entry.number
    times = count_times_paid(account, number)
    due, had = account.due.get(number, 0), account.paid_out.get(number, 0)
    paid = account.paid_by(number)
    return EntrantMoney(
        number=number,
        name=account.name_of(number),
        key=entry.player.key,
        is_out=entry.withdrawn_at is not None,
        waits=entry.waits,
        place=entry.place,
        places=format_places(entry.place, account.holders[entry.place]) if entry.place else "",
        has_paid=bool(times) or not has_fees(money),
        times=times,
        paid=formatting.format_amount(paid, money) if paid else "",
        pools=tuple(
            PoolTick(pool.number, pool.name, number in account.contributors(pool.number))
            for pool in account.pools
        ),
        due=formatting.format_amount(due, money),
        had=formatting.format_amount(had, money),
        owed=formatting.format_amount(abs(due - had), money),
        owed_units=due - had,
        due_units=due,
        had_units=had,
    )


def _list_steps(account: Account) -> Iterator[StepRow]:
    """Yield the prizes by number of entries; none if they do not depend on it."""
    money = account.money
    if not money.steps:
        return
    every = [(0, money.prizes), *((step["entries"], step["prizes"]) for step in money.steps)]
    now = max(entries for entries, _parts in every if entries <= len(account.playing))
    for entries, parts in every:
        yield StepRow(entries, formatting.format_shares(parts), entries == now)


def _list_lines(account: Account) -> Iterator[LineRow]:
    pools = {pool.number: pool.name for pool in account.pools}
    by_pk = {line.pk: line.number for line in account.lines}
    for line in reversed(account.lines):
        number = line.entrant
        gone = _("Entry %(number)s") % {"number": number}
        yield LineRow(
            number=line.number,
            entrant=number,
            at=line.at,
            what=_describe_line(line, pools),
            who="" if number is None else account.names.get(number, gone),
            amount=formatting.format_amount(line.amount, account.money),
            note=line.note,
            by=event_lines.format_author(line.helper, line.by),
            takes_back=by_pk.get(line.corrects_id) if line.corrects_id is not None else None,
            is_taken_back=hasattr(line, "corrected_by"),
        )


def _describe_line(line: MoneyLine, pools: dict[int, str]) -> str:
    if line.kind == LineKind.STAKE:
        return pools.get(line.item, str(line.get_kind_display()))
    if line.kind in accounts.FEES and line.item > 1:
        return _("%(fee)s, re-entry") % {"fee": line.get_kind_display()}
    return str(line.get_kind_display())


def _list_pools(account: Account) -> Iterator[PoolRow]:
    money = account.money
    for pool, total in zip(account.pools, account.settlement.stakes, strict=True):
        yield PoolRow(
            number=pool.number,
            name=pool.name,
            stake=formatting.format_amount(pool.stake, money),
            players=len(account.contributors(pool.number)),
            total=formatting.format_amount(total, money),
            prizes=formatting.format_percents(pool.prizes),
            rake=formatting.format_percent(pool.rake_percent) if pool.rake_percent else "",
            reading=str(pool.get_reading_display()),
        )


def _list_income(account: Account) -> Iterator[tuple[str, int]]:
    result = account.settlement
    yield _("Entry fees"), result.fees
    if account.registration:
        yield _("Registration fees"), account.registration
    if result.stakes:
        yield _("Side pools"), sum(result.stakes)
    if result.added:
        yield _("Added money"), result.added


def _list_spending(account: Account) -> Iterator[tuple[str, int]]:
    result = account.settlement
    if account.is_settled:
        yield pgettext("money", "Payouts"), sum(result.payouts.values())
        left = result.carried
    else:
        # Before the end there are no places, so nothing counts as carried.
        left = 0
        yield _("Prize money"), result.prize_money
        if result.stakes:
            yield _("Side pools"), result.carried - result.prize_money
    if result.kept:
        yield _("Rake"), result.kept
    spent = account.total(LineKind.EXPENSE)
    covered = min(spent, account.registration)
    if result.expenses + covered:
        yield _("Expenses"), result.expenses + covered
    if account.registration - covered:
        yield _("Left of the registration fees"), account.registration - covered
    if left:
        yield _("Carried to a later event"), left
