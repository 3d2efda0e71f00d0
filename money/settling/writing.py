"""A settlement as JSON: payouts, and a line for each amount that came in or went out."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from money.settling.values import Why

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from money.settling.auction import AuctionSettlement
    from money.settling.reading import AuctionRequest, Request
    from money.settling.values import Carry, Prize, Settlement, Share

Line = dict[str, object]
MOST_PLACES: Final = 24


def serialize_settlement(request: Request, result: Settlement) -> Mapping[str, object]:
    """The output of `python -m money settle`."""
    return {
        "payouts": result.payouts,
        "rake": result.kept,
        "expenses": result.expenses,
        "carried": result.carried,
        "lines": [*_taken(request, result), *_kept(request, result), *_paid(request, result)],
    }


def serialize_auction(request: AuctionRequest, result: AuctionSettlement) -> Mapping[str, object]:
    """The output of `python -m money auction`."""
    lots = zip(request.auction.lots, result.won, result.costs, result.gains, strict=True)
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
        "lines": list(_auctioned(request, result)),
    }


def _auctioned(request: AuctionRequest, result: AuctionSettlement) -> Iterator[Line]:
    auction, decimals = request.auction, request.decimals
    for lot in auction.lots:
        yield _line("sold", lot.price, f"{', '.join(lot.players)}, sold to {lot.buyer}")
    if result.rake:
        pool = spell_amount(result.pool, decimals)
        percent = spell_percent(auction.rake_percent)
        yield _line("rake", result.rake, f"{percent} % of all prices of {pool}, rounded down")
    for share in result.shares:
        why = _why_paid(share, auction.prizes, result.prize_money, decimals)
        yield {**_line("prize", share.amount, why), "player": share.player}
    for carry in result.carries:
        yield _line("carried", carry.amount, _why_carried(carry))


def spell_amount(amount: int, decimals: int) -> str:
    """Format an amount with the decimals of the currency.

    >>> spell_amount(1205, 2), spell_amount(1205, 0), spell_amount(5, 3)
    ('12.05', '1205', '0.005')
    """
    if not decimals:
        return str(amount)
    whole, rest = divmod(amount, 10**decimals)
    return f"{whole}.{rest:0{decimals}d}"


def spell_percent(percent: Fraction) -> str:
    """Format a percent with decimals if they are finite, else as a fraction.

    >>> spell_percent(Fraction("33.3")), spell_percent(Fraction(100, 3)), spell_percent(Fraction(50))
    ('33.3', '100/3', '50')
    """
    scaled = percent * 10**MOST_PLACES
    if scaled.denominator > 1:
        return str(percent)
    return spell_amount(int(scaled), MOST_PLACES).rstrip("0").rstrip(".")


def _taken(request: Request, result: Settlement) -> Iterator[Line]:
    yield _line("fees", result.fees, f"paid for {_counted(request.entries, 'entry', 'entries')}")
    if result.added:
        yield _line("added", result.added, "added by the organiser")
    for number, (pool, stakes) in enumerate(zip(request.event.pools, result.stakes, strict=True)):
        stake = spell_amount(pool.stake, request.decimals)
        why = f"{_counted(len(pool.players), 'stake', 'stakes')} of {stake} in side pool {number + 1}"
        yield _line("stakes", stakes, why)


def _kept(request: Request, result: Settlement) -> Iterator[Line]:
    if result.rake:
        fees = spell_amount(result.fees, request.decimals)
        percent = spell_percent(request.event.rake_percent)
        yield _line("rake", result.rake, f"{percent} % of the fees of {fees}, rounded down")
    if result.uncovered:
        short = spell_amount(result.uncovered, request.decimals)
        yield _line(
            "expenses", result.expenses, f"all that is left; expenses of {short} more are not covered"
        )
    elif result.expenses:
        yield _line("expenses", result.expenses, "taken before the prizes")


def _paid(request: Request, result: Settlement) -> Iterator[Line]:
    for share in result.shares:
        prizes = request.event.prizes if share.pool is None else request.event.pools[share.pool].prizes
        total = result.prize_money if share.pool is None else result.stakes[share.pool]
        why = _why_paid(share, prizes, total, request.decimals)
        yield {**_line("prize", share.amount, why), "player": share.player}
    for carry in result.carries:
        yield _line("carried", carry.amount, _why_carried(carry))


def _why_paid(share: Share, prizes: Sequence[Prize], total: int, decimals: int) -> str:
    covered = range(share.place, share.place + share.tied)
    percent = sum((prize.percent for prize in prizes if prize.place in covered), Fraction(0))
    of = f"{spell_percent(percent)} % of {spell_amount(total, decimals)}{_in_pool(share.pool)}"
    if share.tied == 1:
        return f"place {share.place}: {of}"
    together = spell_amount(share.shared, decimals)
    return (
        f"places {share.place} to {covered[-1]}, shared by {share.tied}: {of}, which is {together} together"
    )


def _why_carried(carry: Carry) -> str:
    if carry.why is Why.UNREACHED:
        return f"nobody has place {carry.place}{_in_pool(carry.pool)}"
    return f"the percents of the prizes do not reach 100{_in_pool(carry.pool)}"


def _in_pool(number: int | None) -> str:
    return "" if number is None else f" in side pool {number + 1}"


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _line(what: str, amount: int, why: str) -> Line:
    return {"what": what, "amount": amount, "why": why}
