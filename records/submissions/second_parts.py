"""Second parts of matches: determine whether the Crawford game is over where they begin.

The referee judges each file by its bytes alone (ADR 76), and only the first record shows whether the Crawford
game was played before the second begins. The first may be handed in later, so it is looked up each time the
facts are read.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q

from engine.errors import EngineError
from records import match_parts
from records.models import RecordMatch, Submission, VerdictWord
from records.models.submissions import STANDS
from records.submissions import naming

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine.record import Record
    from tournaments.models import Pairing

OF_PAIRING: Final = ("pairing__tournament", "pairing__a__player", "pairing__b__player")
# Accepted records, and those that may be rejected only because they stop within a game.
USABLE: Final = Q(word__in=STANDS) | Q(word=VerdictWord.REJECTED, winner=None)
# Only the oldest records are searched for the other part.
MOST_OTHERS: Final = 10


def find_crawford_correction(row: RecordMatch) -> bool | None:
    """Find whether the Crawford game was played before this record begins.

    True if it was, False if not; None without a first part, or if the referee assumed the same.
    """
    # A record that begins in the middle of a match always has a finding.
    if row.word != VerdictWord.NOTED or match_parts.find_begin_seam(row.verdict) is None:
        return None
    first = next(_list_first_parts(row), None)
    return None if first is None else match_parts.find_crawford_correction(first, row.verdict)


def hash_content(row: RecordMatch) -> str:
    """Hash what determines the facts of a record: its bytes, and what the part before it proves."""
    played = find_crawford_correction(row)
    if played is None:
        return row.file.sha256
    return hashlib.sha256(f"{row.file.sha256} Crawford game played: {played}".encode()).hexdigest()


def correct_facts(record: Record, played: bool | None) -> Record:
    """Correct the facts by the part before; facts that would become illegal are returned unchanged."""
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


def list_second_parts(first: RecordMatch) -> list[str]:
    """Find the keys of the records whose facts this one corrects."""
    if first.winner is not None or max(first.white_score, first.black_score) != (first.length or 0) - 1:
        return []
    beside = (match for _, match in _list_related_records(first) if match.word == VerdictWord.NOTED)
    return [match.key for match in beside if find_crawford_correction(match) is not None]


def _list_first_parts(row: RecordMatch) -> Iterator[Mapping[str, Any]]:
    """Yield the verdicts on the records that stop where this one begins, the oldest first."""
    for pairing, other in _list_related_records(row):
        if other.winner is None:
            swapped = _find_swap(pairing, other, row)
            if swapped is not None and match_parts.is_continuation(
                other.verdict, row.verdict, is_swapped=swapped
            ):
                yield other.verdict


def _list_related_records(row: RecordMatch) -> Iterator[tuple[Pairing | None, RecordMatch]]:
    """Yield the records submitted for the same match of an event, or, without an event, in the same batch."""
    for submission in Submission.objects.filter(file=row.file_id).select_related(*OF_PAIRING).order_by("pk"):
        together = (
            {"pairing": submission.pairing}
            if submission.pairing_id
            else {"batch": submission.batch, "pairing": None}
        )
        files = Submission.objects.filter(**together, club=submission.club_id).values("file")
        others = RecordMatch.objects.filter(USABLE, file__in=files, length=row.length)
        for other in others.exclude(pk=row.pk).order_by("pk")[:MOST_OTHERS]:
            if match_parts.can_be_part(other.verdict):
                yield submission.pairing, other


def _find_swap(pairing: Pairing | None, first: RecordMatch, second: RecordMatch) -> bool | None:
    """True if White of the first is Black in the second, False if not; None if the names do not show it."""
    swapped = match_parts.find_swap(first.verdict, second.verdict)
    if swapped is not None or pairing is None:
        return swapped
    one, other = (naming.name_sides(pairing, each.white, each.black)[0] for each in (first, second))
    return one != other if {one, other} <= match_parts.OTHER.keys() else None
