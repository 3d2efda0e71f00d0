"""Small files that are expensive to parse."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib


def progressive(scans: int, *, side: int = 64, tail: bytes = b"") -> bytes:
    """A grey progressive JPEG with this many scans.

    All but the first are empty, but each covers all pixels.
    """

    def segment(marker: int, body: bytes) -> bytes:
        return bytes([0xFF, marker]) + struct.pack(">H", len(body) + 2) + body

    def scan(number: int) -> bytes:
        first, last, high, low = (
            (0, 0, 0, 1) if number == 0 else (0, 0, 1, 0) if number % 2 else (1, 63, 0, 0)
        )
        return segment(0xDA, bytes([1, 1, 0, first, last, high << 4 | low]))

    tables = segment(0xDB, bytes([0] + [1] * 64))
    frame = segment(0xC2, struct.pack(">BHHB", 8, side, side, 1) + bytes([1, 0x11, 0]))
    codes = segment(0xC4, bytes([0x00, 1] + [0] * 15 + [0])) + segment(
        0xC4, bytes([0x10, 1] + [0] * 15 + [0xE0])
    )
    return b"\xff\xd8" + tables + frame + codes + b"".join(map(scan, range(scans))) + b"\xff\xd9" + tail


def chunk(name: bytes, body: bytes = b"") -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png(*more: bytes) -> bytes:
    """Return a PNG of one grey pixel, with more chunks before it."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    return (
        b"\x89PNG\r\n\x1a\n" + head + b"".join(more) + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND")
    )


def packed_text(size: int) -> bytes:
    """A chunk of compressed text that expands to this many bytes."""
    return chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(size)))


def packed_profile(size: int) -> bytes:
    """A chunk with a compressed colour profile that expands to this many bytes."""
    return chunk(b"iCCP", b"a\0\0" + zlib.compress(bytes(size)))


def zip_of(files: int, size: int, *, seed: int = 0) -> bytes:
    """Return a zip of highly compressible files of *size* bytes; their contents depend on the seed."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(files):
            name = f"{seed}-{number}.mat"
            archive.writestr(name, name.encode().ljust(size))
    return packed.getvalue()


def zip_of_zips(files: int, size: int) -> bytes:
    """Return a zip of zips, each of which expands to *size*."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for number in range(files):
            archive.writestr(f"{number}.zip", zip_of(1, size, seed=number))
    return packed.getvalue()


def zip_of_nested(files: int, size: int) -> bytes:
    """Return a zip of members that look like archives, each of which is refused after it was expanded."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(files):
            archive.writestr(f"{number}.gz", b"\x1f\x8b".ljust(size))
    return packed.getvalue()
