"""Records applied to their matches under the event's lock; `records.evidence` computes the effect.

This runs after the verdict, and after WHO again once the names in the record are explained. Other outcomes are
final, except that the other part of the match can change HALF and UNFINISHED to JOINED, and HALF to REJECTED, and
that a record KEPT while the event was paused is decided after the pause.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Q

from players.models import User
from players.names import fold
from records import evidence, match_parts
from records.base import live
from records.base.errors import NoNames, NothingAsked, NotYours
from records.evidence import Conclusion, Evidence, OpenReport, Outcome, Result, Submitter
from records.match_parts import OTHER, UNKNOWN, A, B, Reading
from records.models import RecordAlias, RecordMatch, Submission
from records.models.submissions import DECIDE
from records.submissions import naming, replays, visible_submissions
from runtime.work import outbox
from tournaments.base.errors import TournamentError
from tournaments.models import Pairing, PairingState, Report, ReportStatus, Tournament
from tournaments.play import changes, claims, results
from tournaments.play.claims import Claim
from tournaments.play.code_holders import CodeHolder
from tournaments.status import Status

# Only the latest records are searched for the other part.
MOST_OTHERS: Final = 10
# Answer to "who is White?": neither player.
NEITHER: Final = "neither"
# In a paused event a record is looked at again after this time.
AGAIN: Final = timedelta(minutes=5)


def queue_decisions(submissions: Iterable[Submission], *, now: datetime) -> None:
    """Queue the decisions on these records, which have verdicts."""
    for row in submissions:
        outbox.put(DECIDE, {"submission": row.pk}, dedupe_key=f"{DECIDE}/{row.pk}", now=now)


def decide_outcome(payload: dict[str, Any], *, now: datetime) -> None:
    """Determine the effect of a record once, and carry it out.

    :raises FileInProgress: a part of the match cannot be read now; nothing is decided, and the job is
        retried.
    """
    found = Submission.objects.select_related("file", "pairing", "club", "by").defer("file__content")
    row = found.filter(pk=payload["submission"]).first()
    if row is None or row.pairing is None or row.file is None or row.file.judged_at is None:
        return
    with transaction.atomic():
        event = changes.lock_event(row.pairing.tournament_id)
        row.refresh_from_db(fields=["outcome"])
        if row.outcome not in {"", Outcome.WHO, *([Outcome.KEPT] if payload.get("is_again") else [])}:
            return
        match = results.get_match(event, row.pairing.key)
        readings, refuted = _load_evidence(event, match, row)
        row.outcome = _apply_conclusion(evidence.conclude(readings, refuted), event, match, row, now=now)
        row.save(update_fields=["outcome"])
        live.notify_pages([row.batch])
        if row.outcome == Outcome.KEPT and event.status == Status.RUNNING and event.paused_at is not None:
            again = {"submission": row.pk, "is_again": True}
            key = f"{DECIDE}/{row.pk}/{now.isoformat()}"
            outbox.put(DECIDE, again, dedupe_key=key, now=now, due_at=now + AGAIN)


def name_white(*, submission: Submission, white: str, by: User, now: datetime) -> str:
    """Store which player is White in a record, or that neither is; return the outcome.

    Unless neither is, both names are stored as aliases of the club, and other records of the two players with
    unidentified names are decided again. The same answer again changes nothing.

    :raises NotYours: the user may not see the record.
    :raises NothingAsked: the players are already identified, and not by this answer.
    :raises NoNames: the record names neither player, so that the answer could not be stored.
    :raises FileInProgress: as `decide_outcome`; no alias is stored.
    """
    if not visible_submissions.list_visible(by).filter(pk=submission.pk).exists():
        raise NotYours
    if submission.pairing is None or submission.file is None or white not in {*OTHER, NEITHER}:
        raise NothingAsked
    with transaction.atomic():
        event = changes.lock_event(submission.pairing.tournament_id)
        row = results.get_match(event, submission.pairing.key)
        submission.refresh_from_db(fields=["outcome"])
        unidentified = _find_unidentified(row, submission)
        if submission.outcome != Outcome.WHO or unidentified is None:
            if not _has_been_answered(row, submission, white):
                raise NothingAsked
            return submission.outcome
        if white == NEITHER:
            submission.outcome = Outcome.OTHER
            submission.save(update_fields=["outcome"])
            return submission.outcome
        if not (names := _pair_names(row, unidentified, white)):
            raise NoNames
        for folded, player in names.items():
            RecordAlias.objects.update_or_create(
                club=submission.club, folded=folded, defaults={"player_id": player}
            )
        decide_outcome({"submission": submission.pk}, now=now)
        submission.refresh_from_db(fields=["outcome"])
        _requeue_unidentified(row, submission, now=now)
        return submission.outcome


def _pair_names(row: Pairing, match: RecordMatch, white: str) -> dict[str, int]:
    """Return the folded names of a record with the players they stand for if *white* is White."""
    sides = ((match.white, white), (match.black, OTHER[white]))
    entries = {A: row.a, B: row.b}
    return {
        folded: entry.player_id for name, side in sides if (entry := entries[side]) and (folded := fold(name))
    }


def _has_been_answered(row: Pairing, submission: Submission, white: str) -> bool:
    """True if this answer was given before, such as by a request whose response was lost."""
    if white == NEITHER:
        return submission.outcome == Outcome.OTHER
    aliases = RecordAlias.objects.filter(club=submission.club)
    for match in _list_matches(submission):
        names = _pair_names(row, match, white)
        if names and names == dict(aliases.filter(folded__in=names).values_list("folded", "player")):
            return True
    return False


def _requeue_unidentified(row: Pairing, submission: Submission, *, now: datetime) -> None:
    """Queue the decisions on records of the two players whose names were unidentified.

    For example the other part of a match, or a second file.
    """
    players = [entry.player_id for entry in (row.a, row.b) if entry is not None]
    theirs = Q(pairing__a__player__in=players) | Q(pairing__b__player__in=players)
    waiting = Submission.objects.filter(theirs, club=submission.club, outcome=Outcome.WHO)
    for pk in waiting.order_by("pk").values_list("pk", flat=True):
        outbox.put(DECIDE, {"submission": pk}, dedupe_key=f"{DECIDE}/{pk}/{submission.pk}", now=now)


def _find_unidentified(row: Pairing, submission: Submission) -> RecordMatch | None:
    """Find the first match of a record whose names identify neither player, one with names if there is any."""
    matches = _list_matches(submission)
    found = [each for each in matches if naming.name_sides(row, each.white, each.black)[0] == UNKNOWN]
    return min(found, key=lambda each: not naming.has_names(each), default=None)


def _list_matches(submission: Submission) -> list[RecordMatch]:
    """Return the matches of a file that count: all or none."""
    file = submission.file
    rows = [] if file is None else list(file.matches.order_by("number"))
    return rows if all(match_parts.can_be_part(row.verdict) for row in rows) else []


def _load_evidence(event: Tournament, row: Pairing, submission: Submission) -> tuple[Evidence, set[Reading]]:
    """Load what determines the outcome of a record, and the ends refuted by the first part of the match."""
    own = _read_matches(row, submission)
    others = {each.pk: _read_matches(row, each) for each in _list_other_records(row, submission)}
    readings = Evidence(
        own=list(own),
        others={pk: [each for each in theirs if each.sides[0] in OTHER] for pk, theirs in others.items()},
        starts=match_parts.list_start_scores(row.a_late, row.b_late),
        standing=_build_result(row, claims.build_recorded_claim(row))
        if row.state == PairingState.DECIDED
        else None,
        is_open=_is_open(event, row),
        reports=[_read_report(row, submission, each) for each in claims.list_open_reports(row)],
        submitter=_read_submitter(event, row, submission),
    )
    matches: dict[Reading, RecordMatch] = {}
    for each in (own, *others.values()):
        matches = each | matches
    whole = readings.list_whole().items()
    return readings, {
        end
        for end, parts in whole
        if len(parts) > 1 and replays.is_refuted(*(matches[each] for each in parts))
    }


def _list_other_records(row: Pairing, submission: Submission) -> Iterable[Submission]:
    """Return the latest other records of the match with a verdict."""
    rows = Submission.objects.filter(pairing=row, file__judged_at__isnull=False).exclude(file=submission.file)
    return rows.select_related("file").defer("file__content").order_by("-pk")[:MOST_OTHERS]


def _read_matches(row: Pairing, submission: Submission) -> dict[Reading, RecordMatch]:
    """Map each reading of a file to its match; of two matches with the same reading the first."""
    found: dict[Reading, RecordMatch] = {}
    for match in _list_matches(submission):
        found.setdefault(_read_match(row, match), match)
    return found


def _read_match(row: Pairing, match: RecordMatch) -> Reading:
    sides = naming.name_sides(row, match.white, match.black)
    if match.length != row.length or sides[0] not in OTHER:
        return Reading(sides, None)
    score = (match.white_score, match.black_score)
    return match_parts.build_reading(
        sides,
        match_parts.get_begin_score(match.verdict),
        score,
        winner=match.winner,
        length=row.length,
    )


def _build_result(row: Pairing, claim: Claim) -> Result:
    return Result({row.a_id: A, row.b_id: B}.get(claim.winner_id, ""), claim.score)


def _is_open(event: Tournament, row: Pairing) -> bool:
    try:
        changes.require_running(event)
        claims.require_open(row)
    except TournamentError:
        return False
    return True


def _read_report(row: Pairing, submission: Submission, report: Report) -> OpenReport:
    if _has_code(submission):
        # A holder of the code does not confirm a report for the same player or from the same device.
        is_own = report.by_id == submission.entry_id or report.device == submission.device
    else:
        is_own = submission.by_id is not None and report.by.player.user_id == submission.by_id
    is_disputed = report.status == ReportStatus.DISPUTED
    return OpenReport(
        report.pk, _build_result(row, claims.build_report_claim(row, report)), is_disputed, is_own
    )


def _has_code(submission: Submission) -> bool:
    """True if a record was submitted with the code of its match.

    The code was valid at the submission, however long the verdict took; whether the two still meet is checked at
    the decision.
    """
    return submission.entry_id is not None and submission.opponent_id is not None


def _read_submitter(event: Tournament, row: Pairing, submission: Submission) -> Submitter:
    if _has_code(submission):
        seats = {submission.entry_id, submission.opponent_id}
        return Submitter(plays=seats == {row.a_id, row.b_id}, has_code=True)
    if submission.by is None:
        return Submitter()
    reported = Submission.objects.filter(pairing=row, by=submission.by, outcome=Outcome.REPORTED)
    return Submitter(
        plays=any(each is not None and each.player.user_id == submission.by_id for each in (row.a, row.b)),
        directs=submission.by.has_perm("tournaments.direct", event.club),
        has_reported=reported.exclude(pk=submission.pk).exists(),
    )


def _apply_conclusion(
    conclusion: Conclusion, event: Tournament, row: Pairing, submission: Submission, *, now: datetime
) -> Outcome:
    """Carry out a conclusion; the outcome is KEPT if the event does not accept the result.

    The caller holds the event's lock.
    """
    joined = Submission.objects.filter(pk__in=conclusion.joined)
    joined.filter(outcome__in=[Outcome.HALF, Outcome.UNFINISHED, Outcome.WHO]).update(outcome=Outcome.JOINED)
    rejected = Submission.objects.filter(pk__in=conclusion.rejected, outcome=Outcome.HALF)
    rejected.update(outcome=Outcome.REJECTED)
    score = conclusion.score
    try:
        with transaction.atomic():
            if conclusion.report is not None:
                results.accept_report(event, row, Report.objects.get(pk=conclusion.report), now=now)
            elif conclusion.disputes:
                results.dispute_in_event(event, row, claims.list_open_reports(row), now=now)
            elif conclusion.outcome == Outcome.ENTERED and submission.by is not None:
                results.enter_claim(
                    event, row, claims.build_claim(row, score, None), by=submission.by, now=now
                )
            elif score is not None and (user := _build_reporter(row, submission, now=now)) is not None:
                results.report_in_event(event, row, user, score=score, now=now)
    except TournamentError:
        return Outcome.KEPT
    return conclusion.outcome


def _build_reporter(row: Pairing, submission: Submission, *, now: datetime) -> User | CodeHolder | None:
    one, other = submission.entry_id, submission.opponent_id
    if one is None or other is None:
        return submission.by
    seats = (one, other) if row.a_id == one else (other, one)
    return CodeHolder(seats, now + timedelta(seconds=1), one, submission.device)
