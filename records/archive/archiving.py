"""Reading of archived matches in batches, by a worker: games, statistics and positions."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from datetime import UTC, date, datetime
from itertools import pairwise
from typing import Any, Final
from zoneinfo import ZoneInfo

import structlog
from django.db import DataError, transaction
from django.db.models import QuerySet

from engine.side import Side
from engine.statistics import compute_statistics
from matches.journal import journal
from matches.models import Match
from matches.watch import exports
from records.archive import match_summaries, sightings
from records.archive.match_summaries import MatchSummary
from records.models import ArchivedGame, ArchivedMatch, ArchivedPositions, ArchivedSide, PositionIndex
from records.submissions import archive_filing
from runtime.work import cpu, sweeps

log = structlog.get_logger(__name__)

PORTION: Final = 50
NOON: Final = 12
# A value that no attempt can store; other errors of a database, such as a lost connection, are raised and retried.
UNSTORABLE: Final = (DataError, ValueError, OverflowError)


def query_due(at: Any) -> Iterator[QuerySet[Any]]:
    """Yield the querysets of pending work, for the sweep's due check."""
    yield ArchivedMatch.objects.filter(is_read=False)
    yield archive_filing.list_unfiled_boards()
    yield archive_filing.list_unfiled_results()
    yield archive_filing.list_unseen_rulings()
    yield archive_filing.list_unfiled_records()


def sweep(now: datetime) -> int:
    """File new matches and read their facts for one time slice, one worker at a time; return their number."""
    ends, done = time.monotonic() + sweeps.SLICE, 0
    with archive_filing.hold_lease(now) as is_ours:
        while is_ours:
            portion = archive_filing.file_new_matches() + read_batch(seconds=ends - time.monotonic())
            done += portion
            if portion < PORTION or time.monotonic() >= ends:
                break
    return done


def read_batch(*, seconds: float = math.inf) -> int:
    """Read the facts of some matches, the oldest first, and store them in one transaction.

    After *seconds* no further match is started, but at least one is read.
    """
    ends = time.monotonic() + seconds
    rows = list(
        ArchivedMatch.objects.filter(is_read=False)
        .select_related("club", "match__white", "match__black", "match__club", "record__file")
        .order_by("pk")[:PORTION]
    )
    found: list[tuple[ArchivedMatch, MatchSummary | None]] = []
    for row in rows:
        if found and time.monotonic() > ends:
            break
        found.append((row, _read_match(row)))
    with transaction.atomic():
        _delete_facts(row for row, _ in found)
        _index_positions([(row, read) for row, read in found if _store_facts(row, read)])
    return len(found)


def _read_match(row: ArchivedMatch) -> MatchSummary | None:
    if row.match is not None:
        record = exports.build_record(row.match)
        read = match_summaries.read_record(record, compute_statistics(record))
        # An online match has its own date and event; its export only repeats them as tags.
        return replace(read, played_on=None, event="", milliseconds=_compute_time_used(row.match))
    if row.record is not None:
        return cpu.run_in_background(
            match_summaries.read_file, bytes(row.record.file.content), row.record.number
        )
    return None


def _compute_time_used(row: Match) -> tuple[int, int]:
    """Return the milliseconds during which each side alone had to act, White's first."""
    used = [0, 0]
    for before, after in pairwise(journal.iterate_steps(row)):
        owing = before.after.owing
        if len(owing) == 1:
            used[owing[0]] += max(0, after.line.at - before.line.at)
    return used[Side.WHITE], used[Side.BLACK]


def _delete_facts(rows: Iterable[ArchivedMatch]) -> None:
    again = [row.pk for row in rows if row.has_facts]
    for kept in ArchivedPositions.objects.filter(archived__in=again):
        owned = {sightings.build_entry(each, kept.pk) for each in sightings.list_keys(bytes(kept.packed))}
        PositionIndex.objects.filter(pk__in=owned).delete()
    ArchivedPositions.objects.filter(archived__in=again).delete()
    ArchivedGame.objects.filter(archived__in=again).delete()


def _store_facts(row: ArchivedMatch, read: MatchSummary | None) -> bool:
    """Store the facts of a match; False if they cannot be stored: then the match has none."""
    try:
        with transaction.atomic():
            _save_facts(row, read)
    except UNSTORABLE:
        log.exception("archive.facts_refused", archived=row.pk)
        ArchivedMatch.objects.filter(pk=row.pk).update(is_read=True, has_facts=False)
        return False
    return True


def _save_facts(row: ArchivedMatch, read: MatchSummary | None) -> None:
    row.is_read, row.has_facts = True, read is not None
    if read is not None:
        row.ending = read.games[-1].how if read.games and not row.ending else row.ending
        row.played_at = _find_noon(row, read.played_on) if read.played_on else row.played_at
        if read.event and row.club_id:
            row.event_name_id = archive_filing.find_name(row.club_id, read.event)
        for number, side in enumerate(read.sides):
            used = None if read.milliseconds is None else read.milliseconds[number]
            figures = asdict(side) | {"milliseconds": used}
            ArchivedSide.objects.filter(archived=row, side=number).update(**figures)
        ArchivedGame.objects.bulk_create(ArchivedGame(archived=row, **game._asdict()) for game in read.games)
        ArchivedPositions.objects.create(archived=row, packed=read.positions)
    row.save(update_fields=["is_read", "has_facts", "ending", "played_at", "event_name"])


def _find_noon(row: ArchivedMatch, day: date) -> datetime:
    """Return noon of a day at the club; a record has no time."""
    zone = ZoneInfo(row.club.time_zone) if row.club else UTC
    return datetime(day.year, day.month, day.day, NOON, tzinfo=zone)


def _index_positions(found: Iterable[tuple[ArchivedMatch, MatchSummary | None]]) -> None:
    """Add the positions to the index, sorted by primary key."""
    entries = sorted(
        sightings.build_entry(each, row.pk)
        for row, read in found
        if read is not None and row.pk < sightings.MOST_OWNERS
        for each in sightings.list_keys(read.positions)
    )
    PositionIndex.objects.bulk_create(map(PositionIndex, entries), ignore_conflicts=True)


@transaction.atomic
def delete_archive() -> None:
    PositionIndex.objects.all().delete()
    ArchivedMatch.objects.all().delete()
    archive_filing.delete_marks()


def fill_archive() -> Iterator[int]:
    """File and read until nothing is left; yield the number of matches per batch."""
    while done := archive_filing.file_new_matches() + read_batch():
        yield done
