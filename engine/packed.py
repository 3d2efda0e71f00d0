"""A position as one integer: the storage of boards, and the reason why plays are found quickly.

Only `engine.board`, the modules that find and check plays, and `matches.brain` use this module.

A position is seen from one side, the mover. It has 26 bytes, with point 0 in the lowest byte: the low half of
a byte counts the mover's checkers on that point in the mover's numbering, the high half the opponent's. Bytes
0 and 25 hold the checkers beside the board::

    byte 0    mover's checkers off, opponent's on the bar
    byte 25   mover's checkers on the bar, opponent's off

So a step is one addition, and so is a whole play, hits included: the sum of its steps. The other side's view
is the same bytes in reverse order with their halves exchanged.

A lane is the same 26 bytes with one side's counts alone, at most 15 in each. Bit 4 of a byte is then free: a
constant added to all bytes at once carries into it exactly where a count is large enough. Such bits are
called flags; shifted up by a die they mark the sources of steps that land on the flagged points.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

SIZE: Final = 26
LONGEST_STEP: Final = 12


def fill_bytes(value: int, first: int = 0, last: int = 25) -> int:
    return sum(value << 8 * point for point in range(first, last + 1))


LANE: Final = fill_bytes(0x0F)
# Added to a lane, these raise a flag where there is at least one checker, or at least two.
ONE: Final = fill_bytes(15)
TWO: Final = fill_bytes(14)
FLAGS: Final = fill_bytes(0x10)
BOARD: Final = fill_bytes(0x10, 1, 24)
FLAG: Final = tuple(0x10 << 8 * point for point in range(SIZE))
OFF: Final = FLAG[0]
THEIR_BAR: Final = 0xF0
# The shift of a position down to the bar, or of a lane down to the first point outside the home board.
BAR: Final = 8 * 25
OUTSIDE: Final = 8 * 7

# STEPS[pips][source] moves a checker, or bears it off; HITS also sends a blot on the target to the bar.
STEPS: Final = tuple(
    [(1 << 8 * max(source - pips, 0)) - (1 << 8 * source) for source in range(SIZE)]
    for pips in range(LONGEST_STEP)
)
HITS: Final = tuple(
    [step + 0x10 - (0x10 << 8 * max(source - pips, 0)) for source, step in enumerate(steps)]
    for pips, steps in enumerate(STEPS)
)

_EXCHANGED: Final = bytes((byte & 15) << 4 | byte >> 4 for byte in range(256))
_NOT_OFF: Final = fill_bytes(0xFF, 1, 24) | 0xF0 | 0x0F << BAR
_LETTERS: Final = bytes(
    ord("-") if not byte else ord("A") - 1 + byte if byte < 16 else ord("a") - 1 + (byte >> 4)
    for byte in range(256)
)


def pack_counts(mine: Sequence[int], theirs: Sequence[int]) -> int:
    """Return the position of two sides, each counted on its own 26 points, off first and bar last."""
    both = [own | other << 4 for own, other in zip(mine, reversed(theirs), strict=True)]
    return int.from_bytes(both, "little")


def list_counts(position: int) -> tuple[int, ...]:
    """Return the mover's checkers on each of the 26 points."""
    return tuple((position & LANE).to_bytes(SIZE, "little"))


def mirror_position(position: int) -> int:
    """Return the same position from the other side's point of view."""
    return int.from_bytes(position.to_bytes(SIZE, "little").translate(_EXCHANGED), "big")


def format_letters(position: int) -> str:
    """Return a letter for each byte, without those off: capitals for the mover, small for the opponent."""
    return (position & _NOT_OFF).to_bytes(SIZE, "little").translate(_LETTERS).decode("ascii")


def is_blot(position: int, point: int) -> bool:
    """True if a single checker of the opponent is on the mover's *point*."""
    return 0 < point < BAR // 8 and position >> 8 * point + 4 & 15 == 1


def is_over(position: int) -> bool:
    """True if one of the sides has borne off everything (R40)."""
    return not (position & LANE) >> 8 or not position >> 4 & LANE >> 8
