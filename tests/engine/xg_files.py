"""Writes small eXtreme Gammon files, for the tests of the reader and for its fuzzing."""

from __future__ import annotations

import struct
import zlib

SIZE = 2560
START = (0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0)
NOTHING = (0,) * 26


def record(kind, *parts):
    """A record of *kind* with struct formats and their values at offsets: (offset, format, *values)."""
    made = bytearray(SIZE)
    made[8] = kind
    for offset, layout, *values in parts:
        struct.pack_into("<" + layout, made, offset, *values)
    return bytes(made)


def short(text):
    raw = text.encode("cp1252", "replace")
    return bytes([len(raw)]) + raw


def wide(text):
    return text.encode("utf-16-le") + b"\0\0"


def match_header(
    white="Ada", black="Bo", length=5, variation=0, version=32, rules=(1, 0, 0), narrow=None, **texts
):
    parts = [
        (9, "41s", short(narrow or white)),
        (50, "41s", short(black)),
        (92, "2i3B", length, variation, *rules),
        (104, "2d2id", texts.get("rating", 1600.0), 1500.5, 7, 8, texts.get("days", 45000.25)),
        (136, "129s", short(texts.get("event", ""))),
        (283, "129s", short(texts.get("site", ""))),
        (552, "i4s", version, b"DMLI"),
    ]
    if version >= 24:
        wides = {
            880: white,
            1138: black,
            622: texts.get("event", ""),
            1396: texts.get("site", ""),
            1960: texts.get("transcriber", ""),
        }
        parts += [(offset, "258s", wide(text)) for offset, text in wides.items()]
    return record(0, *parts)


def game_header(score=(0, 0), number=1, crawford=0, doubled=0):
    return record(1, (12, "2iB", *score, crawford), (48, "i", number), (64, "i", doubled))


def cube(player=1, double=0, take=-1, beaver=-1, raccoon=-1, cube=0, before=START, edited=0):
    return record(
        2, (12, "6i", player, double, take, beaver, raccoon, cube), (36, "26b", *before), (296, "B", edited)
    )


def seen(numbers):
    """The same board from the other side."""
    return tuple(-number for number in reversed(numbers))


def played(before, moves, player=1):
    """Carry out (from, to) pairs of the mover's 0-based points; return the mover's view."""
    board = list(before if player == 1 else seen(before))
    for source, target in moves:
        board[source + 1] -= 1
        if target >= 0:
            if board[target + 1] == -1:
                board[target + 1] = 0
                board[0] -= 1
            board[target + 1] += 1
    return tuple(board)


def move(dice, moves, player=1, before=START, after=None, cube=0, edited=0, filler=-1):
    flat = [point for pair in moves for point in pair]
    flat += [filler] * (8 - len(flat))
    after = played(before, moves, player) if after is None else after
    return record(
        3,
        (9, "26b", *before),
        (35, "26b", *after),
        (64, "i8i2ii", player, *flat, *dice, cube),
        (2528, "B", edited),
    )


def game_footer(score=(1, 0), winner=1, points=1, termination=0):
    return record(4, (12, "2i", *score), (24, "3i", winner, points, termination))


def match_footer():
    return record(5)


def container(files, *, stored=False, **how):
    """The file around *files*, a dict of names and contents."""
    return box(
        {
            name: (
                content if stored else zlib.compress(content, 1),
                len(content),
                zlib.crc32(content),
                stored,
            )
            for name, content in files.items()
        },
        **how,
    )


def box(streams, *, thumbnail=b"", packed_index=True, checksum=None):
    """The file around *streams*: (packed bytes, size, checksum, stored) for each name."""
    body, index = b"", b""
    for name, (raw, size, crc, stored) in streams.items():
        index += struct.pack(
            "<256s256s3iIBB2x", short(name), short(""), size, len(raw), len(body), crc, stored, 2
        )
        body += raw
    if packed_index:
        index = zlib.compress(index)
    total = zlib.crc32(body + index) if checksum is None else checksum
    header = struct.pack("<4sIIqI", b"RGMH", 1, 8232, 0, len(thumbnail)).ljust(8232, b"\0")
    trailer = struct.pack("<I5i12x", total, len(streams), 1, len(index), len(body), packed_index)
    return header + thumbnail + body + index + trailer


def bomb(record, count, size=None):
    """A small file that holds *record* so many times, and may lie about its *size*."""
    packer = zlib.compressobj(9)
    head = match_header() + game_header()
    raw, checksum = packer.compress(head), zlib.crc32(head)
    for _ in range(count // 100):
        raw += packer.compress(record * 100)
        checksum = zlib.crc32(record * 100, checksum)
    raw += packer.flush()
    real = len(head) + count // 100 * 100 * SIZE
    return box({"temp.xg": (raw, real if size is None else size, checksum, False)})


def xg(*records, **how):
    return container({"temp.xg": b"".join(records), "temp.xgi": records[0] + records[-1]}, **how)
