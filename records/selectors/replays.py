"""A record that was handed in, to be watched again: the facts that the referee accepted, and nothing else."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from engine import formats
from engine.verdict import adjudicate
from matches.selectors import replays
from records.models import RecordFile, RecordMatch, VerdictWord

if TYPE_CHECKING:
    from engine.record import Record
    from matches.selectors.replays import Replay
    from records.models import Submission

MOST_KEPT: Final = 8
# Of a record that was rejected nobody knows what happened.
STANDS: Final = (VerdictWord.ACCEPTED, VerdictWord.NOTED)


def find(row: Submission, number: int) -> RecordMatch | None:
    """Return the match of this number in a file, if its record stands."""
    return RecordMatch.objects.filter(file=row.file_id, number=number, word__in=STANDS).first()


def facts(row: RecordMatch) -> Record:
    """Return what happened in a match, as the referee took it from the file."""
    return _facts(row.file_id, row.number)


def replay(row: RecordMatch) -> Replay:
    """Return the match as it is watched again."""
    return _replay(row.file_id, row.number)


# The bytes of a file never change, and the same referee makes the same of them.
@lru_cache(maxsize=MOST_KEPT)
def _facts(file: int, number: int) -> Record:
    content = RecordFile.objects.values_list("content", flat=True).get(pk=file)
    return adjudicate(formats.read(bytes(content))[number - 1]).record


@lru_cache(maxsize=MOST_KEPT)
def _replay(file: int, number: int) -> Replay:
    return replays.of_record(_facts(file, number))
