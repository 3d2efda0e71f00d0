"""Transcriptions: edits are idempotent by key, checked against a version, and can be undone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

from draw.rules_of_play import USUAL, RulesOfPlay
from engine.formats import transcript
from engine.rules import LONGEST_READ
from engine.side import BySide
from players.models import Club, User
from records import match_parts
from records.base import errors
from records.base.finding_words import translate_finding
from records.match_parts import A, B
from records.models import Submission, Transcription
from records.sheets import stored_sheets
from records.submissions import limited_reading, naming, submissions
from records.submissions.submissions import Seat, SentFile
from records.transcripts import transcriptions, typed_input
from records.transcripts.typed_input import IllegalInput, ParsedInput
from runtime import idempotency
from tournaments.base import event_lines as shown
from tournaments.models import Pairing
from tournaments.play import changes, claims, results
from tournaments.play.code_holders import CodeHolder

# Rules that a sheet names only where they are off.
COUNTING: Final = ("cube", "crawford", "gammons", "backgammons")
MOST_LINES: Final = 5_000
MOST_UNFINISHED: Final = 50
# Limit of stored edits, for undo and idempotency.
MOST_EDITS: Final = 100
LONGEST_LINE: Final = 1_000
LONGEST_NAME: Final = 80


def begin(
    *, by: User, club: Club, names: Sequence[str], length: int, now: datetime, pairing: Pairing | None = None
) -> Transcription:
    """Begin a transcription, White's name first; an existing one for this match is returned.

    :raises NotAMemberHere: the user is not a member of the club.
    :raises NotATranscription: invalid length.
    :raises TooManyTranscriptions: limit of unfinished ones.
    """
    if not 0 <= length <= LONGEST_READ:
        raise errors.NotATranscription
    cleaned = [" ".join(name.split())[:LONGEST_NAME] for name in names]
    head = _build_head(cleaned, length, pairing)
    lines = [] if pairing is None else _list_first_lines(pairing, cleaned)
    return _begin_transcription(by, club, head, lines, now=now, pairing=pairing, mends=None)


def begin_at_table(*, pairing: Pairing, who: CodeHolder, now: datetime) -> Transcription:
    """Begin a transcription with a match's code for one of the players, or return the existing one.

    :raises CodeExpired, SeatsMoved, NotYourMatch: the code does not allow this.
    :raises WrongStatus, Paused, ResultStands, NotOpen, OnABoard: the match is not being played at a table.
    """
    with transaction.atomic():
        event = changes.lock_event(pairing.tournament_id)
        row = results.get_match(event, pairing.key)
        entry = who.side(row, now=now)
        a, b = row.a, row.b
        assert a is not None  # noqa: S101 - the code was made for two
        assert b is not None  # noqa: S101
        opponent = b if entry == a else a
        known = Transcription.objects.filter(pairing=row, entry=entry, opponent=opponent).first()
        if known is not None and not _detach_void_play(known):
            return known
        claims.require_open(row)
        changes.require_running(event)
        if row.match_id is not None:
            raise errors.OnABoard
        names = [shown.format_player_name(each.player)[:LONGEST_NAME] for each in (a, b)]
        head = _build_head(names, row.length, row)
        about = {"club": event.club, "pairing": row, "entry": entry, "opponent": opponent}
        lines = _list_first_lines(row, names)
        return Transcription.objects.create(head=head, lines=lines, begun_at=now, changed_at=now, **about)


def _build_head(names: Sequence[str], length: int, pairing: Pairing | None) -> dict[str, Any]:
    """Build the head of a transcription; a match of an event has the rules by which it is played (R69)."""
    play = USUAL if pairing is None else RulesOfPlay.from_match_rules(pairing.rules)
    agreed = {name: False for name in COUNTING if not getattr(play, name)}
    if play.jacoby:
        agreed["match_jacoby"] = True
    return {"names": [*names], "length": length, "tags": [], "agreed": agreed}


def _list_first_lines(row: Pairing, names: Sequence[str]) -> list[str]:
    """Return the heading of the first game if it begins with penalty points, and it is known who is White."""
    white, black = names
    begun = {A: (row.b_late, row.a_late), B: (row.a_late, row.b_late)}
    score = BySide(*begun.get(naming.name_sides(row, white, black)[0], match_parts.LOVE))
    return [transcript.format_heading(score)] if any(score) else []


def begin_correction(*, by: User, submission: Submission, number: int, now: datetime) -> Transcription:
    """Begin a transcription from a match of a record, or return the existing one; the record is not changed.

    :raises NotAMemberHere: the user is not a member of the club.
    :raises NothingToMend: it is unreadable.
    :raises TooMuchTyped: it has too many lines.
    :raises FileInProgress: another file of the account is being read at this moment.
    """
    if not by.has_perm("records.hand_in", submission.club):
        raise errors.NotAMemberHere
    file = submission.file
    if file is None:
        raise errors.NothingToMend
    try:
        head, lines = limited_reading.read_lines(bytes(file.content), number, payers={f"account {by.pk}"})
    except errors.CannotBeParsed as error:
        raise errors.NothingToMend from error
    if len(lines) > MOST_LINES:
        raise errors.TooMuchTyped(most=MOST_LINES)
    # A record can have several matches, each with a transcription.
    head["number"] = number
    return _begin_transcription(
        by, submission.club, head, lines, now=now, pairing=submission.pairing, mends=submission
    )


def _begin_transcription(
    by: User, club: Club, head: dict[str, Any], lines: list[str], *, now: datetime, **about: Any
) -> Transcription:
    if not by.has_perm("records.hand_in", club):
        raise errors.NotAMemberHere
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=by.pk)
        open_ones = Transcription.objects.filter(by=by, handed_in=None)
        same = about | ({"head__number": head["number"]} if "number" in head else {})
        known = open_ones.filter(club=club, **same).first() if any(about.values()) else None
        # A correction is about a record, also if its match was declared void.
        if known is not None and (known.mends_id is not None or not _detach_void_play(known)):
            return known
        if open_ones.count() >= MOST_UNFINISHED:
            raise errors.TooManyTranscriptions(most=MOST_UNFINISHED)
        return Transcription.objects.create(
            by=by, club=club, head=head, lines=lines, begun_at=now, changed_at=now, **about
        )


def _detach_void_play(row: Transcription) -> bool:
    """Detach a transcription from its match if that is played again since; its lines are kept.

    True if it was detached.
    """
    if row.pairing is None or stored_sheets.is_of_current_play(row.pairing, row.begun_at):
        return False
    Transcription.objects.select_for_update(no_key=True).get(pk=row.pk)
    row.pairing = None
    row.save(update_fields=["pairing"])
    return True


def edit(
    *,
    transcription: Transcription,
    key: str,
    version: int,
    at: int,
    out: int,
    lines: Sequence[str],
    now: datetime,
    request: str = "",
) -> Transcription:
    """Replace *out* lines from *at* with *lines*; idempotent by *key*.

    *request* is the hash of the caller's request, if that is not the edit itself.

    :raises KeyReused: the key belongs to another edit.
    :raises OtherVersion: the transcription changed since that version.
    :raises NotATranscription, TooMuchTyped: invalid edit.
    """
    request = request or _compute_request_hash("edit", at, out, *lines)
    with transaction.atomic():
        row = _lock_transcription(transcription)
        if _is_repeated(row, key, request):
            return row
        _require_version(row, version)
        put = [line.strip() for line in lines]
        if not 0 <= at <= at + out <= len(row.lines) or any(
            len(line) > LONGEST_LINE or "\n" in line for line in put
        ):
            raise errors.NotATranscription
        if len(row.lines) - out + len(put) > MOST_LINES:
            raise errors.TooMuchTyped(most=MOST_LINES)
        done = {"key": key, "request": request, "at": at, "out": row.lines[at : at + out], "in": put}
        return _save_change(row, at, out, put, [*row.edits, done], now=now)


def enter_line(
    *,
    transcription: Transcription,
    key: str,
    version: int,
    at: int | None,
    text: str,
    now: datetime,
    is_instead: bool = False,
    is_as_written: bool = False,
) -> tuple[Transcription, ParsedInput | None]:
    """Enter input before a line, in its place, or at the end.

    Return the transcription and the parsed input, None for a repeated key. A roll that still needs a play changes
    nothing.

    :raises IllegalInput: the input is impossible.
    :raises KeyReused, OtherVersion, NotATranscription, TooMuchTyped: see `edit`.
    """
    row = transcription
    # Without *at*: a page that sends a line again may have seen by then that there is one line more.
    request = _compute_request_hash("enter", text, is_instead, is_as_written)
    if _is_repeated(row, key, request):
        return row, None
    _require_version(row, version)
    at = len(row.lines) if at is None else min(at, len(row.lines))
    if is_as_written:
        entered = typed_input.parse_as_written(text, transcriptions.compute_standing(row, at))
    else:
        entered = transcriptions.parse_entry(row, at, text, is_instead=is_instead)
    if entered.choice is not None:
        return row, entered
    out = int(is_instead and at < len(row.lines))
    row = edit(
        transcription=row,
        key=key,
        version=version,
        at=at,
        out=out,
        lines=entered.lines,
        now=now,
        request=request,
    )
    return row, entered


def undo_edit(*, transcription: Transcription, key: str, version: int, now: datetime) -> Transcription:
    """Undo the last edit that is not undone yet; idempotent by *key*.

    :raises KeyReused: the key belongs to another edit.
    :raises OtherVersion: it was changed on another device.
    :raises NothingToTakeBack: no edit is stored.
    """
    request = _compute_request_hash("undo")
    with transaction.atomic():
        row = _lock_transcription(transcription)
        if _is_repeated(row, key, request):
            return row
        _require_version(row, version)
        last = next((place for place in range(len(row.edits) - 1, -1, -1) if "at" in row.edits[place]), None)
        if last is None:
            raise errors.NothingToTakeBack
        done = row.edits[last]
        undone = {name: done[name] for name in ("key", "request") if name in done}
        edits = [*row.edits[:last], undone, *row.edits[last + 1 :], {"key": key, "request": request}]
        return _save_change(row, done["at"], len(done["in"]), done["out"], edits, now=now)


def rename(
    *, transcription: Transcription, version: int, names: Sequence[str], length: int | None, now: datetime
) -> Transcription:
    """Correct names and match length.

    :raises NotATranscription: invalid length.
    :raises OtherVersion: the transcription changed since that version.
    """
    if length is not None and not 0 <= length <= LONGEST_READ:
        raise errors.NotATranscription
    with transaction.atomic():
        row = _lock_transcription(transcription)
        _require_version(row, version)
        row.head = row.head | {
            "names": [" ".join(name.split())[:LONGEST_NAME] for name in names],
            "length": length,
        }
        return _save(row, "head", now=now)


def hand_in(*, transcription: Transcription, version: int, now: datetime, device: str = "") -> Submission:
    """Submit the match in its current state as a new record; the record it corrects is kept.

    *device* is the browser of a transcription with the match's code. Without a change the existing submission
    is returned.

    :raises OtherVersion: another device has changed it.
    :raises NothingTyped: there is no line.
    :raises NotAMemberHere, QuotaReached: see `submissions.hand_in`.
    """
    with transaction.atomic():
        row = _lock_transcription(transcription)
        # The submission itself incremented the version, so both numbers mean the submitted state.
        if row.handed_in is not None and version in (row.version, row.version - 1):
            return row.handed_in
        _require_version(row, version)
        if not row.lines:
            raise errors.NothingTyped
        sent = SentFile(f"{'-'.join(row.head['names'])[:80]}.txt", transcript.build_text(row.head, row.lines))
        (made,) = submissions.hand_in(
            club=row.club,
            by=_get_submitter(row, device),
            files=[sent],
            now=now,
            pairing=row.pairing,
            mends=row.mends,
        )
        row.handed_in = made
        row.version += 1
        row.save(update_fields=["handed_in", "version"])
        return made


def _get_submitter(row: Transcription, device: str) -> User | Seat:
    if row.entry_id is not None and row.opponent_id is not None:
        return Seat(row.entry_id, row.opponent_id, device)
    assert row.by is not None  # noqa: S101 - the database sees to it
    return row.by


def delete(*, transcription: Transcription) -> None:
    """Delete a transcription; submissions of it are kept."""
    Transcription.objects.filter(pk=transcription.pk).delete()


def _lock_transcription(transcription: Transcription) -> Transcription:
    # Without `handed_in`: after waiting for the lock, a joined row would be stale.
    rows = Transcription.objects.select_related("club", "by", "pairing", "mends")
    return rows.select_for_update(of=("self",), no_key=True).get(pk=transcription.pk)


def _compute_request_hash(do: str, *what: object) -> str:
    return idempotency.compute_request_hash(method=do, path="", body=json.dumps(what).encode())


def _is_repeated(row: Transcription, key: str, request: str) -> bool:
    """True if the edit was made before.

    :raises KeyReused: the key belongs to another one.
    """
    earlier = next((each for each in row.edits if each["key"] == key), None)
    if earlier is None:
        return False
    # Edits of earlier releases were stored without it.
    if earlier.get("request", request) != request:
        raise idempotency.KeyReused
    return True


def _require_version(row: Transcription, version: int) -> None:
    if row.version != version:
        raise errors.OtherVersion


def _save_change(
    row: Transcription, at: int, out: int, put: list[str], edits: list[dict[str, Any]], *, now: datetime
) -> Transcription:
    row.lines = [*row.lines[:at], *put, *row.lines[at + out :]]
    row.edits = edits[-MOST_EDITS:]
    return _save(row, "lines", "edits", now=now)


def _save(row: Transcription, *fields: str, now: datetime) -> Transcription:
    """Save changed fields; a submission of the transcription is outdated by then."""
    row.version += 1
    row.changed_at = now
    row.handed_in = None
    row.save(update_fields=[*fields, "version", "changed_at", "handed_in"])
    return row


# Messages for codes that are not from the engine.
SENTENCES: Final = {
    "too-long": lambda: _("This is too long for one turn."),
    "match-over": lambda: _("The match is over."),
    "board-unknown": lambda: _("From here on, the position is unknown. Correct the first fault."),
    "not-understood": lambda: _(
        "Type a roll and its play, as in 31 8/5 6/5, or one of: double, take, drop, resign, resign gammon."
    ),
    "no-play": lambda: _("This cannot be read as a play. Write it like this: 31 8/5 6/5."),
    "more-to-play": lambda: _("Several plays begin like this. Enter the whole play."),
    "ambiguous": lambda: _("This can mean two plays. Enter where each checker goes."),
    "double-unanswered": lambda: _("The double has not been answered: take or drop."),
    "who-resigns": lambda: _("Enter who resigns: w resign or b resign."),
    "no-match-to-resign": lambda: _("In money play only a game can be resigned."),
}


def describe_problem(refusal: IllegalInput) -> dict[str, Any]:
    """Return the code, message, rule and nearest plays of a refusal, for pages and the API."""
    describe = SENTENCES.get(refusal.code)
    return {
        "code": refusal.code.replace("-", "_"),
        "sentence": describe()
        if describe
        else translate_finding(refusal.code, refusal.sentence, refusal.rule),
        "rule": refusal.rule,
        "nearest": list(refusal.nearest),
    }
