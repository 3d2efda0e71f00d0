"""Division of one sum by percents and places; the rules are M5 to M8 in docs/money.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm

from draw.prizes import Finish, split_amount
from money.settling.values import WHOLE, BadMoney, Carry, CarryReason, Prize, Share


def compute_rake(amount: int, percent: Fraction) -> int:
    """Return the rake on *amount*: fractions of a unit stay with the players (M3, A2)."""
    return amount * percent.numerator // (percent.denominator * WHOLE)


def divide(
    amount: int, prizes: Sequence[Prize], finish: Mapping[str, Finish], *, pool: int | None = None
) -> tuple[list[Share], list[Carry]]:
    """Divide *amount* into shares and carried money, which add up to it.

    >>> from money.settling.values import Prize
    >>> shares, carried = divide(100, Prize.by_place(50, 30, 15), {"main": (("Ann",), ("Cem", "Bob"))})
    >>> [(one.player, one.amount) for one in shares], [one.amount for one in carried]
    ([('Ann', 50), ('Bob', 23), ('Cem', 22)], [5])
    """
    due, spare = _divide_by_place(amount, prizes)
    shares: list[Share] = []
    for part, groups in finish.items():
        place = 1
        for tied in groups:
            # M7: tied players share the prizes of all the places they occupy.
            together = sum(due.pop((part, place + below), 0) for below in range(len(tied)))
            shares += _share_prize(together, part, place, tied, pool)
            place += len(tied)
    # M6: prizes of places without a player, and the percents missing to 100, are carried.
    carried = [
        Carry(left, CarryReason.UNREACHED, part, place, pool) for (part, place), left in due.items() if left
    ]
    if spare:
        carried.append(Carry(spare, CarryReason.UNNAMED, pool=pool))
    return shares, carried


def _divide_by_place(amount: int, prizes: Sequence[Prize]) -> tuple[dict[tuple[str, int], int], int]:
    """Return the prizes by place, and the remainder; by largest remainders, the better place first (M5)."""
    scale = lcm(*(prize.percent.denominator for prize in prizes))
    weights = [int(prize.percent * scale) for prize in prizes]
    weights.append(WHOLE * scale - sum(weights))
    if min(weights) < 0:
        raise BadMoney("The percents of the prizes are more than 100 together, or one is below zero.")
    *amounts, spare = split_amount(amount, weights)
    due: dict[tuple[str, int], int] = {
        (prize.part, prize.place): each for prize, each in zip(prizes, amounts, strict=True)
    }
    if len(due) < len(prizes):
        raise BadMoney("A place has two prizes.")
    return due, spare


def _share_prize(together: int, part: str, place: int, tied: Sequence[str], pool: int | None) -> list[Share]:
    if not together:
        return []
    # M8: odd units go by the alphabet, independent of the order of the input.
    names = sorted(tied)
    amounts = split_amount(together, (1,) * len(names))
    return [
        Share(player, amount, part, place, len(names), together, pool)
        for player, amount in zip(names, amounts, strict=True)
    ]
