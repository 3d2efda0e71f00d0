"""Threats in a position: rolls that hit, the cost of a hit, escapes.

Positions are bit masks, bit n for point n in the numbering of the side that is not moving; the
moving side moves towards the higher bits, and its bar is bit 0, so bar and board are treated alike.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Final

POINTS: Final = 0x1FFFFFE
_AHEAD: Final = 0xFFF
_DICE: Final = range(1, 7)
_PAIRS: Final = tuple(combinations(_DICE, 2))
FREE: Final = 36


def count_shots(comers: int, on_bar: int, blots: int, made: int) -> tuple[int, int]:
    """Return the number of rolls of 36 that hit, and their cost in pips, counting each roll's costliest blot.

    >>> count_shots(1 << 1, 0, 1 << 7, 0)  # six away, nothing in between: 17 rolls throw 18 pips back
    (17, 306)
    >>> count_shots(1 << 1, 0, 1 << 8, 1 << 7 | 1 << 2)  # seven away, and 6-1 is blocked
    (4, 68)
    """
    if not blots & -(comers & -comers) << 1:
        return 0, 0
    rolls = (
        _list_hits_from_bar(comers, on_bar, blots, made)
        if on_bar
        else _list_hits_from_board(comers, blots, made)
    )
    count = cost = 0
    for ways, hit in rolls:
        if hit:
            count += ways
            cost += ways * (26 - (hit & -hit).bit_length())
    return count, cost


def _list_hits_from_board(comers: int, blots: int, made: int) -> list[tuple[int, int]]:
    """Return the weight of each roll and the blots that it hits."""
    free = POINTS & ~made
    reach = [comers << die for die in range(7)]
    halts = [each & free for each in reach]
    rolls = [
        (2, blots & (reach[low] | reach[high] | halts[low] << high | halts[high] << low))
        for low, high in _PAIRS
    ]
    for die in _DICE:
        second = halts[die] << die & free
        third = second << die & free
        rolls.append((1, blots & (halts[die] | second | third | third << die)))
    return rolls


def _list_hits_from_bar(comers: int, on_bar: int, blots: int, made: int) -> list[tuple[int, int]]:
    """Like `_list_hits_from_board`, with checkers on the bar, which have to enter first."""
    free = POINTS & ~made
    rolls: list[tuple[int, int]] = []
    for low, high in _PAIRS:
        by_low, by_high = 1 << low & free, 1 << high & free
        hit = by_low | by_high
        if on_bar == 1:
            board = comers & POINTS
            hit |= (board | by_low) << high if by_low else 0
            hit |= (board | by_high) << low if by_high else 0
        rolls.append((2, blots & hit))
    for die in _DICE:
        entered = hit = 1 << die & free
        halts = comers & POINTS | entered
        for _ in range(4 - on_bar if entered else 0):
            halts = halts << die & free
            hit |= halts
        rolls.append((1, blots & hit))
    return rolls


def count_escapes(comers: int, made: int) -> int:
    """Return the number of rolls of 36 with which the rearmost checker can move both dice.

    >>> count_escapes(1 << 1, 0), count_escapes(1 << 1, 0b111111 << 2)
    (36, 0)
    """
    return _count_escaping_rolls(made >> (comers & -comers).bit_length() & _AHEAD) if comers else FREE


@cache
def _count_escaping_rolls(blocks: int) -> int:
    """Count the rolls with a free landing point and at least one free intermediate point.

    *blocks* is a mask of the next twelve points.
    """
    held = [bool(blocks >> pips & 1) for pips in range(12)]
    doubles = sum(not held[2 * die - 1] and not held[die - 1] for die in _DICE)
    others = sum(not held[low + high - 1] and not (held[low - 1] and held[high - 1]) for low, high in _PAIRS)
    return doubles + 2 * others
