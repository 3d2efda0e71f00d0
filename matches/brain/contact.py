"""Chances in contact positions: a small neural network over the checkers and the threats.

Each of the twenty hidden units adds up a weight for every point, according to how many checkers of which
side are on it, and for four features: shots and escapes. To add for all units in one operation, the weights
are packed into one large integer, 32 bits (a lane) per unit, as the board itself is.

In shots and escapes, positions are bit masks, bit n for point n in the numbering of the side that is not
moving; the moving side moves towards the higher bits, and its bar is bit 0, so bar and board are treated alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import exp, tanh
from operator import getitem, mul
from struct import unpack
from typing import Final

from engine.packed import SIZE
from matches.brain import weights
from matches.brain.stakes import Chances

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


UNITS: Final = weights.UNITS
_LANE: Final = 32
_LAYOUT: Final = f"<{UNITS}I"
_ONE: Final = 1 << 16
# Offset that makes signed lane sums unsigned.
_MIDDLE: Final = 1 << _LANE - 1
_WITH_BAR: Final = POINTS | 1

_BYTES: Final = range(256)


def _format_flags(holds: Sequence[bool]) -> bytes:
    return bytes(ord("1") if each else ord("0") for each in holds)


# Translation tables from the bytes of a position to flags, as binary digits.
_MINE: Final = _format_flags([byte & 15 > 0 for byte in _BYTES])
_BLOT: Final = _format_flags([byte & 15 == 1 for byte in _BYTES])
_MADE: Final = _format_flags([byte & 15 > 1 for byte in _BYTES])
_THEIRS: Final = _format_flags([byte >> 4 > 0 for byte in _BYTES])
_THEIRS_MADE: Final = _format_flags([byte >> 4 > 1 for byte in _BYTES])


def estimate_chances(position: int) -> Chances:
    """Return the chances of the side that has just moved and sees *position*."""
    low_first = position.to_bytes(SIZE, "little")
    high_first = low_first[::-1]
    made = int(high_first.translate(_MADE), 2) & POINTS
    blots = int(high_first.translate(_BLOT), 2) & POINTS
    comers = int(high_first.translate(_THEIRS), 2) & _WITH_BAR
    # The same bytes in reverse: the opponent's view.
    my_comers = int(low_first.translate(_MINE), 2) & _WITH_BAR
    their_made = int(low_first.translate(_THEIRS_MADE), 2) & POINTS
    total = sum(map(getitem, _TABLES, low_first), _BIAS)
    total += count_escapes(comers, made) * _THEY_ESCAPE + count_escapes(my_comers, their_made) * _I_ESCAPE
    if blots:
        count, cost = count_shots(comers, position >> 4 & 15, blots, made)
        total += count * _SHOTS + cost * _COST
    lanes = unpack(_LAYOUT, total.to_bytes(UNITS * _LANE // 8, "little"))
    hidden = [tanh((each - _MIDDLE) / _ONE) for each in lanes]
    win, gammon, lost_gammon = [
        1 / (1 + exp(-sum(map(mul, row, hidden), bias)))
        for row, bias in zip(weights.OUTPUTS, weights.OUTPUT_BIAS, strict=True)
    ]
    return Chances(win, min(gammon, win), min(lost_gammon, 1 - win))


def _pack_lanes(row: Sequence[float], share: float = 1.0) -> int:
    return sum(round(weight * share * _ONE) << _LANE * lane for lane, weight in enumerate(row))


def _list_point_weights(rows: Sequence[Sequence[float]]) -> list[int]:
    """Return the weights of 0 to 15 checkers on a point: a blot, a made point, a third one, spare ones."""
    alone, made, third = map(_pack_lanes, rows[:3])
    spare = _pack_lanes(rows[3], 1 / 2)
    return [0, alone, made, *(made + third + count * spare for count in range(13))]


def _list_bar_and_off_weights(rows: Sequence[Sequence[float]], share: float) -> list[int]:
    """Return the weights of 0 to 15 checkers on the bar or off the board: the first, and each further one."""
    first, more = _pack_lanes(rows[0]), _pack_lanes(rows[1], share)
    return [0, *(first + count * more for count in range(15))]


def _build_table(mine: Sequence[int], theirs: Sequence[int]) -> tuple[int, ...]:
    return tuple(mine[byte & 15] + theirs[byte >> 4] for byte in _BYTES)


def _build_tables(rows: Sequence[Sequence[float]]) -> tuple[tuple[int, ...], ...]:
    """Return the weight of each byte value for each of the 26 points."""
    points = [
        _build_table(
            _list_point_weights(rows[first : first + 4]), _list_point_weights(rows[first + 4 : first + 8])
        )
        for first in range(0, 8 * 24, 8)
    ]
    my_bar, their_bar = (
        _list_bar_and_off_weights(rows[192:194], 1),
        _list_bar_and_off_weights(rows[194:196], 1),
    )
    my_off, their_off = (
        _list_bar_and_off_weights(rows[196:198], 1 / 10),
        _list_bar_and_off_weights(rows[198:200], 1 / 10),
    )
    return (_build_table(my_off, their_bar), *points, _build_table(my_bar, their_off))


_TABLES: Final = _build_tables(weights.INPUTS)
_BIAS: Final = _pack_lanes([bias + _MIDDLE / _ONE for bias in weights.BIAS])
_SHOTS: Final = _pack_lanes(weights.INPUTS[200], 1 / 36)
_COST: Final = _pack_lanes(weights.INPUTS[201], 1 / 432)
_THEY_ESCAPE: Final = _pack_lanes(weights.INPUTS[202], 1 / 36)
_I_ESCAPE: Final = _pack_lanes(weights.INPUTS[203], 1 / 36)
