"""Comparison of a corrected record with its original, line by line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from records.base.errors import CannotBeParsed
from records.models import Submission
from records.submissions import disputes, limited_reading
from records.submissions.disputes import MISSING, ComparedLine, RecordHead
from records.submissions.line_changes import LinePair
from runtime.work.child_processes import FileInProgress

MOST_BYTES: Final = 500_000
# Further lines are only counted.
MOST_SHOWN: Final = 300
MOST_CACHED: Final = 16


@dataclass(frozen=True, slots=True)
class RecordChanges:
    original: Submission
    heads: tuple[RecordHead, RecordHead]
    lines: tuple[ComparedLine, ...]
    left_out: int


def load_record_changes(row: Submission, seen: QuerySet[Submission]) -> RecordChanges | None:
    """Compare a corrected record with its original; None if that is not among *seen* or cannot be read now."""
    if row.mends_id is None or row.file is None:
        return None
    original = seen.filter(pk=row.mends_id).first()
    if original is None or original.file is None:
        return None
    if max(original.file.size, row.file.size) > MOST_BYTES:
        return None
    try:
        found = _find_changes(original.key, row.key)
    except FileInProgress:
        return None
    if found is None:
        return None
    head, changed = found
    # Skip unchanged empty lines.
    pairs = [pair for pair in changed if any(pair.texts)]
    heads = disputes.describe_head(original, _("Original")), disputes.describe_head(row, _("Corrected"))
    shown = tuple(_list_lines(pairs[:MOST_SHOWN], _parse_names(head)))
    return RecordChanges(original, heads, shown, len(pairs) - len(shown))


# The content of a file is immutable.
@lru_cache(maxsize=MOST_CACHED)
def _find_changes(original: str, mended: str) -> tuple[list[str], list[LinePair]] | None:
    rows = Submission.objects.filter(key__in=(original, mended)).values_list("key", "file__content")
    contents = {key: bytes(content) for key, content in rows}
    try:
        return limited_reading.find_changes(contents[original], contents[mended], payers={f"record {mended}"})
    except CannotBeParsed:
        # Cache the failure too, so that an unreadable file does not occupy the child processes.
        return None


def _parse_names(text: Sequence[str]) -> dict[str, str]:
    """Return the player's name for each side letter."""
    fields = dict(line.split(": ", 1) for line in text[:3] if ": " in line)
    return {"W": fields.get("White", ""), "B": fields.get("Black", "")}


def _list_lines(pairs: Sequence[LinePair], names: dict[str, str]) -> Iterator[ComparedLine]:
    for pair in pairs:
        lines = [line for line in pair.texts if line is not None]
        letters = {line[:1] if line[1:2] == " " else "" for line in lines}
        # The letter is replaced by the name, unless the side itself was changed.
        name = names.get(letters.pop(), "") if len(letters) == 1 else ""
        one, other = (
            MISSING if line is None else (line[2:] if name else line) or MISSING for line in pair.texts
        )
        yield ComparedLine(pair.numbers[1] or pair.numbers[0] or 0, name, (one, other), pair.is_changed)
