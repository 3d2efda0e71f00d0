"""Parsing of uploaded records in a limited child process, never in a web thread.

:raises FileInProgress: from any function here, if a file of the payer, or too many others, are being parsed.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

from records.base.errors import CannotBeParsed
from records.submissions import parsing_child, unpacking_child
from records.submissions.line_changes import LinePair
from runtime.work import child_processes

CHILD: Final = Path(parsing_child.__file__)
LIMITS: Final = child_processes.Limits(memory=256 << 20, cpu_seconds=5)


def read_facts(data: bytes, number: int, *, payers: Collection[str]) -> bytes:
    """Read the facts of a match in a file, as a document of `engine.formats.json_record`.

    :raises CannotBeParsed: there are none, or too many for the limits.
    """
    return _run_child("facts", number, data, payers)


def read_lines(data: bytes, number: int, *, payers: Collection[str]) -> tuple[dict[str, Any], list[str]]:
    """Read the head of a match in a file, and its lines for a correction.

    :raises CannotBeParsed: it is unreadable, or exceeds the limits.
    """
    head, lines = json.loads(_run_child("lines", number, data, payers))
    return head, lines


def find_changes(
    original: bytes, mended: bytes, *, payers: Collection[str]
) -> tuple[list[str], list[LinePair]]:
    """Return the head of a corrected record, and its changes.

    :raises CannotBeParsed: one of them has no lines, or exceeds the limits.
    """
    both = unpacking_child.frame_data(original) + unpacking_child.frame_data(mended)
    head, pairs = json.loads(_run_child("changes", 0, both, payers))
    return head, [LinePair(tuple(numbers), tuple(told)) for numbers, told in pairs]


def _run_child(what: str, number: int, data: bytes, payers: Collection[str]) -> bytes:
    try:
        return child_processes.run(CHILD, what, str(number), data=data, limits=LIMITS, payers=payers)
    except child_processes.ChildFailed as error:
        raise CannotBeParsed from error
