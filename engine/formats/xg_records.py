"""eXtreme Gammon's records of 2,560 bytes, of which only a few types are needed to read matches.

Numbers are little-endian; byte 8 of a record is its type. Player 1 becomes White. Boards are 26 numbers from
the mover's or player 1's view, depending on the record; 25 is the bar and 0 the other side's.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Final, NamedTuple, TypeAlias

from engine.errors import Unreadable
from engine.side import BySide, Side

SIZE: Final = 2560
MONEY: Final = 99999
UNICODE_SINCE: Final = 24
EDITED_SINCE: Final = 24
DOUBLED_SINCE: Final = 26
HIGHEST_CUBE: Final = 20
# The ending of a game: 0 a drop, 1 to 3 borne off; this is added for a resignation.
RESIGNED: Final = 100
MATCH_RESIGNED: Final = 104
SETTLED: Final = 1000
FIRST_DAY: Final = date(1899, 12, 30)

Numbers: TypeAlias = tuple[int, ...]


class MatchHeader(NamedTuple):
    """Type 0: the players, the rules and the tags."""

    names: BySide[str]
    length: int
    variation: int
    crawford: bool
    jacoby: bool
    beavers: bool
    version: int
    tags: tuple[tuple[str, str], ...]


class GameHeader(NamedTuple):
    """Type 1: the score before a game; ``doubled`` is the number of automatic doubles."""

    score: BySide[int]
    crawford: bool
    doubled: int


class CubeRecord(NamedTuple):
    """Type 2, before every roll: the cube actions. ``cube`` is +n if White owns a cube of 2 to the n."""

    side: Side
    double: int
    take: int
    beaver: int
    raccoon: int
    cube: int
    before: Numbers
    edited: bool


class MoveRecord(NamedTuple):
    """Type 3: a roll and its play. ``before`` is White's view, ``after`` the mover's."""

    side: Side
    dice: tuple[int, int]
    moves: Numbers
    cube: int
    before: Numbers
    after: Numbers
    edited: bool


class GameFooter(NamedTuple):
    """Type 4: the winner of a game, and how it ended."""

    winner: Side
    points: int
    termination: int


XgRecord: TypeAlias = MatchHeader | GameHeader | CubeRecord | MoveRecord | GameFooter


def read_records(pieces: Iterator[bytes]) -> Iterator[XgRecord]:
    """Parse the records of an unpacked stream; types that are not about play are skipped."""
    version = 0
    number = 0
    rest = b""
    for piece in pieces:
        rest += piece
        whole = len(rest) // SIZE * SIZE
        for start in range(0, whole, SIZE):
            number += 1
            reader = READERS.get(rest[start + 8])
            if reader is None:
                continue
            try:
                record = reader(rest[start : start + SIZE], version)
            except (KeyError, ValueError):
                raise build_record_error(number) from None
            if isinstance(record, MatchHeader):
                version = record.version
            yield record
        rest = rest[whole:]
    if rest:
        raise build_record_error(number + 1)


def build_record_error(number: int) -> Unreadable:
    return Unreadable(
        "damaged-file",
        f"Record {number} of this eXtreme Gammon file cannot be read. Export the match as text and send that.",
        record=number,
    )


def _read_match_header(record: bytes, _: int) -> MatchHeader:
    (version,) = _INT.unpack_from(record, 552)
    length, variation, crawford, jacoby, beavers = _RULES.unpack_from(record, 92)
    first_rating, second_rating, first_games, second_games, days = _RATINGS.unpack_from(record, 104)
    name = _read_wide_text if version >= UNICODE_SINCE else _read_narrow_text
    tags = {
        "Event": name(record, 622, 136),
        "Round": name(record, 1654, 417),
        "Site": name(record, 1396, 283),
        "EventDate": _format_date(days),
        "Transcriber": _read_wide_text(record, 1960, 0) if version >= UNICODE_SINCE else "",
        "Player 1 Elo": _format_rating(first_rating, first_games),
        "Player 2 Elo": _format_rating(second_rating, second_games),
    }
    return MatchHeader(
        names=BySide(name(record, 880, 9), name(record, 1138, 50)),
        length=0 if length == MONEY else length,
        variation=variation,
        crawford=crawford,
        jacoby=jacoby,
        beavers=beavers,
        version=version,
        tags=tuple((key, value) for key, value in tags.items() if value),
    )


def _read_game_header(record: bytes, version: int) -> GameHeader:
    white, black, crawford = _GAME.unpack_from(record, 12)
    (doubled,) = _INT.unpack_from(record, 64)
    if version < DOUBLED_SINCE:
        doubled = 0
    elif doubled < 0:
        raise ValueError(doubled)
    return GameHeader(BySide(white, black), crawford, _require_power(doubled))


def _read_cube(record: bytes, version: int) -> CubeRecord:
    player, double, take, beaver, raccoon, cube = _CUBE.unpack_from(record, 12)
    edited = version >= EDITED_SINCE and record[296] != 0
    before = _BOARD.unpack_from(record, 36)
    return CubeRecord(PLAYERS[player], double, take, beaver, raccoon, _require_power(cube), before, edited)


def _read_move(record: bytes, version: int) -> MoveRecord:
    player, *moves, high, low, cube = _MOVE.unpack_from(record, 64)
    if not all(-1 <= source <= 24 for source in moves[::2]) or not all(-6 <= to <= 24 for to in moves[1::2]):
        raise ValueError(moves)
    return MoveRecord(
        side=PLAYERS[player],
        dice=(high, low),
        moves=tuple(moves),
        cube=_require_power(cube),
        before=_BOARD.unpack_from(record, 9),
        after=_BOARD.unpack_from(record, 35),
        edited=version >= EDITED_SINCE and record[2528] != 0,
    )


def _read_game_footer(record: bytes, _: int) -> GameFooter:
    winner, points, termination = _END.unpack_from(record, 24)
    if points < 0:
        raise ValueError(points)
    return GameFooter(PLAYERS[winner], points, termination)


READERS: Final[dict[int, Callable[[bytes, int], XgRecord]]] = {
    0: _read_match_header,
    1: _read_game_header,
    2: _read_cube,
    3: _read_move,
    4: _read_game_footer,
}
PLAYERS: Final = {1: Side.WHITE, -1: Side.BLACK}

_INT: Final = struct.Struct("<i")
_BOARD: Final = struct.Struct("<26b")
_RULES: Final = struct.Struct("<2i3?")
_RATINGS: Final = struct.Struct("<2d2id")
_GAME: Final = struct.Struct("<2i?")
_CUBE: Final = struct.Struct("<6i")
_MOVE: Final = struct.Struct("<i8i2ii")
_END: Final = struct.Struct("<3i")


def _require_power(power: int) -> int:
    """Validate the number of turns of a cube, signed by its owner."""
    if abs(power) > HIGHEST_CUBE:
        raise ValueError(power)
    return power


def _read_wide_text(record: bytes, start: int, narrow: int) -> str:
    """Decode UTF-16 up to the first zero; if that is empty, decode the older short string at *narrow*."""
    raw = record[start : start + 258]
    end = next((at for at in range(0, len(raw), 2) if raw[at : at + 2] == b"\0\0"), len(raw))
    return _clean_text(raw[:end].decode("utf-16-le", "replace")) or (
        _read_narrow_text(record, start, narrow) if narrow else ""
    )


def _read_narrow_text(record: bytes, _: int, start: int) -> str:
    """Decode a Pascal string in Windows-1252."""
    return _clean_text(record[start + 1 : start + 1 + record[start]].decode("cp1252", "replace"))


def _clean_text(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text).strip()


def _format_rating(rating: float, games: int) -> str:
    return f"{rating:.2f}/{games}" if 0 < rating < 10_000 else ""


def _format_date(days: float) -> str:
    """Format a Delphi date, days since 30 December 1899, as ``2012.05.31``; "" if there is none."""
    if not 1 < days < 100_000:
        return ""
    return (FIRST_DAY + timedelta(days=int(days))).strftime("%Y.%m.%d")
