"""GNU Backgammon's Position ID: a board in fourteen characters.

For the side that is not on roll and then for the side that is, for each point from its ace point to the bar:
as many ones as checkers, and a zero. Eighty bits, the lowest first, in Base64.
"""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from typing import Final

from engine.board import CHECKERS, Board
from engine.errors import Impossible, Unreadable
from engine.side import Side, order_by_side

BYTES: Final = 10
POINTS: Final = 25


def encode(board: Board, on_roll: Side) -> str:
    """Return the identifier of *board*.

    >>> from engine.board import STANDARD
    >>> encode(STANDARD, Side.WHITE)
    '4HPwATDgc/ABMA'
    """
    bits = place = 0
    for side in (on_roll.other, on_roll):
        for count in board.points(side)[1:]:
            bits |= ((1 << count) - 1) << place
            place += count + 1
    return encode_bits(bits, BYTES)


def decode(text: str, on_roll: Side, checkers: int = CHECKERS) -> Board:
    """Return the board that *text* encodes, with *on_roll* on roll.

    >>> decode("4HPwATDgc/ABMA", Side.BLACK).pips(Side.WHITE)
    167
    """
    bits = decode_bits(text, BYTES)
    counts = [0]
    while len(counts) <= 2 * POINTS:
        if bits & 1:
            counts[-1] += 1
        else:
            counts.append(0)
        bits >>= 1
    theirs, mine = dict(enumerate(counts[:POINTS], 1)), dict(enumerate(counts[POINTS : 2 * POINTS], 1))
    if bits:
        raise Unreadable("bad-position", f"{text!r} holds too many checkers.", text=text)
    try:
        white, black = order_by_side(on_roll, mine, theirs)
        return Board.from_counts(white, black, checkers)
    except Impossible as error:
        raise Unreadable("bad-position", f"{text!r} is no position: {error}", text=text) from error


def encode_bits(bits: int, size: int) -> str:
    """Encode *size* bytes in Base64, the lowest bits first, without padding."""
    return b64encode(bits.to_bytes(size, "little")).decode("ascii").rstrip("=")


def decode_bits(text: str, size: int) -> int:
    """Parse the output of `encode_bits`."""
    try:
        raw = b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError) as error:
        raise Unreadable("bad-identifier", f"{text!r} is no identifier.", text=text) from error
    bits = int.from_bytes(raw, "little")
    if len(raw) != size or encode_bits(bits, size) != text:
        raise Unreadable("bad-identifier", f"{text!r} is no identifier.", text=text)
    return bits
