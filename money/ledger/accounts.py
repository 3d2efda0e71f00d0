"""The totals of an event's ledger: income, amounts due and payouts, with splits agreed by players (ADR 83)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Final

from draw.prizes import Finish, SidePoolRule
from money.ledger import finishes
from money.ledger.finishes import Finishes, Order
from money.models import EventMoney, LineKind, MoneyLine, MoneyPool
from money.settling.settlement import settle
from money.settling.values import MAIN, Event, Pool, Prize, Settlement
from money.terms.terms import STANDING, build_prizes
from players.models import Player
from tournaments.base import event_lines
from tournaments.models import Entry, Tournament
from tournaments.status import Status

Key = tuple[LineKind, int | None, int]
FEES: Final = (LineKind.FEE, LineKind.REGISTRATION)
# What entrants pay.
PAYMENTS: Final = (*FEES, LineKind.STAKE)
# Between name and number: it sorts before any letter.
APART: Final = "\0"
# The name of erased players in English.
ERASED: Final = "Former player"


@dataclass(frozen=True, slots=True)
class Agreement:
    """A split without a counter-entry."""

    # Its first line, by which it can be cancelled.
    line: int
    # The amounts it moves, and each player's agreed share; None if written by an older version.
    changes: Mapping[int, int]
    shares: Mapping[int, int] | None


@dataclass(frozen=True, slots=True)
class LapsedSplit:
    """A split that is void because its players' total has changed."""

    line: int
    players: tuple[int, ...]
    # The total they agreed to split, and their total now.
    agreed: int
    together: int


def list_agreements(lines: Sequence[MoneyLine]) -> list[Agreement]:
    """Return the splits that are not cancelled, the oldest first."""
    gone = {line.corrects_id for line in lines if line.corrects_id}
    items: defaultdict[int, list[MoneyLine]] = defaultdict(list)
    for line in lines:
        if line.kind == LineKind.SPLIT and line.corrects_id is None and line.pk not in gone:
            items[line.item].append(line)
    return [
        Agreement(
            rows[0].number,
            {line.entrant: line.amount for line in rows if line.entrant is not None},
            None
            if rows[0].agreed is None
            else {int(who): share for who, (_prize, share) in rows[0].agreed.items()},
        )
        for _item, rows in sorted(items.items())
    ]


def apply_splits(
    won: Mapping[int, int], splits: Sequence[Agreement]
) -> tuple[dict[int, int], list[LapsedSplit]]:
    """Apply splits to prizes; return the amounts due, and the splits that no longer fit.

    Each player gets the agreed share while the players of a split have together what they divided; otherwise it
    is void: a result was corrected, or an earlier split cancelled.
    """
    due, lapsed = defaultdict(int, won), []
    for split in splits:
        if split.shares is None:
            for who, amount in split.changes.items():
                due[who] += amount
            continue
        together, agreed = sum(due[who] for who in split.shares), sum(split.shares.values())
        if together == agreed:
            due.update(split.shares)
        else:
            lapsed.append(LapsedSplit(split.line, tuple(sorted(split.shares)), agreed, together))
    return {who: amount for who, amount in due.items() if amount}, lapsed


@dataclass(frozen=True)
class Account:
    """The money of an event with all its rows, read once."""

    money: EventMoney
    pools: Sequence[MoneyPool]
    lines: Sequence[MoneyLine]
    entries: Sequence[Entry]
    brackets: Finishes = field(default_factory=Finishes)

    @cached_property
    def playing(self) -> tuple[int, ...]:
        """The numbers of the entrants, without those who have withdrawn or wait for a place."""
        return tuple(entry.number for entry in self.entries if entry.withdrawn_at is None and not entry.waits)

    @cached_property
    def holders(self) -> Counter[int | None]:
        """The number of entrants at each place."""
        return Counter(entry.place for entry in self.entries)

    @property
    def prizes(self) -> Mapping[str, Sequence[str]]:
        """The percents by part and place, which can depend on the number of entrants."""
        return self.money.prizes_for(len(self.playing))

    @cached_property
    def totals(self) -> Mapping[Key, int]:
        """The total of each kind, entrant and item, less counter-entries."""
        found: defaultdict[Key, int] = defaultdict(int)
        for line in self.lines:
            found[LineKind(line.kind), line.entrant, line.item] += line.amount
        return found

    def total(self, kind: LineKind, *, entrant: int | None = None, item: int | None = None) -> int:
        return sum(
            amount
            for (each, who, what), amount in self.totals.items()
            if each is kind and entrant in (None, who) and item in (None, what)
        )

    def paid_by(self, entrant: int) -> int:
        return sum(self.total(kind, entrant=entrant) for kind in PAYMENTS)

    def contributors(self, pool: int) -> tuple[int, ...]:
        return tuple(
            sorted(
                who
                for (kind, who, item), amount in self.totals.items()
                if kind is LineKind.STAKE and item == pool and amount > 0 and who is not None
            )
        )

    @cached_property
    def ids(self) -> Mapping[int, str]:
        """The names of entrants in a settlement, by number (`name_entrants`)."""
        return name_entrants(self.entries)

    def id_of(self, number: int) -> str:
        """Return the entrant's name in a settlement, even if the entry is deleted."""
        return self.ids.get(number, name_gone_entrant(number))

    @cached_property
    def names(self) -> Mapping[int, str]:
        return event_lines.name_entries(self.entries, self.money.event.club.name_style)

    def name_of(self, number: int) -> str:
        """Return the entrant's name, "" if the entry is deleted."""
        return self.names.get(number, "")

    @property
    def is_settled(self) -> bool:
        """True if the event is finished, so that prizes are due."""
        return self.money.event.status == Status.FINISHED

    @cached_property
    def settlement(self) -> Settlement:
        """The settlement of the payments so far, without places before the end."""
        return self.with_fees(0)

    def with_fees(self, more: int) -> Settlement:
        """Return the settlement if *more* entrants pay the entry fee."""
        fees = [amount for (kind, _, _), amount in self.totals.items() if kind is LineKind.FEE and amount]
        # Registration fees cover costs; only costs above them reduce the prize money (M11).
        covered = self.registration + more * self.money.registration
        return settle(
            Event(
                fees=(*fees, *(self.money.fee,) * more),
                added=self.money.added,
                expenses=max(0, self.total(LineKind.EXPENSE) - covered),
                rake_percent=Fraction(self.money.rake_percent),
                prizes=build_prizes(self.prizes),
                finish=self._build_finish() if self.is_settled else {},
                main_draw=build_main_finish(self.entries, self.brackets.main) if self.is_settled else (),
                pools=tuple(self._build_pool(pool) for pool in self.pools),
            )
        )

    @property
    def registration(self) -> int:
        return self.total(LineKind.REGISTRATION)

    @cached_property
    def due(self) -> Mapping[int, int]:
        """The amount due to each entrant: prizes, adjusted by agreed splits."""
        return self._split_result[0]

    @property
    def lapsed(self) -> Sequence[LapsedSplit]:
        """The agreed splits that a correction has made void; none before the event is finished."""
        return self._split_result[1] if self.is_settled else ()

    @cached_property
    def won(self) -> Mapping[int, int]:
        """Each entrant's prizes by results alone."""
        found: defaultdict[int, int] = defaultdict(int)
        for name, amount in self.settlement.payouts.items():
            found[int(name.rpartition(APART)[2])] += amount
        return found

    @cached_property
    def _split_result(self) -> tuple[Mapping[int, int], Sequence[LapsedSplit]]:
        return apply_splits(self.won, list_agreements(self.lines))

    @cached_property
    def paid_out(self) -> Mapping[int, int]:
        return {
            who: amount
            for (kind, who, _), amount in self.totals.items()
            if kind is LineKind.PAYOUT and who is not None and amount
        }

    @property
    def in_hand(self) -> int:
        """The expected balance of the cash box."""
        taken = sum(map(self.total, PAYMENTS))
        return taken + self.money.added - self.total(LineKind.EXPENSE) - sum(self.paid_out.values())

    def _build_finish(self) -> Mapping[str, Finish]:
        beside = {
            part: tuple(tuple(map(self.id_of, tied)) for tied in order)
            for part, order in self.brackets.beside.items()
        }
        # The consolation's winner has its prize; places in the main draw go by its results alone (M12).
        is_shared = any(part != MAIN for part in self.prizes)
        main = build_main_finish(self.entries, self.brackets.main) if is_shared else ()
        return {MAIN: main or build_finish(self.entries), **beside}

    def _build_pool(self, pool: MoneyPool) -> Pool:
        return Pool(
            players=tuple(self.id_of(number) for number in self.contributors(pool.number)),
            stake=pool.stake,
            prizes=Prize.by_place(*pool.prizes),
            name=pool.name,
            rake_percent=Fraction(pool.rake_percent),
            reading=SidePoolRule(pool.reading),
        )


def get_sort_name(player: Player) -> str:
    """Return the public name by which odd units are given (M8); an erased player's is English for every reader."""
    return player.name_for_searches or ERASED


def name_entrants(entries: Sequence[Entry]) -> Mapping[int, str]:
    """Return the names of entrants in a settlement, by number; they begin with the player's name (M8)."""
    return {entry.number: f"{get_sort_name(entry.player)}{APART}{entry.number}" for entry in entries}


def name_gone_entrant(number: int) -> str:
    """Return the name in a settlement of an entrant whose entry is deleted."""
    return f"{APART}{number}"


def build_finish(entries: Sequence[Entry]) -> Finish:
    """Return the final order of an event, with tied entrants grouped."""
    ids = name_entrants(entries)
    places: defaultdict[int, list[str]] = defaultdict(list)
    for entry in entries:
        if entry.place is not None:
            places[entry.place].append(ids[entry.number])
    return tuple(tuple(sorted(places[place])) for place in sorted(places))


def build_main_finish(entries: Sequence[Entry], order: Order) -> Finish:
    """Return the order of the main draw alone, then all others; empty if it equals the final order."""
    if not order:
        return ()
    ids = name_entrants(entries)
    placed = {entry.number for entry in entries if entry.place is not None}
    own = [[ids[one] for one in tied if one in placed] for tied in order]
    there = {one for tied in own for one in tied}
    rest = [[one for one in tied if one not in there] for tied in build_finish(entries)]
    return tuple(tuple(tied) for tied in (*own, *rest) if tied)


def load_account(money: EventMoney) -> Account:
    rows = Entry.objects.filter(tournament=money.event).select_related("player").order_by("number")
    pools = list(money.pools.order_by("number"))
    return Account(
        money=money,
        pools=pools,
        lines=list(money.lines.select_related("by__player", "helper", "corrected_by").order_by("number")),
        entries=list(rows),
        brackets=_load_finishes(money, pools),
    )


def list_entrants(event: Tournament) -> set[int]:
    """Return the numbers of the entrants with lines that are not cancelled."""
    lines = MoneyLine.objects.filter(money__event=event, **STANDING)
    return {who for who in lines.values_list("entrant", flat=True) if who is not None}


def _load_finishes(money: EventMoney, pools: Sequence[MoneyPool]) -> Finishes:
    """Return the brackets' orders needed for prizes and side pools; empty before the end."""
    wanted = {*money.prizes, *(part for step in money.steps for part in step["prizes"])} - {MAIN}
    if any(pool.reading != SidePoolRule.MAIN.value for pool in pools):
        wanted.add(finishes.CONSOLATION)
    if money.event.status != Status.FINISHED or not (wanted or pools):
        return Finishes()
    return finishes.compute_finishes(money.event, wanted)
