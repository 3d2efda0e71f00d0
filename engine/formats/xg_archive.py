"""eXtreme Gammon's container format: a header, a picture, packed streams, an index, a trailer.

The trailer at the end has the places of the index and of the streams; each stream is plain zlib data with its
size and checksum in the index. Unpacking stops at the limits.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine.errors import Unreadable
from engine.formats.limits import Limits

MAGIC: Final = b"RGMH"
HEADER: Final = 8232
TRAILER: Final = struct.Struct("<I5i12x")
ENTRY: Final = struct.Struct("<256s256s3iIBB2x")
MOST_ENTRIES: Final = 64
# The chunk size for the unpacker; zlib expands one byte to at most about a thousand.
BITE: Final = 4096


def build_damage_error(sentence: str) -> Unreadable:
    return Unreadable(
        "damaged-file",
        f"This eXtreme Gammon file is damaged: {sentence}. "
        "Save it once more in eXtreme Gammon, or export the match as text.",
    )


@dataclass(frozen=True, slots=True)
class Stream:
    """One file of the archive, packed unless ``stored``."""

    packed: bytes
    size: int
    checksum: int
    stored: bool

    def pieces(self, limits: Limits) -> Iterator[bytes]:
        """Yield the unpacked data piece by piece; size and checksum are verified only at the end."""
        limits.check("unpacked", self.size)
        size = checksum = 0
        for piece in self._unpack():
            size += len(piece)
            if size > self.size:
                break
            checksum = zlib.crc32(piece, checksum)
            yield piece
        if size != self.size:
            raise build_damage_error("a part of it has not the size it should have")
        if checksum != self.checksum:
            raise build_damage_error("the checksum of a part of it is wrong")

    def _unpack(self) -> Iterator[bytes]:
        bites = (self.packed[start : start + BITE] for start in range(0, len(self.packed), BITE))
        if self.stored:
            yield from bites
            return
        unpacker = zlib.decompressobj()
        try:
            for bite in bites:
                yield unpacker.decompress(bite)
        except zlib.error:
            raise build_damage_error("a part of it cannot be unpacked") from None


def open_archive(data: bytes) -> tuple[dict[str, Stream], bool]:
    """Return the streams by their names, and True if the checksum over the whole container is right.

    Raises Unreadable if the trailer or the index is invalid.
    """
    if len(data) < HEADER + TRAILER.size:
        raise build_damage_error("it is too short")
    checksum, count, _, index_size, data_size, packed = TRAILER.unpack_from(data, len(data) - TRAILER.size)
    end = len(data) - TRAILER.size
    start = end - index_size - data_size
    if min(index_size, data_size) < 0 or start < HEADER or not 0 < count <= MOST_ENTRIES:
        raise build_damage_error("its table of contents is not where it should be")
    body = data[start : start + data_size]
    index = data[start + data_size : end]
    entries = ENTRY.iter_unpack(_read_index(index, ENTRY.size * count, bool(packed)))
    streams = {_read_short_string(name): _build_stream(body, *where) for name, _, *where in entries}
    return streams, zlib.crc32(data[start:end]) == checksum


def _read_index(index: bytes, size: int, packed: bool) -> bytes:
    if packed:
        try:
            index = zlib.decompressobj().decompress(index, size + 1)
        except zlib.error:
            raise build_damage_error("its table of contents cannot be unpacked") from None
    if len(index) != size:
        raise build_damage_error("its table of contents has not the size it should have")
    return index


def _build_stream(
    body: bytes, size: int, packed: int, start: int, checksum: int, stored: int, _: int
) -> Stream:
    if min(size, packed, start) < 0 or start + packed > len(body):
        raise build_damage_error("its table of contents names what is not there")
    return Stream(body[start : start + packed], size, checksum, bool(stored))


def _read_short_string(name: bytes) -> str:
    """Parse a Pascal string: its length, then its characters."""
    return name[1 : 1 + name[0]].decode("cp1252", "replace").lower()
