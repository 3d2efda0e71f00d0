"""Import of a folder of records: judged in parallel processes, stored in batches by this one.

Each batch is a transaction, and known files are recognised by hash, so that an interrupted import can be
repeated.
"""

from __future__ import annotations

import hashlib
import multiprocessing
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any, Final

from django.db import IntegrityError, transaction

from engine.cli.archives import Source
from engine.errors import Unreadable
from engine.formats import LIMITS
from players.keys import new_key
from players.models import Club
from records.models import RecordFile, RecordMatch, Submission
from records.models.submissions import STANDS
from records.submissions import archive_filing, judging, submissions
from records.submissions.judging import Judgement

PORTION: Final = 100
NOT_YET: Final = Judgement("", ())


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """A file during the import: its content, verdict, and the keys of its matches once stored."""

    name: str
    data: bytes = b""
    sha256: str = ""
    judged: Judgement = NOT_YET
    is_known: bool = False
    keys: tuple[str | None, ...] = ()

    @property
    def is_kept(self) -> bool:
        """True if the file was read completely, so that it can be stored."""
        return bool(self.sha256)

    def line(self) -> dict[str, Any]:
        """Return the output of the command for this file; for several matches, lists of winners, scores and keys."""
        verdicts = self.judged.verdicts
        keys = self.keys or (None,) * len(verdicts)
        return {
            "file": self.name,
            "verdict": self.judged.word,
            "winner": _unwrap_single([each["winner"] for each in verdicts]),
            "score": _unwrap_single([each["score"] for each in verdicts]),
            "match": _unwrap_single(list(keys)),
            "findings": [finding for each in verdicts for finding in each["findings"]],
        }


def _unwrap_single(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values


def import_records(
    *, club: Club, found: Iterable[Source], now: datetime, jobs: int = 2, is_dry: bool = False
) -> Iterator[dict[str, Any]]:
    """Judge files, store them unless *is_dry*, and yield the output for each, in order."""
    batch = new_key()
    with RefereePool(jobs) as referees:
        files = map(_read_source, found)
        batches = iter(lambda: list(islice(files, PORTION)), [])
        for portion in referees.judged(_add_stored_verdicts(club, each) for each in batches):
            kept = portion if is_dry else _store_batch(club, portion, batch=batch, now=now)
            for each in kept:
                yield each.line()


def _read_source(source: Source) -> ImportedFile:
    try:
        data = source.read()
    except Unreadable as error:
        return ImportedFile(source.name, judged=judging.build_refused_verdict(error))
    if len(data) > LIMITS.bytes:  # not complete: the referee refuses it, and it is not stored
        return ImportedFile(source.name, data)
    return ImportedFile(source.name, data, hashlib.sha256(data).hexdigest())


def _add_stored_verdicts(club: Club, portion: Sequence[ImportedFile]) -> list[ImportedFile]:
    hashes = {each.sha256 for each in portion if each.is_kept}
    rows = RecordFile.objects.filter(club=club, sha256__in=hashes, judged_at__isnull=False)
    known = {row.sha256: row for row in rows.defer("content").prefetch_related("matches")}
    return [
        _add_stored_verdict(each, known[each.sha256]) if each.sha256 in known else each for each in portion
    ]


def _add_stored_verdict(read: ImportedFile, row: RecordFile) -> ImportedFile:
    matches = sorted(row.matches.all(), key=lambda match: match.number)
    judged = Judgement(row.word, tuple(match.verdict for match in matches))
    return replace(read, judged=judged, is_known=True, keys=tuple(map(_get_accepted_key, matches)))


def _get_accepted_key(match: RecordMatch) -> str | None:
    return match.key if match.word in STANDS else None


def _store_batch(
    club: Club, portion: Sequence[ImportedFile], *, batch: str, now: datetime
) -> list[ImportedFile]:
    try:
        return _insert_batch(club, portion, batch=batch, now=now)
    except IntegrityError:
        # One of the files was submitted concurrently: use the stored row.
        return _insert_batch(club, _add_stored_verdicts(club, portion), batch=batch, now=now)


@transaction.atomic
def _insert_batch(
    club: Club, portion: Sequence[ImportedFile], *, batch: str, now: datetime
) -> list[ImportedFile]:
    """Store files, verdicts and submissions of a batch; duplicate files are stored once."""
    fresh: dict[str, ImportedFile] = {}
    for each in portion:
        if each.is_kept and not each.is_known:
            fresh.setdefault(each.sha256, each)
    waiting = RecordFile.objects.filter(club=club, sha256__in=fresh, judged_at__isnull=True).defer("content")
    rows = {row.sha256: row for row in waiting}
    made = [_build_row(club, each, now) for sha256, each in fresh.items() if sha256 not in rows]
    for row in rows.values():
        submissions.store_verdict(row, fresh[row.sha256].judged, now=now)
    RecordFile.objects.bulk_create(made)
    matches = [
        match
        for row in made
        for match in submissions.build_matches(row, fresh[row.sha256].judged.verdicts, now=now)
    ]
    archive_filing.file_records(RecordMatch.objects.bulk_create(matches))
    by_hash = {row.sha256: row for row in made}
    handed = [each for each in fresh.values() if each.sha256 in by_hash]
    Submission.objects.bulk_create(
        Submission(club=club, batch=batch, name=each.name[-200:], file=by_hash[each.sha256], at=now)
        for each in handed
    )
    keys: dict[str, list[str | None]] = {}
    for match in matches:
        keys.setdefault(match.file.sha256, []).append(_get_accepted_key(match))
    found = [
        replace(each, keys=tuple(keys[each.sha256])) if each.sha256 in keys else each for each in portion
    ]
    return _add_stored_verdicts(club, found) if rows else found


def _build_row(club: Club, read: ImportedFile, now: datetime) -> RecordFile:
    return RecordFile(
        club=club,
        sha256=read.sha256,
        size=len(read.data),
        content=read.data,
        kept_at=now,
        word=read.judged.word,
        judged_at=now,
        attempts=1,
    )


class RefereePool:
    """Worker processes of the referee.

    If one dies, its files are judged one by one, and a file that kills a process again is unreadable.
    """

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._pool = self._create_pool(jobs)

    def __enter__(self) -> RefereePool:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def judged(self, portions: Iterator[list[ImportedFile]]) -> Iterator[list[ImportedFile]]:
        """Yield the batches in order, with verdicts; only a few are read ahead."""
        under_way: deque[tuple[list[ImportedFile], Future[list[Judgement]]]] = deque()
        for portion in portions:
            under_way.append((portion, self._submit_batch(portion)))
            if len(under_way) > self.jobs + 1:
                yield self._collect_batch(*under_way.popleft())
        while under_way:
            yield self._collect_batch(*under_way.popleft())

    def _submit_batch(self, portion: Sequence[ImportedFile]) -> Future[list[Judgement]]:
        data = _list_unjudged(portion)
        try:
            return self._pool.submit(judging.judge_files, data)
        except BrokenProcessPool:
            self._pool = self._create_pool(self.jobs)
            return self._pool.submit(judging.judge_files, data)

    def _collect_batch(
        self, portion: list[ImportedFile], future: Future[list[Judgement]]
    ) -> list[ImportedFile]:
        try:
            found = future.result()
        except BrokenProcessPool:
            found = [self._judge_alone(data) for data in _list_unjudged(portion)]
        verdicts = iter(found)
        return [each if each.judged.word else replace(each, judged=next(verdicts)) for each in portion]

    def _judge_alone(self, data: bytes) -> Judgement:
        with self._create_pool(1) as pool:
            try:
                return pool.submit(judging.judge_file, data).result()
            except BrokenProcessPool:
                return judging.build_crash_verdict()

    def _create_pool(self, jobs: int) -> ProcessPoolExecutor:
        # A forked child would inherit database connections.
        return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"))


def _list_unjudged(portion: Sequence[ImportedFile]) -> list[bytes]:
    return [each.data for each in portion if not each.judged.word]
