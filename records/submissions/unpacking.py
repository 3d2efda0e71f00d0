"""The files to judge in a request, within one budget of files, bytes and CPU.

Zips are unpacked in a limited child process, never in a web thread, and their headers are not trusted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

from engine.formats import LIMITS
from records.base.errors import TooManyFiles, TooMuchUnpacked
from records.submissions import unpacking_child
from records.submissions.unpacking_child import TOO_MANY_BYTES, TOO_MANY_FILES, Budget, OverBudget, Part
from runtime.work import child_processes

MOST_FILES: Final = 500
MOST_UNPACKED: Final = 24 << 20
CHILD: Final = Path(unpacking_child.__file__)
CHILD_LIMITS: Final = child_processes.Limits(memory=160 << 20)


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
        unpacked = child_processes.run(CHILD, *left, data=sent, limits=CHILD_LIMITS, payers=payers)
    except child_processes.ChildFailed as error:
        # Out of CPU or memory counts as too much.
        status = TOO_MANY_FILES if error.status == TOO_MANY_FILES else TOO_MANY_BYTES
        raise OverBudget(status) from error
    for head, data in unpacking_child.unframe_data(unpacked):
        found[zips[head["zip"]][0]].append(Part(head["name"], data, head["refusal"]))
