"""A record as the lines in which it is mended, whatever its format. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engine import formats
from engine.formats import typed
from engine.record import Record

if TYPE_CHECKING:
    from engine.sheet import Sheet


class TypedMatch(NamedTuple):
    """What is said of the whole match, and its games, a claim a line."""

    head: dict[str, Any]
    lines: list[str]


def of(source: Sheet | Record) -> TypedMatch:
    """Return all that a match of a record claims.

    :raises EngineError: it cannot be written so.
    """
    if isinstance(source, Record):
        # A document of ours says facts: they are written as a sheet says them.
        source = formats.read(formats.write(source, "mat"))[0]
    assert not isinstance(source, Record)  # noqa: S101 - what was written as rows is read as rows
    return TypedMatch(typed.head_of(source), typed.lines_of(source))
