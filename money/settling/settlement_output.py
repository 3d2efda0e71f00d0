"""A settlement as JSON: payouts, and a line for each amount that came in or went out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

from money.settling.auction import Auction, AuctionSettlement
from money.settling.values import Carry, CarryReason, Event, Prize, Settlement, Share

Line = dict[str, object]
MOST_PLACES: Final = 24


def serialize_settlement(event: Event, result: Settlement, decimals: int) -> Mapping[str, object]:
    """Return the output of `python -m money settle`."""
    return {
        "payouts": result.payouts,
        "rake": result.kept,
        "expenses": result.expenses,
        "carried": result.carried,
        "lines": [
            *_list_income_lines(event, result, decimals),
            *_list_cost_lines(event, result, decimals),
            *_list_prize_lines(event, result, decimals),
        ],
    }


def serialize_auction(auction: Auction, result: AuctionSettlement, decimals: int) -> Mapping[str, object]:
    """Return the output of `python -m money auction`."""
    lots = zip(auction.lots, result.won, result.costs, result.gains, strict=True)
    return {
        "pool": result.pool,
        "payouts": result.payouts,
        "rake": result.rake,
        "carried": result.carried,
        "lots": [
            {
                "players": lot.players,
                "buyer": lot.buyer,
                "price": lot.price,
                "won": won,
                "pay": pay,
                "get": get,
            }
            for lot, won, pay, get in lots
        ],
        "lines": list(_list_auction_lines(auction, result, decimals)),
    }


def _list_auction_lines(auction: Auction, result: AuctionSettlement, decimals: int) -> Iterator[Line]:
    for lot in auction.lots:
        yield _build_line("sold", lot.price, f"{', '.join(lot.players)}, sold to {lot.buyer}")
    if result.rake:
        pool = format_plain_amount(result.pool, decimals)
        percent = format_plain_percent(auction.rake_percent)
        yield _build_line("rake", result.rake, f"{percent} % of all prices of {pool}, rounded down")
    for share in result.shares:
        why = _explain_share(share, auction.prizes, result.prize_money, decimals)
        yield {**_build_line("prize", share.amount, why), "player": share.player}
    for carry in result.carries:
        yield _build_line("carried", carry.amount, _explain_carry(carry))


def format_plain_amount(amount: int, decimals: int) -> str:
    """Format an amount with the decimals of the currency.

    >>> format_plain_amount(1205, 2), format_plain_amount(1205, 0), format_plain_amount(5, 3)
    ('12.05', '1205', '0.005')
    """
    if not decimals:
        return str(amount)
    whole, rest = divmod(amount, 10**decimals)
    return f"{whole}.{rest:0{decimals}d}"


def format_plain_percent(percent: Fraction) -> str:
    """Format a percent with decimals if they are finite, else as a fraction.

    >>> format_plain_percent(Fraction("33.3")), format_plain_percent(Fraction(100, 3)), format_plain_percent(Fraction(50))
    ('33.3', '100/3', '50')
    """
    scaled = percent * 10**MOST_PLACES
    if scaled.denominator > 1:
        return str(percent)
    return format_plain_amount(int(scaled), MOST_PLACES).rstrip("0").rstrip(".")


def _list_income_lines(event: Event, result: Settlement, decimals: int) -> Iterator[Line]:
    yield _build_line("fees", result.fees, f"paid for {_format_count(len(event.fees), 'entry', 'entries')}")
    if result.added:
        yield _build_line("added", result.added, "added by the organiser")
    for number, (pool, stakes) in enumerate(zip(event.pools, result.stakes, strict=True)):
        stake = format_plain_amount(pool.stake, decimals)
        why = f"{_format_count(len(pool.players), 'stake', 'stakes')} of {stake} in side pool {number + 1}"
        yield _build_line("stakes", stakes, why)


def _list_cost_lines(event: Event, result: Settlement, decimals: int) -> Iterator[Line]:
    if result.rake:
        fees = format_plain_amount(result.fees, decimals)
        percent = format_plain_percent(event.rake_percent)
        yield _build_line("rake", result.rake, f"{percent} % of the fees of {fees}, rounded down")
    if result.uncovered:
        short = format_plain_amount(result.uncovered, decimals)
        yield _build_line(
            "expenses", result.expenses, f"all that is left; expenses of {short} more are not covered"
        )
    elif result.expenses:
        yield _build_line("expenses", result.expenses, "taken before the prizes")


def _list_prize_lines(event: Event, result: Settlement, decimals: int) -> Iterator[Line]:
    for share in result.shares:
        prizes = event.prizes if share.pool is None else event.pools[share.pool].prizes
        total = result.prize_money if share.pool is None else result.stakes[share.pool]
        why = _explain_share(share, prizes, total, decimals)
        yield {**_build_line("prize", share.amount, why), "player": share.player}
    for carry in result.carries:
        yield _build_line("carried", carry.amount, _explain_carry(carry))


def _explain_share(share: Share, prizes: Sequence[Prize], total: int, decimals: int) -> str:
    covered = range(share.place, share.place + share.tied)
    percent = sum((prize.percent for prize in prizes if prize.place in covered), Fraction(0))
    of = f"{format_plain_percent(percent)} % of {format_plain_amount(total, decimals)}{_format_pool(share.pool)}"
    if share.tied == 1:
        return f"place {share.place}: {of}"
    together = format_plain_amount(share.shared, decimals)
    return (
        f"places {share.place} to {covered[-1]}, shared by {share.tied}: {of}, which is {together} together"
    )


def _explain_carry(carry: Carry) -> str:
    if carry.why is CarryReason.UNREACHED:
        return f"nobody has place {carry.place}{_format_pool(carry.pool)}"
    return f"the percents of the prizes do not reach 100{_format_pool(carry.pool)}"


def _format_pool(number: int | None) -> str:
    return "" if number is None else f" in side pool {number + 1}"


def _format_count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _build_line(what: str, amount: int, why: str) -> Line:
    return {"what": what, "amount": amount, "why": why}
