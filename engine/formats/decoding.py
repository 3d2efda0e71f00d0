"""Bytes to text: detect the encoding and the newlines, and refuse binary data (Q-01)."""

from __future__ import annotations

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE

from engine.errors import Unreadable
from engine.formats.limits import LIMITS, Limits

MARKS = {BOM_UTF8: "utf-8-sig", BOM_UTF16_LE: "utf-16-le", BOM_UTF16_BE: "utf-16-be"}
# An even number of bytes, from which every format can be detected.
HEAD = 8_192


def decode(data: bytes, limits: Limits = LIMITS) -> str:
    r"""Decode *data* by its byte order mark, else as UTF-16 or UTF-8 if it looks like it, else Windows-1252.

    The lines of the text end in ``\n``.

    >>> decode("\ufeffGame 1\r\n".encode())
    'Game 1\n'
    >>> decode("Løve".encode("cp1252"))
    'Løve'
    """
    limits.check("bytes", len(data))
    text = data.decode(_detect_encoding(data), "replace").removeprefix("\ufeff")
    if "\0" in text:
        raise Unreadable("not-text", "This is not a text file.")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    # Of several files that were joined to one, each may begin with a mark.
    text = text.replace("\n\ufeff", "\n")
    limits.check("lines", text.count("\n"))
    return text


def recode_head(data: bytes) -> bytes:
    r"""Return the beginning of *data* as plain UTF-8 if it is UTF-16 or has a byte order mark, else nothing.

    >>> recode_head("Game 1".encode("utf-16")), recode_head("\ufeffGame 1".encode()), recode_head(b"Game 1")
    (b'Game 1', b'Game 1', b'')
    """
    if _detect_encoding(data[:3]) not in MARKS.values():
        return b""
    try:
        return decode(data[:HEAD]).encode()
    except Unreadable:
        return b""


def _detect_encoding(data: bytes) -> str:
    for mark, encoding in MARKS.items():
        if data.startswith(mark):
            return encoding
    if data[:2].count(0) == 1:  # one of the first two bytes is zero: a Western character in UTF-16
        return "utf-16-be" if data[0] == 0 else "utf-16-le"
    try:
        data.decode()
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"
