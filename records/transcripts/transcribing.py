"""Transcribing: each edit is kept under its own key, on the version that it was made on, and can be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db import transaction

from engine.formats import typed
from engine.rules import LONGEST_READ
from players.models import User
from records.base.errors import (
    CannotBeParsed,
    NotAMemberHere,
    NotATranscription,
    NothingToMend,
    NothingToTakeBack,
    NothingTyped,
    OnABoard,
    OtherVersion,
    TooManyTranscriptions,
    TooMuchTyped,
)
from records.models import Transcription
from records.submissions import parsing, submissions
from records.submissions.submissions import Seat, SentFile
from records.transcripts import entering, transcriptions
from tournaments.base import lines as shown
from tournaments.play import changes, claims, results

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from players.models import Club
    from records.models import Submission
    from records.transcripts.entering import Entered
    from tournaments.models import Pairing
    from tournaments.play.at_table import AtTable

MOST_LINES: Final = 5_000
MOST_UNFINISHED: Final = 50
# So many edits can be taken back, and are known when they are sent again.
MOST_EDITS: Final = 100
LONGEST_LINE: Final = 1_000
LONGEST_NAME: Final = 80


def begin(
    *, by: User, club: Club, names: Sequence[str], length: int, now: datetime, pairing: Pairing | None = None
) -> Transcription:
    """Begin to transcribe a match of two, White first; return the one that was begun for this match already.

    :raises NotAMemberHere: only members hand in records.
    :raises NotATranscription: there is no match of this length.
    :raises TooManyTranscriptions: begin no more.
    """
    if not 0 <= length <= LONGEST_READ:
        raise NotATranscription
    said = [" ".join(name.split())[:LONGEST_NAME] for name in names]
    head = {"names": said, "length": length, "tags": [], "agreed": {}}
    return _begun(by, club, head, [], now=now, pairing=pairing, mends=None)


def begin_at_table(*, pairing: Pairing, who: AtTable, now: datetime) -> Transcription:
    """Begin to transcribe a match with its code, for one of the two; return what was begun for them on any device.

    :raises CodeExpired, SeatsMoved, NotYourMatch: the code is not good for this.
    :raises WrongStatus, ResultStands, NotOpen, OnABoard: nobody plays it at a table now.
    """
    with transaction.atomic():
        event = changes.lock(pairing.tournament_id)
        row = results.find(event, pairing.key)
        entry = who.side(row, now=now)
        a, b = row.a, row.b
        assert a is not None  # noqa: S101 - the code was made for two
        assert b is not None  # noqa: S101
        opponent = b if entry == a else a
        known = Transcription.objects.filter(pairing=row, entry=entry, opponent=opponent).first()
        if known is not None:
            return known
        claims.require_open(row)
        changes.running(event)
        if row.match_id is not None:
            raise OnABoard
        names = [shown.shown_name(each.player)[:LONGEST_NAME] for each in (a, b)]
        head = {"names": names, "length": row.length, "tags": [], "agreed": {}}
        about = {"club": event.club, "pairing": row, "entry": entry, "opponent": opponent}
        return Transcription.objects.create(head=head, begun_at=now, changed_at=now, **about)


def mend(*, by: User, submission: Submission, number: int, now: datetime) -> Transcription:
    """Open a match of a record with all that it claims; the record stays as it is.

    :raises NotAMemberHere: only members hand in records.
    :raises NothingToMend: nothing can be read in it.
    :raises FileInProgress: another file of the account is being read at this moment.
    """
    if not by.has_perm("records.hand_in", submission.club):
        raise NotAMemberHere
    file = submission.file
    if file is None:
        raise NothingToMend
    try:
        head, lines = parsing.read_lines(bytes(file.content), number, payers={f"account {by.pk}"})
    except CannotBeParsed as error:
        raise NothingToMend from error
    if len(lines) > MOST_LINES:
        raise TooMuchTyped(most=MOST_LINES)
    return _begun(by, submission.club, head, lines, now=now, pairing=submission.pairing, mends=submission)


def _begun(
    by: User, club: Club, head: dict[str, Any], lines: list[str], *, now: datetime, **about: Any
) -> Transcription:
    if not by.has_perm("records.hand_in", club):
        raise NotAMemberHere
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=by.pk)
        open_ones = Transcription.objects.filter(by=by, handed_in=None)
        if any(about.values()) and (known := open_ones.filter(club=club, **about).first()):
            return known
        if open_ones.count() >= MOST_UNFINISHED:
            raise TooManyTranscriptions(most=MOST_UNFINISHED)
        return Transcription.objects.create(
            by=by, club=club, head=head, lines=lines, begun_at=now, changed_at=now, **about
        )


def edit(
    *,
    transcription: Transcription,
    key: str,
    version: int,
    at: int,
    out: int,
    lines: Sequence[str],
    now: datetime,
) -> Transcription:
    """Put *lines* in place of so many lines from *at* on; sent again under its key, it counts once.

    :raises OtherVersion: it was made on another version.
    :raises NotATranscription, TooMuchTyped: it cannot be taken.
    """
    with transaction.atomic():
        row = _locked(transcription)
        if _is_known(row, key):
            return row
        _require(row, version)
        put = [line.strip() for line in lines]
        if not 0 <= at <= at + out <= len(row.lines) or any(
            len(line) > LONGEST_LINE or "\n" in line for line in put
        ):
            raise NotATranscription
        if len(row.lines) - out + len(put) > MOST_LINES:
            raise TooMuchTyped(most=MOST_LINES)
        done = {"key": key, "at": at, "out": row.lines[at : at + out], "in": put}
        return _changed(row, at, out, put, [*row.edits, done], now=now)


def enter(
    *,
    transcription: Transcription,
    key: str,
    version: int,
    at: int | None,
    text: str,
    now: datetime,
    is_instead: bool = False,
    is_as_written: bool = False,
) -> tuple[Transcription, Entered | None]:
    """Enter what somebody has typed before a line, in its place, or at the end; return what it came to, None if it was known.

    A roll whose play is still to be said changes nothing.

    :raises CannotBe: it cannot be.
    :raises OtherVersion, NotATranscription, TooMuchTyped: as `edit` has it.
    """
    row = transcription
    if _is_known(row, key):
        return row, None
    _require(row, version)
    at = len(row.lines) if at is None else min(at, len(row.lines))
    if is_as_written:
        entered = entering.as_written(text, transcriptions.standing(row, at))
    else:
        entered = transcriptions.entered(row, at, text, is_instead=is_instead)
    if entered.choice is not None:
        return row, entered
    out = int(is_instead and at < len(row.lines))
    row = edit(transcription=row, key=key, version=version, at=at, out=out, lines=entered.lines, now=now)
    return row, entered


def take_back(*, transcription: Transcription, key: str, version: int, now: datetime) -> Transcription:
    """Take the last edit back that was not yet taken back.

    :raises OtherVersion: another device has changed it.
    :raises NothingToTakeBack: no edit is kept.
    """
    with transaction.atomic():
        row = _locked(transcription)
        if _is_known(row, key):
            return row
        _require(row, version)
        last = next((place for place in range(len(row.edits) - 1, -1, -1) if "at" in row.edits[place]), None)
        if last is None:
            raise NothingToTakeBack
        done = row.edits[last]
        kept = [*row.edits[:last], {"key": done["key"]}, *row.edits[last + 1 :], {"key": key}]
        return _changed(row, done["at"], len(done["in"]), done["out"], kept, now=now)


def rename(
    *, transcription: Transcription, version: int, names: Sequence[str], length: int | None, now: datetime
) -> Transcription:
    """Correct who plays, and to how many points."""
    if length is not None and not 0 <= length <= LONGEST_READ:
        raise NotATranscription
    with transaction.atomic():
        row = _locked(transcription)
        _require(row, version)
        row.head = row.head | {
            "names": [" ".join(name.split())[:LONGEST_NAME] for name in names],
            "length": length,
        }
        row.version += 1
        row.changed_at = now
        # With other names it is another record.
        row.handed_in = None
        row.save(update_fields=["head", "version", "changed_at", "handed_in"])
        return row


def hand_in(*, transcription: Transcription, version: int, now: datetime, device: str = "") -> Submission:
    """Hand the match in as it stands, as a record of its own; what it mends stays beside it.

    *device* is the browser that hands in what was transcribed with the match's code.

    Handed in again without a change it is the submission that there is.

    :raises OtherVersion: another device has changed it.
    :raises NothingTyped: there is no line.
    """
    with transaction.atomic():
        row = _locked(transcription)
        # Handing it in has counted as one version: whoever saw what was handed in has seen all of it.
        if row.handed_in is not None and version in (row.version, row.version - 1):
            return row.handed_in
        _require(row, version)
        if not row.lines:
            raise NothingTyped
        sent = SentFile(f"{'-'.join(row.head['names'])[:80]}.txt", typed.text_of(row.head, row.lines))
        (made,) = submissions.hand_in(
            club=row.club, by=_by(row, device), files=[sent], now=now, pairing=row.pairing, mends=row.mends
        )
        row.handed_in = made
        row.version += 1
        row.save(update_fields=["handed_in", "version"])
        return made


def _by(row: Transcription, device: str) -> User | Seat:
    if row.entry_id is not None and row.opponent_id is not None:
        return Seat(row.entry_id, row.opponent_id, device)
    assert row.by is not None  # noqa: S101 - the database sees to it
    return row.by


def delete(*, transcription: Transcription) -> None:
    """Delete a transcription; what was handed in of it stays."""
    Transcription.objects.filter(pk=transcription.pk).delete()


def _locked(transcription: Transcription) -> Transcription:
    # Not what it was handed in as: who has waited for the lock would be told the row of before, which had none.
    rows = Transcription.objects.select_related("club", "by", "pairing", "mends")
    return rows.select_for_update(of=("self",), no_key=True).get(pk=transcription.pk)


def _is_known(row: Transcription, key: str) -> bool:
    return any(each["key"] == key for each in row.edits)


def _require(row: Transcription, version: int) -> None:
    if row.version != version:
        raise OtherVersion


def _changed(
    row: Transcription, at: int, out: int, put: list[str], edits: list[dict[str, Any]], *, now: datetime
) -> Transcription:
    row.lines = [*row.lines[:at], *put, *row.lines[at + out :]]
    row.edits = edits[-MOST_EDITS:]
    row.version += 1
    row.changed_at = now
    row.handed_in = None
    row.save(update_fields=["lines", "edits", "version", "changed_at", "handed_in"])
    return row
