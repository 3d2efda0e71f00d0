"""Bytes to text: detect the encoding and the newlines, and refuse binary data (Q-01)."""

from __future__ import annotations

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from typing import NamedTuple

from engine.errors import Unreadable
from engine.formats.limits import LIMITS, Limits

MARKS = {BOM_UTF8: "utf-8-sig", BOM_UTF16_LE: "utf-16-le", BOM_UTF16_BE: "utf-16-be"}


class DecodedText(NamedTuple):
    """Text whose lines end in ``\\n``, and its original encoding."""

    text: str
    encoding: str


def decode(data: bytes, limits: Limits = LIMITS) -> DecodedText:
    r"""Decode *data*: UTF-8 or UTF-16 if valid, else Windows-1252.

    >>> decode("\ufeffGame 1\r\n".encode())
    DecodedText(text='Game 1\n', encoding='utf-8-sig')
    >>> decode("Løve".encode("cp1252"))
    DecodedText(text='Løve', encoding='cp1252')
    """
    limits.check("bytes", len(data))
    encoding = _detect_encoding(data)
    text = data.decode(encoding, "replace").removeprefix("\ufeff")
    if "\0" in text:
        raise Unreadable("not-text", "This is not a text file.")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    limits.check("lines", text.count("\n"))
    return DecodedText(text, encoding)


def _detect_encoding(data: bytes) -> str:
    for mark, encoding in MARKS.items():
        if data.startswith(mark):
            return encoding
    if data[:2].count(0) == 1:  # the first character is a Western one, and takes two bytes
        return "utf-16-be" if data[0] == 0 else "utf-16-le"
    try:
        data.decode()
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"
