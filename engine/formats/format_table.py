"""The table of known formats, in the order of detection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

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
from engine.formats.foreign_formats import FOREIGN

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.formats.limits import Limits
    from engine.record import Record
    from engine.sheet import Sheet


class Format(NamedTuple):
    """The functions to detect, read and, if supported, write a format."""

    name: str
    suffix: str
    sniff: Callable[[bytes], bool]
    parse: Callable[[bytes, Limits], tuple[Sheet | Record, ...]]
    write: Callable[[Record], bytes] | None = None


FORMATS: Final[dict[str, Format]] = {
    each.name: each
    for each in (
        Format("xg", ".xg", xg.sniff, xg.parse),
        Format("json", ".json", json_record.sniff, json_record.parse, json_record.write),
        Format("sgf", ".sgf", sgf.sniff, sgf.parse, sgf_writer.write),
        Format("bgammon", ".match", bgammon.sniff, bgammon.parse),
        *(Format(each.name, each.suffix, each.sniff, each.parse) for each in FOREIGN),
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
