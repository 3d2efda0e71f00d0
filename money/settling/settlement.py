"""Settlement of an event: income equals payouts, rake, expenses and carried money (docs/money.md)."""

from __future__ import annotations

from collections.abc import Mapping

from draw.prizes import Finish, rank_contributors
from money.settling.division import compute_rake, divide
from money.settling.values import MAIN, WHOLE, BadMoney, Event, Pool, Settlement


def settle(event: Event) -> Settlement:
    """Settle an event: payouts, and the use of all other income.

    >>> from money.settling.values import Event, Prize
    >>> event = Event(fees=(1000, 1000), prizes=Prize.by_place(70, 30), finish={"main": (("Ann",), ("Bob",))})
    >>> settle(event).payouts
    {'Ann': 1400, 'Bob': 600}

    :raises BadMoney: an amount is below zero, or percents are more than 100.
    """
    _require_valid(event)
    fees = sum(event.fees)
    rake = compute_rake(fees, event.rake_percent)
    left = fees - rake + event.added
    # M4: expenses are paid from what is left, as far as it goes.
    expenses = min(event.expenses, left)
    shares, carries = divide(left - expenses, event.prizes, event.finish)
    pool_rakes: list[int] = []
    read_by = {**event.finish, MAIN: event.main_draw} if event.main_draw else event.finish
    stakes = [pool.stake * len(pool.players) for pool in event.pools]
    for number, (pool, staked) in enumerate(zip(event.pools, stakes, strict=True)):
        rake_amount = compute_rake(staked, pool.rake_percent)
        ranked = {MAIN: _rank_pool_players(pool, read_by)}
        won, left_over = divide(staked - rake_amount, pool.prizes, ranked, pool=number)
        shares, carries = shares + won, carries + left_over
        pool_rakes.append(rake_amount)
    return Settlement(
        fees=fees,
        added=event.added,
        stakes=tuple(stakes),
        rake=rake,
        pool_rakes=tuple(pool_rakes),
        expenses=expenses,
        uncovered=event.expenses - expenses,
        prize_money=left - expenses,
        shares=tuple(shares),
        carries=tuple(carries),
    )


def _rank_pool_players(pool: Pool, finish: Mapping[str, Finish]) -> Finish:
    """Return the order of the contributors alone (P107); players without a place are left out (M9)."""
    placed = {player for groups in finish.values() for tied in groups for player in tied}
    order = rank_contributors(pool.players, pool.reading, finish)
    there = (tuple(player for player in tied if player in placed) for tied in order)
    return tuple(tied for tied in there if tied)


def _require_valid(event: Event) -> None:
    amounts = (*event.fees, event.added, event.expenses, *(pool.stake for pool in event.pools))
    if min(amounts) < 0:
        raise BadMoney("No amount can be below zero.")
    rakes = (event.rake_percent, *(pool.rake_percent for pool in event.pools))
    if not all(0 <= rake <= WHOLE for rake in rakes):
        raise BadMoney("The rake is a percent from 0 to 100.")
    for pool in event.pools:
        if len(set(pool.players)) < len(pool.players):
            raise BadMoney("A player pays into a side pool once.")
