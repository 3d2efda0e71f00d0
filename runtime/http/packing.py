"""Answers go over the wire packed, if they do not fit into one packet anyway.

What is made for one reader is packed by Django's middleware, which pads it at random so that its length tells nothing of a
secret in it (BREACH). What is kept for many is packed once, in pieces: each is a run of deflate blocks that refers to
nothing outside itself, and the reader's secret lies between them unpacked.
"""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, Final

from django.http import HttpResponse
from django.middleware.gzip import GZipMiddleware

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

ONE_PACKET: Final = 1_400
PACKED: Final = ("text/html", "text/csv", "text/plain", "application/json", "application/problem+json")
# A hundredth longer than at the usual level 6, for a quarter less time.
LEVEL: Final = 5
# RFC 1952: deflate, no name, no time, of no known system; RFC 1951: an empty last block.
HEAD: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
LAST_BLOCK: Final = b"\x03\x00"
LONGEST_STORED: Final = 0xFFFF


class PackingMiddleware(GZipMiddleware):
    """Packs texts that are longer than a packet."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Pack it, unless it is a stream, a picture, or short."""
        kind = response.get("Content-Type", "").partition(";")[0]
        if not isinstance(response, HttpResponse) or kind not in PACKED or not is_long(response.content):
            return response
        return super().process_response(request, response)


def is_long(text: bytes) -> bool:
    """Say whether packing saves anything."""
    return len(text) >= ONE_PACKET


def is_accepted(request: HttpRequest) -> bool:
    """Say whether the reader's browser unpacks what is packed."""
    return "gzip" in request.headers.get("Accept-Encoding", "")


def pack(piece: bytes) -> bytes:
    """Pack a piece of a text, so that pieces can be put side by side."""
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)


def join(packed: Sequence[bytes], secret: bytes, text: bytes) -> bytes:
    """Return *text* packed: its packed pieces with the secret between them."""
    if len(secret) > LONGEST_STORED:
        raise ValueError(len(secret))
    between = b"\x00" + struct.pack("<HH", len(secret), len(secret) ^ LONGEST_STORED) + secret
    trailer = struct.pack("<II", zlib.crc32(text), len(text) & 0xFFFFFFFF)
    return HEAD + between.join(packed) + LAST_BLOCK + trailer
