"""Facts and replays of submitted records; those of a second part are corrected by the first.

The referee judges each file by its bytes alone (ADR 76), and only the first record of a match in two files shows
whether the Crawford game was played before the second begins. The first may be handed in later, so it is looked
up each time the facts are read.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from django.db.models import Q

from engine.errors import EngineError
from engine.formats import json_record
from engine.record import Record
from matches.journal import replays
from matches.journal.replays import Replay
from records import match_parts
from records.base.errors import CannotBeParsed
from records.models import RecordFacts, RecordMatch, Submission, VerdictWord
from records.models.submissions import STANDS
from records.submissions import limited_reading, naming
from tournaments.models import Pairing

# Download formats with their content types.
FILES: Final = {"mat": "text/plain; charset=utf-8", "sgf": "application/x-go-sgf", "json": "application/json"}
MOST_KEPT: Final = 8


def load_facts(row: RecordMatch) -> Record:
    """Load the facts of a match as the referee read them; a second part is corrected by the first.

    :raises CannotBeParsed: the match exceeds the limits.
    :raises FileInProgress: the file, or too many other files, are being read.
    """
    return correct_facts(_require_facts(row.key), find_crawford_correction(row))


def load_replay(row: RecordMatch) -> Replay:
    """Load the replay of a match; raises like `load_facts`."""
    return _load_replay(row.key, find_crawford_correction(row))


@lru_cache(maxsize=MOST_KEPT)
def _load_replay(key: str, crawford_played: bool | None) -> Replay:
    return replays.load_record_replay(correct_facts(_require_facts(key), crawford_played))


def is_refuted(first: RecordMatch, second: RecordMatch) -> bool:
    """True if a second part cannot follow the first: it has a double in the Crawford game.

    Facts that cannot be read refute nothing.

    :raises FileInProgress: they cannot be read at this moment, see `load_facts`.
    """
    played = match_parts.find_crawford_correction(first.verdict, second.verdict)
    if played is None:
        return False
    try:
        return is_illegal(_require_facts(second.key).with_crawford(played=played))
    except CannotBeParsed:
        return False


def _require_facts(key: str) -> Record:
    found = _find_facts(key)
    if found is None:
        raise CannotBeParsed
    return found


# The content of a file and the referee's verdict are immutable.
@lru_cache(maxsize=MOST_KEPT)
def _find_facts(key: str) -> Record | None:
    stored = RecordFacts.objects.filter(match__key=key).values_list("document", flat=True).first()
    try:
        document = _parse_facts(key) if stored is None else zlib.decompress(stored)
    except CannotBeParsed:
        # Cache the failure too, so that an unreadable file does not occupy the child processes.
        return None
    [record] = json_record.parse(document)
    return record


def _parse_facts(key: str) -> bytes:
    number, content = RecordMatch.objects.values_list("number", "file__content").get(key=key)
    return limited_reading.read_facts(bytes(content), number, payers={f"record {key}"})


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
    for pairing, other in _list_related_records(row):
        swapped = _find_swap(pairing, other, row) if other.winner is None else None
        if swapped is None or not match_parts.is_continuation(other.verdict, row.verdict, is_swapped=swapped):
            continue
        return match_parts.find_crawford_correction(other.verdict, row.verdict)
    return None


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
    return record if is_illegal(corrected) else corrected


def is_illegal(record: Record) -> bool:
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
