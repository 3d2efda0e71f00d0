"""What a record decides: it belongs to a match, the referee has accepted it, and it ends as somebody has said, or nobody has yet.

It is asked about when the verdict is there, and again when somebody has said who is who; what was decided stays.
"""

from __future__ import annotations

from datetime import timedelta
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.db.models import Q

from players.names import fold
from records import halves, live
from records.errors import NothingAsked, NotYours
from records.halves import Reading
from records.models import RecordAlias, Submission
from records.models.submissions import DECIDE, STANDS, Outcome
from records.selectors import naming, replays, submitted
from records.selectors.naming import ELSE, OTHER, UNKNOWN, A
from runtime import outbox
from tournaments.base.errors import TournamentError
from tournaments.models import Report, ReportStatus, Stand
from tournaments.play import at_table, changes, claims, results
from tournaments.play.at_table import AtTable
from tournaments.play.claims import Claim

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from datetime import datetime

    from players.models import User
    from records.models import RecordMatch
    from tournaments.models import Pairing, Tournament

# The other half is among the last few.
MOST_OTHERS: Final = 10
# Said of a record: it is a match of others.
NEITHER: Final = "neither"


def ask(submissions: Iterable[Submission], *, now: datetime) -> None:
    """Have it decided what these records, whose verdicts are there, do to their matches."""
    for row in submissions:
        outbox.put(DECIDE, {"submission": row.pk}, dedupe_key=f"{DECIDE}/{row.pk}", now=now)


def decide(payload: dict[str, Any], *, now: datetime) -> None:
    """Do to a match what a record of it decides, once."""
    found = Submission.objects.select_related("file", "pairing", "club", "by").defer("file__content")
    row = found.filter(pk=payload["submission"]).first()
    if row is None or row.pairing is None or row.file is None or row.file.judged_at is None:
        return
    with transaction.atomic():
        event = changes.lock(row.pairing.tournament_id)
        # Read again, now that nobody else decides.
        row.refresh_from_db(fields=["outcome"])
        if row.outcome not in {"", Outcome.WHO}:
            return
        row.outcome = _decided(event, results.find(event, row.pairing.key), row, now=now)
        row.save(update_fields=["outcome"])
        live.tell([row.batch])


def say_who(*, submission: Submission, white: str, by: User, now: datetime) -> str:
    """Say which of the two is White in a record, or that neither is. Return what it decides.

    The club remembers both names, and what else was handed in for one of the two is looked at again.

    :raises NotYours: it was handed in by others, about a match of others.
    :raises NothingAsked: it is known who is who.
    """
    if not submitted.visible(by).filter(pk=submission.pk).exists():
        raise NotYours
    if submission.pairing is None or submission.file is None or white not in {*OTHER, NEITHER}:
        raise NothingAsked
    with transaction.atomic():
        event = changes.lock(submission.pairing.tournament_id)
        row = results.find(event, submission.pairing.key)
        submission.refresh_from_db(fields=["outcome"])
        asked = unknown(row, submission)
        if submission.outcome != Outcome.WHO or asked is None:
            raise NothingAsked
        if white == NEITHER:
            submission.outcome = Outcome.OTHER
            submission.save(update_fields=["outcome"])
            return submission.outcome
        for name, side in ((asked.white, white), (asked.black, OTHER[white])):
            entry = row.a if side == A else row.b
            if entry is not None and (folded := fold(name)):
                RecordAlias.objects.update_or_create(
                    club=submission.club, folded=folded, defaults={"player": entry.player}
                )
        decide({"submission": submission.pk}, now=now)
        submission.refresh_from_db(fields=["outcome"])
        _ask_again(row, submission, now=now)
        return submission.outcome


def _ask_again(row: Pairing, submission: Submission, *, now: datetime) -> None:
    """Have it decided anew what other records do whose names have told nothing so far: a match's other half, or its second file."""
    players = [entry.player_id for entry in (row.a, row.b) if entry is not None]
    theirs = Q(pairing__a__player__in=players) | Q(pairing__b__player__in=players)
    waiting = Submission.objects.filter(theirs, club=submission.club, outcome=Outcome.WHO)
    for pk in waiting.order_by("pk").values_list("pk", flat=True):
        outbox.put(DECIDE, {"submission": pk}, dedupe_key=f"{DECIDE}/{pk}/{submission.pk}", now=now)


def unknown(row: Pairing, submission: Submission) -> RecordMatch | None:
    """Return the first match of a record whose names do not tell who is who."""
    return next((one for one in _good(submission) if _sides(row, one)[0] == UNKNOWN), None)


def _good(submission: Submission) -> list[RecordMatch]:
    """Return the matches of a file that may decide: all of them or none, as the one word on the file says."""
    file = submission.file
    return [] if file is None or file.word not in STANDS else list(file.matches.order_by("number"))


def _sides(row: Pairing, match: RecordMatch) -> tuple[str, str]:
    return naming.sides(row, match.white, match.black)


def _decided(event: Tournament, row: Pairing, submission: Submission, *, now: datetime) -> Outcome:
    good = _good(submission)
    if not good:
        return Outcome.REJECTED
    readings = _read_all(row, good)
    ours = {each: match for each, match in readings.items() if each.sides[0] not in {UNKNOWN, ELSE}}
    if not ours:
        is_asked = any(each.sides[0] == UNKNOWN for each in readings)
        return Outcome.WHO if is_asked else Outcome.OTHER
    others = _others(row, submission)
    known = dict(ours)
    for each, match in chain.from_iterable(some.items() for some in others.values()):
        known.setdefault(each, match)
    starts = halves.starts(row.a_late, row.b_late)
    whole = {each: halves.parts(each, known, starts) for each in _ends(ours, known)}
    ends = [each for each, parts in whole.items() if parts and not _is_refuted(parts, known)]
    if not ends:
        return _settle_without_end(ours, others, [each for each, parts in whole.items() if parts])
    for pk, readings in others.items():
        # The other half has been waiting for this one.
        if any(each.begun != halves.LOVE and each in ends for each in readings) or any(
            each.stopped is not None and each.stopped in {end.begun for end in ends} for each in readings
        ):
            Submission.objects.filter(
                pk=pk, outcome__in=[Outcome.HALF, Outcome.UNFINISHED, Outcome.WHO]
            ).update(outcome=Outcome.JOINED)
    ended = list(dict.fromkeys(Claim(_winner(row, each.score), each.score) for each in ends))
    if row.state == Stand.DECIDED:
        return Outcome.FITS if claims.standing(row) in ended else Outcome.DIFFERS
    try:
        with transaction.atomic():
            changes.running(event)
            results.require_open(row)
            return _follow(event, row, submission, ended, now=now)
    except TournamentError:
        return Outcome.KEPT


def _is_refuted(parts: tuple[Reading, ...], known: Mapping[Reading, RecordMatch]) -> bool:
    """True if the second of two parts cannot follow the first."""
    match parts:
        case (first, second):
            return replays.is_refuted(known[first], known[second])
        case _:
            return False


def _settle_without_end(
    ours: Collection[Reading], others: Mapping[int, Collection[Reading]], refuted: Collection[Reading]
) -> Outcome:
    """Return the outcome of a record that decides nothing, and reject the second parts that the first refutes."""
    found = [pk for pk, readings in others.items() if any(each in readings for each in refuted)]
    Submission.objects.filter(pk__in=found, outcome=Outcome.HALF).update(outcome=Outcome.REJECTED)
    if any(each in ours for each in refuted):
        return Outcome.REJECTED
    return Outcome.HALF if any(each.score is not None for each in ours) else Outcome.UNFINISHED


def _read_all(row: Pairing, matches: Iterable[RecordMatch]) -> dict[Reading, RecordMatch]:
    """Map each reading of a file to its match; of two matches with the same reading the first."""
    found: dict[Reading, RecordMatch] = {}
    for match in matches:
        found.setdefault(_read(row, match), match)
    return found


def _read(row: Pairing, match: RecordMatch) -> Reading:
    sides = _sides(row, match)
    if match.length != row.length or sides[0] not in OTHER:
        return Reading(sides, None)
    score = (match.white_score, match.black_score)
    return halves.read(
        sides, halves.begun(match.verdict), score, ends=match.winner is not None, length=row.length
    )


def _others(row: Pairing, submission: Submission) -> dict[int, dict[Reading, RecordMatch]]:
    """Return the readings of the other records of the match between the two, by submission."""
    rows = Submission.objects.filter(pairing=row, file__judged_at__isnull=False).exclude(file=submission.file)
    found = {}
    for other in rows.select_related("file").defer("file__content").order_by("-pk")[:MOST_OTHERS]:
        readings = _read_all(row, _good(other))
        found[other.pk] = {each: match for each, match in readings.items() if each.sides[0] in OTHER}
    return found


def _ends(ours: Collection[Reading], known: Iterable[Reading]) -> list[Reading]:
    """Return the readings that ended: ours, and those that go on where one of ours has stopped."""
    stopped = {each.stopped for each in ours}
    return [each for each in known if each.score is not None and (each in ours or each.begun in stopped)]


def _winner(row: Pairing, score: tuple[int, int] | None) -> int | None:
    return None if score is None else row.a_id if score[0] > score[1] else row.b_id


def _follow(
    event: Tournament, row: Pairing, submission: Submission, ended: list[Claim], *, now: datetime
) -> Outcome:
    """Confirm the report that the record fits; without one, report what it says for who handed it in."""
    said = list(Report.objects.filter(pairing=row, status__in=[ReportStatus.OPEN, ReportStatus.DISPUTED]))
    if any(report.status == ReportStatus.DISPUTED for report in said):
        return Outcome.DISPUTED
    if said:
        return _answer(event, row, submission, said, ended, now=now)
    if (holder := _holder(row, submission, now=now)) is not None and len(ended) == 1:
        score = ended[0].score
        results.report(
            tournament_id=event.pk, key=row.key, user=holder, score=score, now=now, device=holder.device
        )
        return Outcome.REPORTED
    by = submission.by
    if by is None or len(ended) > 1:
        return Outcome.KEPT
    about: dict[str, Any] = {"tournament_id": event.pk, "key": row.key, "score": ended[0].score, "now": now}
    if any(entry is not None and entry.player.user_id == by.pk for entry in (row.a, row.b)):
        results.report(user=by, **about)
        return Outcome.REPORTED
    if by.has_perm("tournaments.direct", event.club):
        results.enter(by=by, **about)
        return Outcome.ENTERED
    return Outcome.KEPT


def _answer(
    event: Tournament,
    row: Pairing,
    submission: Submission,
    said: list[Report],
    ended: list[Claim],
    *,
    now: datetime,
) -> Outcome:
    """Confirm the report that the record fits."""
    fits = next((one for one in said if _fits(row, one, ended)), None)
    if fits is None:
        return Outcome.DIFFERS
    if (holder := _holder(row, submission, now=now)) is not None:
        # With the code alone nobody confirms what was said for the same side, or from the same device.
        if holder.side(row, now=now).pk == fits.by_id:
            return Outcome.KEPT
        at_table.require_other_device(holder, fits)
    if _is_said_by_their_record(row, submission, fits):
        return Outcome.REPORTED
    results.accept(event, row, fits, now=now)
    return Outcome.CONFIRMED


def _holder(row: Pairing, submission: Submission, *, now: datetime) -> AtTable | None:
    """Return who handed a record in with the code of its match, None for an account.

    The code was good when it was handed in, however long the verdict took; whether the two still meet is asked now.
    """
    one, other = submission.entry_id, submission.opponent_id
    if one is None or other is None:
        return None
    seats = (one, other) if row.a_id == one else (other, one)
    return AtTable(seats, now + timedelta(seconds=1), one, submission.device)


def _is_said_by_their_record(row: Pairing, submission: Submission, report: Report) -> bool:
    """Say whether this account has made the report by handing in a record: it speaks once, however often it comes (ADR 158)."""
    if submission.by_id is None or report.by.player.user_id != submission.by_id:
        return False
    earlier = Submission.objects.filter(pairing=row, by=submission.by_id, outcome=Outcome.REPORTED)
    return earlier.exclude(pk=submission.pk).exists()


def _fits(row: Pairing, report: Report, ended: list[Claim]) -> bool:
    return any(claims.of_report(row, report).agrees_with(claim) for claim in ended)
