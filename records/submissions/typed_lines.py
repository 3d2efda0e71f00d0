"""Conversion of a record of any format to lines for a correction. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engine import formats
from engine.formats import transcript
from engine.record import Record

if TYPE_CHECKING:
    from engine.sheet import Sheet


class TypedMatch(NamedTuple):
    """The head of a match, and its games with one claim per line."""

    head: dict[str, Any]
    lines: list[str]


def build_typed_match(source: Sheet | Record) -> TypedMatch:
    """Convert all claims of a match.

    :raises EngineError: it cannot be written as lines.
    """
    if isinstance(source, Record):
        # Our own format contains facts: convert them to a score sheet.
        source = formats.read(formats.write(source, "mat"))[0]
    assert not isinstance(source, Record)  # noqa: S101 - what was written as rows is read as rows
    return TypedMatch(transcript.serialize_head(source), transcript.list_lines(source))
