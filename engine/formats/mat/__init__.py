"""The ``.mat`` family: the score sheets of Jellyfish, gnubg, XG and every site, in all their dialects."""

from __future__ import annotations

import re
from typing import Final

from engine.errors import Unreadable
from engine.formats.decoding import decode
from engine.formats.limits import LIMITS, Limits
from engine.formats.mat.reader import MatReader
from engine.formats.mat.writer import write
from engine.sheet import Sheet

__all__ = ["parse", "sniff", "write"]

SNIFFED: Final = 1 << 16
SIGN: Final = re.compile(
    r"^[ \t]*(?:-?\d{1,7}[ \t]+points?[ \t]+match\b|Game[ \t]+\d{1,7}[ \t]*$)", re.IGNORECASE | re.MULTILINE
)


def sniff(data: bytes) -> bool:
    """True if this looks like a score sheet.

    >>> sniff(b" 5 point match\\n"), sniff(b"Score is 0-0 in a 5 point match.\\n")
    (True, False)
    """
    try:
        text = decode(data[:SNIFFED])
    except Unreadable:
        return False
    return text.lstrip().startswith("; [") or SIGN.search(text) is not None


def parse(data: bytes, limits: Limits = LIMITS) -> tuple[Sheet, ...]:
    return MatReader(decode(data, limits), limits).sheets()
