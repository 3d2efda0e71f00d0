"""Handing in: the bytes are kept as they came, and a worker is asked for the verdict."""

from __future__ import annotations

import hashlib
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import structlog
from django.db import transaction
from django.db.models import F

from players.keys import new_key
from records import judging, live, parcels
from records.errors import NotAMemberHere, NothingHandedIn, TooManyFiles
from records.models import RecordFile, RecordMatch, Submission
from records.models.submissions import ADJUDICATE
from records.services import deciding, filing
from runtime import cpu, outbox
from runtime.models import Queue

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from players.models import Club, User
    from records.judging import Judged
    from records.parcels import Part
    from tournaments.models import Pairing

log = structlog.get_logger(__name__)

# A file that ended its process so often is not tried again.
MOST_ATTEMPTS: Final = 3


class Seat(NamedTuple):
    """Who hands in with the code of a match: for this side, against that one, from this browser."""

    entry_id: int
    opponent_id: int
    device: str


class SentFile(NamedTuple):
    """A file as somebody sends it."""

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
) -> list[Submission]:
    """Keep what was sent, every file by itself, and have each judged; return them in their order.

    Who hands in from a seat holds the code of *pairing*, and need be no member.

    :raises NotAMemberHere: only members hand in records.
    :raises NothingHandedIn, TooManyFiles: nothing is kept.
    """
    if not isinstance(by, Seat) and not by.has_perm("records.hand_in", club):
        raise NotAMemberHere
    who: dict[str, Any] = by._asdict() if isinstance(by, Seat) else {"by": by}
    found = [part for sent in files if sent.data for part in parcels.parts(sent.name, sent.data)]
    if not found:
        raise NothingHandedIn
    if sum(not part.refusal for part in found) > parcels.MOST_FILES:
        raise TooManyFiles(most=parcels.MOST_FILES)
    batch = new_key()
    with transaction.atomic():
        rows = [
            Submission.objects.create(
                club=club,
                batch=batch,
                name=part.name,
                file=None if part.refusal else _kept(club, part, is_held=pairing is not None, now=now),
                refusal=part.refusal,
                pairing=pairing,
                mends=mends,
                at=now,
                **who,
            )
            for part in found
        ]
        deciding.ask((row for row in rows if row.pairing and row.file and row.file.judged_at), now=now)
        return rows


def _kept(club: Club, part: Part, *, is_held: bool, now: datetime) -> RecordFile:
    """Keep the bytes, once in a club, and have them judged once."""
    sha256 = hashlib.sha256(part.data).hexdigest()
    row = RecordFile(club=club, sha256=sha256, size=len(part.data), content=part.data, kept_at=now)
    RecordFile.objects.bulk_create([row], ignore_conflicts=True)
    # For a match, held until this is committed: whoever writes its verdict finds the submission, or we find the verdict.
    rows = RecordFile.objects.select_for_update(no_key=True) if is_held else RecordFile.objects
    kept = rows.defer("content").get(club=club, sha256=sha256)
    outbox.put(ADJUDICATE, {"file": kept.pk}, dedupe_key=f"{ADJUDICATE}/{kept.pk}", now=now, queue=Queue.SLOW)
    return kept


def adjudicate(payload: dict[str, Any], *, now: datetime) -> None:
    """Have a file judged, by a worker; of all who do so at once, one writes the verdict."""
    row = RecordFile.objects.filter(pk=payload["file"], judged_at__isnull=True).first()
    if row is None:
        return
    RecordFile.objects.filter(pk=row.pk).update(attempts=F("attempts") + 1)
    settle(row, _verdict(row), now=now)


def _verdict(row: RecordFile) -> Judged:
    if row.attempts < MOST_ATTEMPTS:
        try:
            return cpu.run(judging.judged, bytes(row.content))
        except BrokenProcessPool:
            log.warning("records.referee_died", file=row.pk)
    return judging.died()


def settle(row: RecordFile, judged: Judged, *, now: datetime) -> bool:
    """Write the verdict on a file down, once; say whether it was this call that did."""
    with transaction.atomic():
        waiting = RecordFile.objects.filter(pk=row.pk, judged_at__isnull=True)
        if not waiting.update(word=judged.word, judged_at=now):
            return False
        filing.file_records(RecordMatch.objects.bulk_create(matches_of(row, judged.verdicts, now=now)))
        held = list(Submission.objects.filter(file=row).order_by("pk"))
        deciding.ask((each for each in held if each.pairing_id), now=now)
        live.tell(each.batch for each in held)
        return True


def matches_of(row: RecordFile, verdicts: Sequence[dict[str, Any]], *, now: datetime) -> list[RecordMatch]:
    """Return the rows of a file's matches."""
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
