"""Packed positions of a match: those in which a side was to roll or double. Pure.

The key of a position is its Position ID: ten bytes with the checkers from the view of the side on roll,
without cube, score and colour. In a match it takes twelve bytes, with the game's number and whether White is
on roll.

In the index it is one number: 39 bits of the position's hash, and 24 bits of the match's number. A million
matches have some 170 million positions, so one search in three thousand has a hash collision; results are
therefore compared with the positions of the match.
"""

from __future__ import annotations

import hashlib
import struct
from base64 import b64decode
from collections.abc import Iterable
from itertools import islice
from typing import Final, NamedTuple

from engine.actions import Doubled, Opened, Rolled
from engine.board import Board
from engine.errors import EngineError
from engine.formats import position_id, xgid
from engine.record import Chapter
from engine.side import BLACK, WHITE, Side

LINE: Final = struct.Struct(">10sH")
HASH_BITS: Final = 39
OWNER_BITS: Final = 24
MOST_OWNERS: Final = 1 << OWNER_BITS
MOST_GAMES: Final = 1 << 15


class Sighting(NamedTuple):
    """A position in a match: the game, the number of the next roll, and the side on roll."""

    game: int
    roll: int
    side: Side


def build_key(board: Board, on_roll: Side) -> bytes:
    """Return the ten bytes of the Position ID."""
    return b64decode(position_id.encode(board, on_roll) + "==")


def parse_position(text: str) -> tuple[Board, Side] | None:
    """Parse a Position ID or XGID; None if it is neither."""
    word = text.strip()
    try:
        if "=" in word or word.count(":") > 1:
            situation = xgid.decode(word)
            return situation.board, situation.turn or WHITE
        return position_id.decode(word.partition(":")[0], WHITE), WHITE
    except EngineError:
        return None


def pack_positions(chapters: Iterable[Chapter]) -> bytes:
    packed = bytearray()
    for number, chapter in enumerate(islice(chapters, MOST_GAMES - 1), 1):
        for moment in chapter.moments:
            match moment.action:
                case Rolled(side=side) | Doubled(side=side):
                    pass
                case Opened(white=white, black=black):
                    side = WHITE if white > black else BLACK
                case _:
                    continue
            packed += LINE.pack(build_key(moment.before.game.board, side), number << 1 | (side is WHITE))
    return bytes(packed)


def list_keys(positions: bytes) -> set[bytes]:
    return {found for found, _ in LINE.iter_unpack(positions)}


def find_sightings(positions: bytes, wanted: bytes) -> list[Sighting]:
    found, game, roll, last = [], 0, 0, b""
    for each, of in LINE.iter_unpack(positions):
        if of >> 1 != game:
            game, roll, last = of >> 1, 0, b""
        # A double and the roll after it have the same position.
        if each != last:
            roll += 1
            if each == wanted:
                found.append(Sighting(game, roll, WHITE if of & 1 else BLACK))
        last = each
    return found


def build_entry(position: bytes, owner: int) -> int:
    return build_first_entry(position) + owner


def build_first_entry(position: bytes) -> int:
    """Return the lower bound of all entries of a position."""
    return int.from_bytes(hashlib.blake2b(position, digest_size=8).digest()) >> 64 - HASH_BITS << OWNER_BITS
