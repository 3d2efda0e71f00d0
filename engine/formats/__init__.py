"""Match records in all formats: detect the format by content, read and write."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple, NoReturn

from engine.errors import Impossible, Unreadable
from engine.formats import (
    bgammon,
    gam,
    ids,
    json_record,
    mat,
    oldmoves,
    sgf,
    sgf_writer,
    sgg,
    tmg,
    transcript,
    xg,
)
from engine.formats.decoding import recode_head
from engine.formats.limits import LIMITS, Limits
from engine.record import Record
from engine.sheet import Sheet

__all__ = ["FORMATS", "LIMITS", "Format", "Limits", "read", "sniff", "write"]

HEAD: Final = 2_000


class Format(NamedTuple):
    """The functions to detect, read and, if supported, write a format."""

    name: str
    suffix: str
    sniff: Callable[[bytes], bool]
    parse: Callable[[bytes, Limits], tuple[Sheet | Record, ...]]
    write: Callable[[Record], bytes] | None = None


def _build_foreign_format(name: str, suffix: str, pattern: bytes, advice: str) -> Format:
    """Build a format that is only detected, by its first bytes: reading it raises Unreadable with the advice."""
    shape = re.compile(pattern)

    def sniff(data: bytes) -> bool:
        return shape.match(data[:HEAD]) is not None

    def parse(_data: bytes, _limits: Limits) -> NoReturn:
        raise Unreadable("unsupported-format", advice, format=name)

    return Format(name, suffix, sniff, parse)


FOREIGN: Final = (
    _build_foreign_format(
        "bgblitz",
        ".bgf",
        rb'\s*\{\s*"format"\s*:\s*"BGF"',
        "This is a file of BGBlitz; export the match from BGBlitz as .mat.",
    ),
    _build_foreign_format(
        "bgroom",
        ".bgf",
        rb"\s*BGF version",
        "This is a file of BGRoom; open it in GNU Backgammon and export the match as .mat.",
    ),
    _build_foreign_format(
        "jellyfish-position",
        ".pos",
        rb"[\x7c-\x7e]\x00",
        "This is one position of Jellyfish and holds no match; send the match as .mat.",
    ),
    _build_foreign_format(
        "partygammon",
        ".gam",
        rb"\s*BOARDID=",
        "This is a file of PartyGammon; open it in eXtreme Gammon and export the match as .mat.",
    ),
)
# In the order of detection.
FORMATS: Final[dict[str, Format]] = {
    each.name: each
    for each in (
        Format("xg", ".xg", xg.sniff, xg.parse),
        Format("json", ".json", json_record.sniff, json_record.parse, json_record.write),
        Format("sgf", ".sgf", sgf.sniff, sgf.parse, sgf_writer.write),
        Format("bgammon", ".match", bgammon.sniff, bgammon.parse),
        *FOREIGN,
        Format("typed", ".txt", transcript.sniff, transcript.parse),
        Format("mat", ".mat", mat.sniff, mat.parse, mat.write),
        Format("snowie-position", ".txt", ids.SNOWIE.sniff, ids.SNOWIE.parse, ids.SNOWIE.write),
        Format("oldmoves", ".fibs", oldmoves.sniff, oldmoves.parse),
        Format("sgg", ".sgg", sgg.sniff, sgg.parse),
        Format("tmg", ".tmg", tmg.sniff, tmg.parse),
        Format("gam", ".gam", gam.sniff, gam.parse),
        Format("xgid", ".txt", ids.XGID.sniff, ids.XGID.parse, ids.XGID.write),
        Format("fibs-board", ".txt", ids.FIBS.sniff, ids.FIBS.parse, ids.FIBS.write),
        Format("ogid", ".txt", ids.OGID.sniff, ids.OGID.parse, ids.OGID.write),
        Format("gnubg-id", ".txt", ids.GNUBG.sniff, ids.GNUBG.parse, ids.GNUBG.write),
    )
}


def sniff(data: bytes) -> str:
    """Detect the name of the format of *data*, independently of the file name.

    >>> sniff(b"(;FF[4]GM[6])"), sniff(b"4HPwATDgc/ABMA:cInlAAAAAAAE")
    ('sgf', 'gnubg-id')
    """
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
    each = FORMATS.get(name)
    if each is None or each.write is None:
        raise Impossible("unwritable-format", f"Nothing is written as {name} here.", format=name)
    return each.write(record)
