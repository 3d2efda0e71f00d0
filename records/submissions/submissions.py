"""Submission of files: the content is stored unchanged, and a worker judges it."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from datetime import datetime
from typing import Any, Final, NamedTuple

import structlog
from django.db import transaction
from django.db.models import Count, F, Q

from matches.hooks import record_changed
from players.files import uploads
from players.keys import new_key
from players.models import Club, Player, User
from records.base import live, quotas
from records.base.errors import NotAMemberHere, NothingHandedIn
from records.models import RecordFacts, RecordFile, RecordMatch, Submission
from records.models.submissions import ADJUDICATE
from records.submissions import archive_filing, judging, limited_reading, record_outcomes, replays
from records.submissions.judging import Judgement
from records.submissions.unpacking_child import Part
from runtime.models import Queue
from runtime.work import cpu, outbox
from tournaments.models import Pairing

log = structlog.get_logger(__name__)

# A file that killed its process this often is not tried again.
MOST_ATTEMPTS: Final = 3


class Seat(NamedTuple):
    """A submitter with the code of a match: player, opponent and browser."""

    entry_id: int
    opponent_id: int
    device: str


class SentFile(NamedTuple):
    name: str
    data: bytes


def hand_in(
    *,
    club: Club,
    by: User | Seat,
    files: Iterable[SentFile],
    now: datetime,
    pairing: Pairing | None = None,
    mends: Submission | None = None,
    payers: Collection[str] = (),
) -> list[Submission]:
    """Store the uploaded files and queue their verdicts; return the submissions in order.

    A `Seat` holds the code of *pairing* and need not be a member.

    :raises NotAMemberHere: the user is not a member of the club.
    :raises NothingHandedIn, TooManyFiles, TooMuchUnpacked, QuotaReached: nothing is stored.
    :raises RetryLater: a concurrent upload of one of the payers, or the rate limit; nothing is stored.
    """
    who: dict[str, Any]
    theirs: dict[str, Any]
    if isinstance(by, Seat):
        # The quotas count the submissions for this seat from any browser.
        who, theirs, paying = by._asdict(), {"pairing": pairing, "entry": by.entry_id}, set(payers)
    elif by.has_perm("records.hand_in", club):
        who = theirs = {"by": by}
        paying = {*payers, f"account {by.pk}"}
    else:
        raise NotAMemberHere
    sent = [each for each in files if each.data]
    # Without zips nothing is decoded here, so only the quotas apply.
    with uploads.count_upload(paying if limited_reading.has_zip(sent) else (), now=now):
        found = limited_reading.unpack_files(sent, payers=paying)
    if not found:
        raise NothingHandedIn
    own = Submission.objects.filter(**theirs)
    batch = new_key()
    with transaction.atomic():
        quotas.require_room(club, own, _list_new_sizes(club, found), files=len(found), now=now)
        rows = [
            Submission.objects.create(
                club=club,
                batch=batch,
                name=part.name,
                file=None if part.refusal else _store_file(club, part, is_held=pairing is not None, now=now),
                refusal=part.refusal,
                pairing=pairing,
                mends=mends,
                at=now,
                **who,
            )
            for part in found
        ]
        judged = [row for row in rows if row.file and row.file.judged_at]
        record_outcomes.queue_decisions((row for row in judged if row.pairing), now=now)
        matches = RecordMatch.objects.filter(file__in=[row.file_id for row in judged])
        _notify_second_parts(matches.defer("verdict"), now=now)
        return rows


def _list_new_sizes(club: Club, found: Sequence[Part]) -> Collection[int]:
    """Return the sizes of files that are new to the club, each once."""
    sizes = {_compute_sha256(part): len(part.data) for part in found if not part.refusal}
    known = RecordFile.objects.filter(club=club, sha256__in=sizes).values_list("sha256", flat=True)
    return [sizes[each] for each in sizes.keys() - set(known)]


def _compute_sha256(part: Part) -> str:
    return hashlib.sha256(part.data).hexdigest()


def _store_file(club: Club, part: Part, *, is_held: bool, now: datetime) -> RecordFile:
    """Store the content once per club, and queue its verdict once."""
    sha256 = _compute_sha256(part)
    row = RecordFile(club=club, sha256=sha256, size=len(part.data), content=part.data, kept_at=now)
    RecordFile.objects.bulk_create([row], ignore_conflicts=True)
    # With a match, lock the file until commit: either the verdict's transaction sees the submission, or this
    # one sees the verdict.
    rows = RecordFile.objects.select_for_update(no_key=True) if is_held else RecordFile.objects
    stored = rows.defer("content").get(club=club, sha256=sha256)
    outbox.put(
        ADJUDICATE, {"file": stored.pk}, dedupe_key=f"{ADJUDICATE}/{stored.pk}", now=now, queue=Queue.SLOW
    )
    return stored


def adjudicate(payload: dict[str, Any], *, now: datetime) -> None:
    """Outbox handler: judge a file. Only one of several workers stores the verdict."""
    row = RecordFile.objects.filter(pk=payload["file"], judged_at__isnull=True).first()
    if row is None:
        return
    RecordFile.objects.filter(pk=row.pk).update(attempts=F("attempts") + 1)
    store_verdict(row, _judge_file(row), now=now)


def _judge_file(row: RecordFile) -> Judgement:
    if row.attempts < MOST_ATTEMPTS:
        try:
            return cpu.run(judging.judge_file, bytes(row.content), with_facts=True)
        except BrokenProcessPool:
            log.warning("records.referee_died", file=row.pk)
    return judging.build_crash_verdict()


def store_verdict(row: RecordFile, judged: Judgement, *, now: datetime) -> bool:
    """Store the verdict on a file once; False if it was stored already."""
    with transaction.atomic():
        waiting = RecordFile.objects.filter(pk=row.pk, judged_at__isnull=True)
        if not waiting.update(word=judged.word, judged_at=now):
            return False
        matches = RecordMatch.objects.bulk_create(build_matches(row, judged.verdicts, now=now))
        RecordFacts.objects.bulk_create(
            RecordFacts(match=match, document=document)
            for match, document in zip(matches, judged.facts, strict=False)
            if document
        )
        archive_filing.file_records(matches)
        _notify_second_parts(matches, now=now)
        held = list(Submission.objects.filter(file=row).order_by("pk"))
        record_outcomes.queue_decisions((each for each in held if each.pairing_id), now=now)
        live.notify_pages(each.batch for each in held)
        return True


def export_submissions(player: Player) -> list[dict[str, object]]:
    rows = Submission.objects.filter(Q(by__player=player) | Q(entry__player=player))
    return [
        {
            "key": row.key,
            "club": row.club.slug,
            "event": row.pairing.tournament.key if row.pairing else "",
            "match": row.pairing.key if row.pairing else "",
            "file": row.name,
            "sha256": row.file.sha256 if row.file else "",
            "at": row.at,
        }
        for row in rows.select_related("club", "pairing__tournament", "file").defer("file__content")
    ]


def _notify_second_parts(matches: Iterable[RecordMatch], *, now: datetime) -> None:
    """Announce records whose facts changed because the part before them was submitted."""
    for match in matches:
        for key in replays.list_second_parts(match):
            record_changed.send(sender=RecordMatch, key=key, now=now)


def build_matches(row: RecordFile, verdicts: Sequence[dict[str, Any]], *, now: datetime) -> list[RecordMatch]:
    return [
        RecordMatch(
            file=row,
            number=number,
            word=each["verdict"],
            white=each["players"][0],
            black=each["players"][1],
            length=each["length"],
            white_score=each["score"][0],
            black_score=each["score"][1],
            winner=each["winner"],
            findings=len(each["findings"]),
            verdict=each,
            engine=judging.VERSION,
            judged_at=now,
        )
        for number, each in enumerate(verdicts, 1)
    ]


BATCH: Final = 100


def check_records() -> Iterator[str]:
    """Compare every file with its hash, and its state with its verdicts."""
    counted = RecordFile.objects.annotate(verdicts=Count("matches")).order_by("pk")
    last = 0
    while rows := list(counted.filter(pk__gt=last)[:BATCH]):
        for row in rows:
            if hashlib.sha256(bytes(row.content)).hexdigest() != row.sha256 or len(row.content) != row.size:
                yield f"record file {row.pk} is not what was handed in"
            if bool(row.judged_at) != bool(row.verdicts):
                yield f"record file {row.pk} has {row.verdicts} verdicts, and its word is {row.word!r}"
        last = rows[-1].pk
