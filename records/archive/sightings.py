"""The positions of a match, packed: those in which somebody was to roll or double. Pure.

A position is what a Position ID says, the checkers as the side on roll sees them: ten bytes. The cube, the score and who
played which side do not matter. In a match it stands in twelve bytes, with the game it is of and whether White is on roll.

To be found it is one number in an index: 39 bits of the position's hash, and 24 bits of who has it. A million matches have some
170 million positions, so one search in three thousand meets another position of that hash: what is found is compared with the
positions of the match.
"""

from __future__ import annotations

import hashlib
import struct
from base64 import b64decode
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.actions import Doubled, Opened, Rolled
from engine.errors import EngineError
from engine.formats import position_id, xgid
from engine.side import BLACK, WHITE, Side

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from engine.board import Board
    from engine.record import Chapter

LINE: Final = struct.Struct(">10sH")
HASH_BITS: Final = 39
OWNER_BITS: Final = 24
MOST_OWNERS: Final = 1 << OWNER_BITS
MOST_GAMES: Final = 1 << 15


class Sighting(NamedTuple):
    """A position in a match: the game, which of its rolls comes next, and who is on roll."""

    game: int
    roll: int
    side: Side


def key(board: Board, on_roll: Side) -> bytes:
    """Return the ten bytes of a position."""
    return b64decode(position_id.encode(board, on_roll) + "==")


def asked(text: str) -> tuple[Board, Side] | None:
    """Return the board that somebody names by Position ID or XGID; None where it is neither."""
    word = text.strip()
    try:
        if "=" in word or word.count(":") > 1:
            situation = xgid.decode(word)
            return situation.board, situation.turn or WHITE
        return position_id.decode(word.partition(":")[0], WHITE), WHITE
    except EngineError:
        return None


def text(board: Board, on_roll: Side) -> str:
    """Return the Position ID."""
    return position_id.encode(board, on_roll)


def packed(chapters: Iterable[Chapter]) -> bytes:
    """Return the positions of a match in their order."""
    return b"".join(_lines(chapters))


def _lines(chapters: Iterable[Chapter]) -> Iterator[bytes]:
    for number, chapter in enumerate(chapters, 1):
        if number >= MOST_GAMES:
            return
        for moment in chapter.moments:
            match moment.action:
                case Rolled(side=side) | Doubled(side=side):
                    pass
                case Opened(white=white, black=black):
                    side = WHITE if white > black else BLACK
                case _:
                    continue
            yield LINE.pack(key(moment.before.game.board, side), number << 1 | (side is WHITE))


def keys(positions: bytes) -> set[bytes]:
    """Return the different positions of a match."""
    return {found for found, _ in LINE.iter_unpack(positions)}


def sightings(positions: bytes, wanted: bytes) -> list[Sighting]:
    """Return where a position occurs in a match."""
    found, game, roll, last = [], 0, 0, b""
    for each, of in LINE.iter_unpack(positions):
        if of >> 1 != game:
            game, roll, last = of >> 1, 0, b""
        # A double and the roll after it have one position.
        if each != last:
            roll += 1
            if each == wanted:
                found.append(Sighting(game, roll, WHITE if of & 1 else BLACK))
        last = each
    return found


def entry(position: bytes, owner: int) -> int:
    """Return the number by which the index knows that *owner* has a position."""
    return first_entry(position) + owner


def first_entry(position: bytes) -> int:
    """Return the number after which all who have it come."""
    return int.from_bytes(hashlib.blake2b(position, digest_size=8).digest()) >> 64 - HASH_BITS << OWNER_BITS


def owner_of(number: int) -> int:
    """Return who an entry of the index speaks of."""
    return number & (MOST_OWNERS - 1)
