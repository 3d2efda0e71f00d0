"""Replays of submitted records, from the facts that the referee accepted."""

from __future__ import annotations

import zlib
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from engine.formats import json_record
from matches.journal import replays
from records import match_parts
from records.base.errors import CannotBeParsed
from records.models import RecordFacts, RecordMatch
from records.submissions import parsing, second_parts

if TYPE_CHECKING:
    from engine.record import Record
    from matches.journal.replays import Replay

MOST_KEPT: Final = 8


def load_facts(row: RecordMatch) -> Record:
    """Load the facts of a match as the referee read them; a second part is corrected by the first.

    :raises CannotBeParsed: the match exceeds the limits.
    :raises FileInProgress: the file, or too many other files, are being read.
    """
    return second_parts.correct_facts(_require_facts(row.key), second_parts.find_crawford_correction(row))


def load_replay(row: RecordMatch) -> Replay:
    """Load the replay of a match; raises like `load_facts`."""
    return _load_replay(row.key, second_parts.find_crawford_correction(row))


@lru_cache(maxsize=MOST_KEPT)
def _load_replay(key: str, crawford_played: bool | None) -> Replay:
    return replays.load_record_replay(second_parts.correct_facts(_require_facts(key), crawford_played))


def is_refuted(first: RecordMatch, second: RecordMatch) -> bool:
    """True if a second part cannot follow the first: it has a double in the Crawford game.

    Facts that cannot be read refute nothing.

    :raises FileInProgress: they cannot be read at this moment, see `load_facts`.
    """
    played = match_parts.find_crawford_correction(first.verdict, second.verdict)
    if played is None:
        return False
    try:
        return second_parts.is_refuted(_require_facts(second.key).with_crawford(played=played))
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
    kept = RecordFacts.objects.filter(match__key=key).values_list("document", flat=True).first()
    try:
        document = _parse_facts(key) if kept is None else zlib.decompress(kept)
    except CannotBeParsed:
        # Cache the failure too, so that an unreadable file does not occupy the child processes.
        return None
    [record] = json_record.parse(document)
    return record


def _parse_facts(key: str) -> bytes:
    """Parse the facts of a match from its file."""
    number, content = RecordMatch.objects.values_list("number", "file__content").get(key=key)
    return parsing.read_facts(bytes(content), number, payers={f"record {key}"})
