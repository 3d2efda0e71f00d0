"""A record that goes on from another of the same match: what that one proves of the Crawford game.

The referee judges each file by its bytes alone (ADR 76). Whether the Crawford game is over at the score at which a record begins,
only the part before it can tell. That part may come later, so it is looked up each time the facts are read.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

from engine.errors import EngineError
from records import halves
from records.models import RecordMatch, Submission, VerdictWord
from records.models.submissions import STANDS
from records.selectors import naming

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine.record import Record
    from tournaments.models import Pairing

OF_PAIRING: Final = ("pairing__tournament", "pairing__a__player", "pairing__b__player")
# The other part is among the first few that were handed in.
MOST_OTHERS: Final = 10


def find_crawford(row: RecordMatch) -> bool | None:
    """Return whether the Crawford game was played before this record begins; None where the referee took it for that already."""
    # A record that begins in mid-match is noted.
    if row.word != VerdictWord.NOTED or halves.begins_at(row.verdict) is None:
        return None
    first = next(_firsts(row), None)
    return None if first is None else halves.correct_crawford(first, row.verdict)


def hash_content(row: RecordMatch) -> str:
    """Return the hash of what the facts of a record are read from: its bytes, and what the part before it proves."""
    played = find_crawford(row)
    if played is None:
        return row.file.sha256
    return hashlib.sha256(f"{row.file.sha256} Crawford game played: {played}".encode()).hexdigest()


def correct(record: Record, played: bool | None) -> Record:
    """Return the facts as they are after the part before; those that the part before refutes stay as they are."""
    if played is None:
        return record
    corrected = record.with_crawford(played=played)
    return record if is_refuted(corrected) else corrected


def is_refuted(record: Record) -> bool:
    """True if a fact is illegal, as a double in the Crawford game is."""
    try:
        record.replay()
    except EngineError:
        return True
    return False


def find_seconds(first: RecordMatch) -> list[str]:
    """Return the keys of the records whose facts change by what this one proves."""
    if first.winner is not None or max(first.white_score, first.black_score) != (first.length or 0) - 1:
        return []
    beside = (match for _, match in _list_beside(first) if match.word == VerdictWord.NOTED)
    return [match.key for match in beside if find_crawford(match) is not None]


def _firsts(row: RecordMatch) -> Iterator[Mapping[str, Any]]:
    """Yield the verdicts on the records that stop where this one begins, the one that was judged first first."""
    for pairing, other in _list_beside(row):
        if other.winner is None:
            swapped = _sits_swapped(pairing, other, row)
            if swapped is not None and halves.goes_on(other.verdict, row.verdict, is_swapped=swapped):
                yield other.verdict


def _list_beside(row: RecordMatch) -> Iterator[tuple[Pairing | None, RecordMatch]]:
    """Yield the records that were handed in for the same match of an event, or without one together with this one."""
    for submission in Submission.objects.filter(file=row.file_id).select_related(*OF_PAIRING).order_by("pk"):
        together = (
            {"pairing": submission.pairing}
            if submission.pairing_id
            else {"batch": submission.batch, "pairing": None}
        )
        files = Submission.objects.filter(**together, club=submission.club_id).values("file")
        others = RecordMatch.objects.filter(file__in=files, word__in=STANDS, length=row.length)
        for other in others.exclude(pk=row.pk).order_by("pk")[:MOST_OTHERS]:
            yield submission.pairing, other


def _sits_swapped(pairing: Pairing | None, first: RecordMatch, second: RecordMatch) -> bool | None:
    """Return whether White of the first is Black in the second; None where the names do not tell."""
    swapped = halves.sits_swapped(first.verdict, second.verdict)
    if swapped is not None or pairing is None:
        return swapped
    one, other = (naming.sides(pairing, each.white, each.black)[0] for each in (first, second))
    return one != other if {one, other} <= naming.OTHER.keys() else None
