"""Match records in all formats: detect the format by content, read and write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import Impossible, Unreadable
from engine.formats.decoding import recode_head
from engine.formats.limits import LIMITS, Limits
from engine.sheet import Sheet

if TYPE_CHECKING:
    from engine.formats.format_table import FORMATS, Format
    from engine.record import Record

__all__ = ["FORMATS", "LIMITS", "Format", "Limits", "read", "sniff", "write"]


def __getattr__(name: str) -> object:
    """Load the table of all formats on first access, so that a user of one format imports only that."""
    if name not in {"FORMATS", "Format"}:
        raise AttributeError(name)
    from engine.formats import format_table

    return getattr(format_table, name)


def sniff(data: bytes) -> str:
    """Detect the name of the format of *data*, independently of the file name.

    >>> sniff(b"(;FF[4]GM[6])"), sniff(b"4HPwATDgc/ABMA:cInlAAAAAAAE")
    ('sgf', 'gnubg-id')
    """
    from engine.formats.format_table import FORMATS

    # Formats are detected in their bytes.
    recoded = recode_head(data)
    for name, each in FORMATS.items():
        if each.sniff(data) or (recoded and each.sniff(recoded)):
            return name
    raise Unreadable("unknown-format", "This is no record of a backgammon match that is known here.")


def read(data: bytes, *, limits: Limits = LIMITS) -> tuple[Sheet | Record, ...]:
    """Return the matches in *data*: sheets of claims or, from our own format, a `Record`."""
    limits.check("bytes", len(data))
    if not data.strip():
        raise Unreadable("empty-file", "The file is empty.")
    from engine.formats.format_table import FORMATS

    found = FORMATS[sniff(data)].parse(data, limits)
    for each in found:
        for text in _list_texts(each):
            limits.check("letters", len(text))
    return found


def _list_texts(source: Sheet | Record) -> tuple[str, ...]:
    """Return the names and tags, whose lengths are limited."""
    names = source.names if isinstance(source, Sheet) else source.players
    return (*names, *(text for tag in source.tags for text in tag))


def write(record: Record, name: str) -> bytes:
    """Return *record* in the named format; raises Impossible for a format that is only read."""
    from engine.formats.format_table import FORMATS

    each = FORMATS.get(name)
    if each is None or each.write is None:
        raise Impossible("unwritable-format", f"Nothing is written as {name} here.", format=name)
    return each.write(record)
