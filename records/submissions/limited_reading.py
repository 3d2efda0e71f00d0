"""Uploaded files, unpacked and parsed in limited child processes, never in a web thread.

The files of a request share one budget of number and bytes; the headers of a zip are not trusted.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any, Final

from engine.formats import LIMITS
from records.base.errors import CannotBeParsed, TooManyFiles, TooMuchUnpacked
from records.submissions import parsing_child, unpacking_child
from records.submissions.line_changes import LinePair
from records.submissions.unpacking_child import TOO_MANY_BYTES, TOO_MANY_FILES, Budget, OverBudget, Part
from runtime.work import child_processes

MOST_FILES: Final = 500
MOST_UNPACKED: Final = 24 << 20
UNPACKING_CHILD: Final = Path(unpacking_child.__file__)
UNPACKING_LIMITS: Final = child_processes.Limits(memory=160 << 20)
PARSING_CHILD: Final = Path(parsing_child.__file__)
PARSING_LIMITS: Final = child_processes.Limits(memory=256 << 20, cpu_seconds=5)


def has_zip(files: Iterable[tuple[str, bytes]]) -> bool:
    """True if a zip has to be unpacked."""
    return any(data.startswith(unpacking_child.ZIP) for _name, data in files)


def unpack_files(files: Iterable[tuple[str, bytes]], *, payers: Collection[str] = ()) -> list[Part]:
    """Return the uploaded files, with zips replaced by their content.

    :raises TooManyFiles, TooMuchUnpacked: the whole request is refused.
    :raises FileInProgress: a file of one of the payers, or too many others, are being read.
    """
    budget = Budget(LIMITS.bytes, MOST_FILES, MOST_UNPACKED)
    found: list[list[Part]] = []
    zips: list[tuple[int, str, bytes]] = []
    try:
        for name, data in files:
            shown = unpacking_child.clean_file_name(name)
            found.append([])
            if data.startswith(unpacking_child.ZIP):
                zips.append((len(found) - 1, shown, data))
                continue
            budget.count_file()
            part = _build_part(shown, data)
            budget.count_bytes(len(part.data))
            found[-1].append(part)
        if zips:
            _unpack_zips(zips, budget, found, payers)
    except OverBudget as excess:
        if excess.status == TOO_MANY_FILES:
            raise TooManyFiles(most=MOST_FILES) from excess
        raise TooMuchUnpacked(most=MOST_UNPACKED >> 20) from excess
    return [part for parts in found for part in parts]


def _build_part(name: str, data: bytes) -> Part:
    if unpacking_child.is_other_archive(data):
        return Part(name, refusal="other-archive")
    return Part(name, refusal="too-large") if len(data) > LIMITS.bytes else Part(name, data)


def _unpack_zips(
    zips: list[tuple[int, str, bytes]], budget: Budget, found: list[list[Part]], payers: Collection[str]
) -> None:
    sent = b"".join(unpacking_child.frame_data(data, name=name) for _place, name, data in zips)
    left = map(str, (budget.largest, budget.files, budget.bytes))
    try:
        unpacked = child_processes.run(
            UNPACKING_CHILD, *left, data=sent, limits=UNPACKING_LIMITS, payers=payers
        )
    except child_processes.ChildFailed as error:
        # Out of CPU or memory counts as too much.
        status = TOO_MANY_FILES if error.status == TOO_MANY_FILES else TOO_MANY_BYTES
        raise OverBudget(status) from error
    for head, data in unpacking_child.unframe_data(unpacked):
        found[zips[head["zip"]][0]].append(Part(head["name"], data, head["refusal"]))


def read_facts(data: bytes, number: int, *, payers: Collection[str]) -> bytes:
    """Read the facts of a match in a file, as a document of `engine.formats.json_record`.

    :raises CannotBeParsed: there are none, or too many for the limits.
    :raises FileInProgress: as in `unpack_files`.
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
    return head, [LinePair(tuple(numbers), tuple(numbered)) for numbers, numbered in pairs]


def _run_child(what: str, number: int, data: bytes, payers: Collection[str]) -> bytes:
    try:
        return child_processes.run(
            PARSING_CHILD, what, str(number), data=data, limits=PARSING_LIMITS, payers=payers
        )
    except child_processes.ChildFailed as error:
        raise CannotBeParsed from error
