"""A mended record beside the original: what was changed, line by line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from engine import formats
from engine.errors import EngineError
from engine.formats import typed
from engine.formats.decoding import decode
from records import changes, typed_lines
from records.selectors import beside
from records.selectors.beside import MISSING, LineBeside, RecordHead

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.db.models import QuerySet

    from records.changes import LinePair
    from records.models import Submission

MOST_BYTES: Final = 500_000
# A page has so many of these lines at most; what is beyond is counted.
MOST_SHOWN: Final = 300


@dataclass(frozen=True, slots=True)
class MendedView:
    """What was changed in a record that was mended."""

    original: Submission
    heads: tuple[RecordHead, RecordHead]
    lines: tuple[LineBeside, ...]
    left_out: int


def of(row: Submission, seen: QuerySet[Submission]) -> MendedView | None:
    """Return a mended record beside its original, None where that is not among those *seen* or has no lines."""
    if row.mends_id is None or row.file is None:
        return None
    original = seen.filter(pk=row.mends_id).first()
    if original is None or original.file is None:
        return None
    if max(original.file.size, row.file.size) > MOST_BYTES:
        return None
    try:
        after = decode(bytes(row.file.content)).text.split("\n")
        before = changes.likest(after, _versions(bytes(original.file.content)))
    except (EngineError, ValueError):
        return None
    # Empty lines that stayed say nothing.
    pairs = [pair for pair in changes.of_lines(before, after) if any(pair.told)]
    heads = beside.head(original, _("Original")), beside.head(row, _("Mended"))
    shown = tuple(_lines(pairs[:MOST_SHOWN], _names(after)))
    return MendedView(original, heads, shown, len(pairs) - len(shown))


def _versions(content: bytes) -> list[list[str]]:
    """Return each match of a file as the lines that were there to be mended."""
    matches = map(typed_lines.of, formats.read(content))
    return [typed.text_of(match.head, match.lines).decode().split("\n") for match in matches]


def _names(text: Sequence[str]) -> dict[str, str]:
    """Return who plays the side of each letter."""
    said = dict(line.split(": ", 1) for line in text[:3] if ": " in line)
    return {"W": said.get("White", ""), "B": said.get("Black", "")}


def _lines(pairs: Sequence[LinePair], names: dict[str, str]) -> Iterator[LineBeside]:
    for pair in pairs:
        told = [line for line in pair.told if line is not None]
        letters = {line[:1] if line[1:2] == " " else "" for line in told}
        # One letter for both stands for a name; where the side was changed, both say it.
        name = names.get(letters.pop(), "") if len(letters) == 1 else ""
        one, other = (
            MISSING if line is None else (line[2:] if name else line) or MISSING for line in pair.told
        )
        yield LineBeside(pair.numbers[1] or pair.numbers[0] or 0, name, (one, other), pair.is_changed)
