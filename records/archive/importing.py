"""Import a folder of records: judged in parallel processes, stored in batches by this one.

Each batch is a transaction, and known files are recognised by hash, so that an interrupted import can be
repeated.
"""

from __future__ import annotations

import hashlib
import multiprocessing
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from django.db import IntegrityError, transaction

from engine.errors import Unreadable
from engine.formats import LIMITS
from players.keys import new_key
from records.models import RecordFile, RecordMatch, Submission
from records.models.submissions import STANDS
from records.submissions import filing, judging, submissions
from records.submissions.judging import Judged

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Future
    from datetime import datetime

    from engine.cli.sources import Source
    from players.models import Club

PORTION: Final = 100
NOT_YET: Final = Judged("", ())


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file during the import: its content, verdict, and the keys of its matches once stored."""

    name: str
    data: bytes = b""
    sha256: str = ""
    judged: Judged = NOT_YET
    is_known: bool = False
    keys: tuple[str | None, ...] = ()

    @property
    def is_kept(self) -> bool:
        """True if it was read completely and can be stored."""
        return bool(self.sha256)

    def line(self) -> dict[str, Any]:
        """The output of the command for this file; for several matches, lists of winners, scores and keys."""
        verdicts = self.judged.verdicts
        keys = self.keys or (None,) * len(verdicts)
        return {
            "file": self.name,
            "verdict": self.judged.word,
            "winner": _one_or_all([each["winner"] for each in verdicts]),
            "score": _one_or_all([each["score"] for each in verdicts]),
            "match": _one_or_all(list(keys)),
            "findings": [finding for each in verdicts for finding in each["findings"]],
        }


def _one_or_all(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values


def import_records(
    *, club: Club, found: Iterable[Source], now: datetime, jobs: int = 2, is_dry: bool = False
) -> Iterator[dict[str, Any]]:
    """Judge files, store them unless *is_dry*, and yield the output for each, in order."""
    batch = new_key()
    with Referees(jobs) as referees:
        for portion in referees.judged(_read(club, found)):
            kept = portion if is_dry else _kept(club, portion, batch=batch, now=now)
            for each in kept:
                yield each.line()


def _read(club: Club, found: Iterable[Source]) -> Iterator[list[ReadFile]]:
    """Read files in batches; files known to the club get their stored verdict."""
    files = map(_opened, found)
    while portion := list(islice(files, PORTION)):
        yield _recalled(club, portion)


def _opened(source: Source) -> ReadFile:
    try:
        data = source.read()
    except Unreadable as error:
        return ReadFile(source.name, judged=judging.build_refused_verdict(error))
    if len(data) > LIMITS.bytes:  # not complete: the referee refuses it, and it is not stored
        return ReadFile(source.name, data)
    return ReadFile(source.name, data, hashlib.sha256(data).hexdigest())


def _recalled(club: Club, portion: Sequence[ReadFile]) -> list[ReadFile]:
    """Add stored verdicts to files that were judged before."""
    hashes = {each.sha256 for each in portion if each.is_kept}
    rows = RecordFile.objects.filter(club=club, sha256__in=hashes, judged_at__isnull=False)
    known = {row.sha256: row for row in rows.defer("content").prefetch_related("matches")}
    return [_with_row(each, known[each.sha256]) if each.sha256 in known else each for each in portion]


def _with_row(read: ReadFile, row: RecordFile) -> ReadFile:
    matches = sorted(row.matches.all(), key=lambda match: match.number)
    judged = Judged(row.word, tuple(match.verdict for match in matches))
    return replace(read, judged=judged, is_known=True, keys=tuple(map(_key, matches)))


def _key(match: RecordMatch) -> str | None:
    return match.key if match.word in STANDS else None


def _kept(club: Club, portion: Sequence[ReadFile], *, batch: str, now: datetime) -> list[ReadFile]:
    try:
        return _stored(club, portion, batch=batch, now=now)
    except IntegrityError:
        # One of the files was submitted concurrently: use the stored row.
        return _stored(club, _recalled(club, portion), batch=batch, now=now)


@transaction.atomic
def _stored(club: Club, portion: Sequence[ReadFile], *, batch: str, now: datetime) -> list[ReadFile]:
    """Store files, verdicts and submissions of a batch; duplicate files are stored once."""
    fresh: dict[str, ReadFile] = {}
    for each in portion:
        if each.is_kept and not each.is_known:
            fresh.setdefault(each.sha256, each)
    waiting = RecordFile.objects.filter(club=club, sha256__in=fresh, judged_at__isnull=True).defer("content")
    rows = {row.sha256: row for row in waiting}
    made = [_row(club, each, now) for sha256, each in fresh.items() if sha256 not in rows]
    for row in rows.values():
        submissions.settle(row, fresh[row.sha256].judged, now=now)
    RecordFile.objects.bulk_create(made)
    matches = [
        match
        for row in made
        for match in submissions.build_matches(row, fresh[row.sha256].judged.verdicts, now=now)
    ]
    filing.file_records(RecordMatch.objects.bulk_create(matches))
    by_hash = {row.sha256: row for row in made}
    handed = [each for each in fresh.values() if each.sha256 in by_hash]
    Submission.objects.bulk_create(
        Submission(club=club, batch=batch, name=each.name[-200:], file=by_hash[each.sha256], at=now)
        for each in handed
    )
    keys: dict[str, list[str | None]] = {}
    for match in matches:
        keys.setdefault(match.file.sha256, []).append(_key(match))
    found = [
        replace(each, keys=tuple(keys[each.sha256])) if each.sha256 in keys else each for each in portion
    ]
    return _recalled(club, found) if rows else found


def _row(club: Club, read: ReadFile, now: datetime) -> RecordFile:
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


class Referees:
    """Worker processes of the referee. If one dies, its files are judged one by one, and the one that
    kills it again is unreadable.
    """

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._pool = self._new_pool(jobs)

    def __enter__(self) -> Referees:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def judged(self, portions: Iterator[list[ReadFile]]) -> Iterator[list[ReadFile]]:
        """Yield the batches with verdicts, in order, reading only few ahead."""
        under_way: deque[tuple[list[ReadFile], Future[list[Judged]]]] = deque()
        for portion in portions:
            under_way.append((portion, self._send(portion)))
            if len(under_way) > self.jobs + 1:
                yield self._take(*under_way.popleft())
        while under_way:
            yield self._take(*under_way.popleft())

    def _send(self, portion: Sequence[ReadFile]) -> Future[list[Judged]]:
        data = _to_judge(portion)
        try:
            return self._pool.submit(judging.judge_all, data)
        except BrokenProcessPool:
            self._pool = self._new_pool(self.jobs)
            return self._pool.submit(judging.judge_all, data)

    def _take(self, portion: list[ReadFile], future: Future[list[Judged]]) -> list[ReadFile]:
        try:
            found = future.result()
        except BrokenProcessPool:
            found = [self._alone(data) for data in _to_judge(portion)]
        verdicts = iter(found)
        return [each if each.judged.word else replace(each, judged=next(verdicts)) for each in portion]

    def _alone(self, data: bytes) -> Judged:
        with self._new_pool(1) as pool:
            try:
                return pool.submit(judging.judge_file, data).result()
            except BrokenProcessPool:
                return judging.build_died_verdict()

    def _new_pool(self, jobs: int) -> ProcessPoolExecutor:
        # A forked child would inherit database connections.
        return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"))


def _to_judge(portion: Sequence[ReadFile]) -> list[bytes]:
    return [each.data for each in portion if not each.judged.word]
