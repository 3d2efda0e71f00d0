"""Results: entered by a director, reported and confirmed by players, or taken from an online board."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _

from draw.event import Kind
from matches.models import Match
from players.models import Player, User
from players.notices.kinds import NoticeKind, Reader
from tournaments.base import formats, local_times
from tournaments.base.errors import (
    AlreadyDone,
    DirectorDecides,
    DirectorReports,
    NothingReported,
    NotYourMatch,
    UnknownPairing,
)
from tournaments.models import (
    Entry,
    Pairing,
    PairingState,
    Report,
    ReportedBy,
    ReportStatus,
    RulingKind,
    Tournament,
)
from tournaments.play import (
    boards,
    changes,
    claims,
    code_holders,
    friendly_notices,
    optimistic_locking,
    progress,
    timing,
)
from tournaments.play.changes import HelperActor
from tournaments.play.claims import Claim, Games, Score
from tournaments.play.code_holders import CodeHolder

REPORTED: Final = NoticeKind(
    name="match_reported",
    reader=Reader.ENTRANT,
    when=_("Your opponent reports the result of a match that is played over days."),
    text={
        "counts": _(
            "{opponent} reported the result of your match in {event}. It counts from {when} unless you dispute it."
        ),
        "waits": _("{opponent} reported the result of your match in {event}: please confirm it."),
    },
)


def enter_result(
    *,
    tournament_id: int,
    key: str,
    by: User | HelperActor,
    now: datetime,
    score: Score | None = None,
    winner: int | None = None,
    games: Games = (),
) -> Pairing:
    """Enter the result of a match, as a director or helper.

    *score* is a's points, then b's; *winner* is the number of an entry, and is enough if the event needs no
    score.

    :raises NotDirector, NotHelper, DirectorDecides, WrongStatus, Paused, UnknownPairing, NotOpen: nothing changes.
    :raises AlreadyDone: this result is already recorded.
    :raises ResultStands: another result is recorded.
    :raises BadScore, BadGame, BadGames: the score or the games are impossible at this length.
    :raises ScoreNeeded, OtherHasWon, UnknownEntrant: a score is required, or the winner is impossible.
    """
    with transaction.atomic():
        event = changes.require_running(changes.lock_for_helper(tournament_id, by, now=now))
        row = get_match(event, key)
        enter_claim(event, row, claims.build_claim(row, score, winner), games, by=by, now=now)
        return row


def enter_claim(
    event: Tournament, row: Pairing, claim: Claim, games: Games = (), *, by: User | HelperActor, now: datetime
) -> None:
    """Like `enter_result`, in a running event that the caller has locked for this director or helper."""
    # A helper's result that contradicts a report, or decides a dispute, takes a ruling.
    for report in claims.list_open_reports(row) if isinstance(by, HelperActor) else ():
        if report.status == ReportStatus.DISPUTED or claims.build_report_claim(row, report) != claim:
            raise DirectorDecides
    record_played_result(event, row, claim, games, now=now)
    data = {**claims.identify_match(row), **claim.to_json(row)}
    changes.record_ruling(event, RulingKind.ENTERED_RESULT, by=by, now=now, data=data)


def report_result(
    *,
    tournament_id: int,
    key: str,
    user: User | CodeHolder,
    now: datetime,
    score: Score | None = None,
    winner: int | None = None,
    games: Games = (),
    device: str = "",
) -> Report:
    """Report the result of the user's own match, by account or code; two equal reports confirm each other.

    *device* is the browser that reports by account: with the code, the same browser cannot confirm the report.

    :raises CodeExpired, SeatsMoved: the code is not valid for this.
    :raises SameDevice, ReportedElsewhere: the report is for the other side, or replaces another device's.
    :raises WrongStatus, Paused, UnknownPairing, ResultStands, NotOpen, NotYourMatch: no report is made.
    :raises DirectorReports: in this event the director enters the results.
    :raises BadScore, BadGame, BadGames: the score or the games are impossible at this length.
    :raises ScoreNeeded, OtherHasWon, UnknownEntrant: a score is required, or the winner is impossible.
    """
    with transaction.atomic():
        event = changes.require_running(changes.lock_event(tournament_id))
        row = get_match(event, key)
        return report_in_event(
            event, row, user, now=now, score=score, winner=winner, games=games, device=device
        )


def report_in_event(
    event: Tournament,
    row: Pairing,
    user: User | CodeHolder,
    *,
    now: datetime,
    score: Score | None = None,
    winner: int | None = None,
    games: Games = (),
    device: str = "",
) -> Report:
    """Like `report_result`, in a running event that the caller has locked."""
    mine = get_own_entry(row, user, now=now)
    claims.require_open(row)
    if event.reporting == ReportedBy.DIRECTOR:
        raise DirectorReports
    claim = claims.build_claim(row, score, winner)
    claims.check_claim(event, row, claim, games)
    open_reports = claims.list_open_reports(row)
    own = next((one for one in open_reports if one.by_id == mine.pk), None)
    if own is not None and claims.build_report_claim(row, own) == claim and own.status == ReportStatus.OPEN:
        return own
    code_holders.require_may_report(user, own, open_reports)
    if own is not None:
        own.status, own.confirms_at = ReportStatus.DROPPED, None
        own.save(update_fields=["status", "confirms_at"])
    others = [one for one in open_reports if one.by_id != mine.pk]
    minutes = None if others else event.confirm_minutes
    report = Report.objects.create(
        pairing=row,
        by=mine,
        **claim.scores,
        winner_id=claim.winner_id if claim.score is None else None,
        games=list(games),
        at=now,
        confirms_at=None if minutes is None else now + timedelta(minutes=minutes),
        device=user.device if isinstance(user, CodeHolder) else device,
    )
    agreed = _find_agreed_report(row, report, others)
    if agreed is not None or (not others and _needs_no_confirmation(event, user, mine, claim)):
        accept_report(event, row, agreed or report, now=now)
        report.refresh_from_db()
        return report
    for one in (report, others[0]) if others else ():
        _mark_disputed(one)
    _call_director(row, timing.DueReason.DISPUTE if others else "")
    changes.announce_report(event, now=now)
    if others:
        friendly_notices.notify_disputed(event, row, now=now)
    else:
        friendly_notices.notify_reported(event, row, report, now=now)
        _notify_reported(event, row, report, now=now)
    return report


def _notify_reported(event: Tournament, row: Pairing, said: Report, *, now: datetime) -> None:
    """Notify the opponent of a match over days: they may not see the report before it counts."""
    other = row.b if said.by_id == row.a_id else row.a
    if event.is_friendly or other is None or not formats.is_over_days(row.stage):
        return
    changes.notify_player(
        REPORTED,
        other.player,
        event,
        variant="counts" if said.confirms_at else "waits",
        opponent=said.by.player.public_name,
        when=lazy(local_times.format_zoned_moment, str)(said.confirms_at or now, event.club.time_zone),
        once=f"report.{said.uid}",
        now=now,
    )


def confirm_report(
    *,
    tournament_id: int,
    key: str,
    user: User | CodeHolder,
    now: datetime,
    score: Score | None = None,
    winner: int | None = None,
) -> Pairing:
    """Confirm the opponent's report: this score (a's, then b's), or this winner without a score.

    :raises AlreadyDone: it is confirmed.
    :raises WrongStatus, Paused, UnknownPairing, ResultStands, NotOpen, NotYourMatch, NothingReported: nothing changes.
    :raises ChangedMeanwhile: the opponent has reported something else.
    :raises CodeExpired, SeatsMoved, SameDevice: the code is not valid for this.
    """
    with transaction.atomic():
        event = changes.require_running(changes.lock_event(tournament_id))
        row = get_match(event, key)
        mine = get_own_entry(row, user, now=now)
        claim = claims.build_claim(row, score, winner)
        if row.state == PairingState.DECIDED:
            confirmed = Report.objects.filter(pairing=row, status=ReportStatus.CONFIRMED).first()
            if confirmed is not None and claims.build_report_claim(row, confirmed) == claim:
                raise AlreadyDone
        claims.require_open(row)
        report = _get_their_report(row, mine, claim)
        code_holders.require_other_device(user, report)
        accept_report(event, row, report, now=now)
        return row


def dispute_report(
    *,
    tournament_id: int,
    key: str,
    user: User | CodeHolder,
    now: datetime,
    score: Score | None = None,
    winner: int | None = None,
) -> Report:
    """Dispute the opponent's report of this score or winner, and call the director.

    :raises WrongStatus, Paused, UnknownPairing, ResultStands, NotOpen, NotYourMatch, NothingReported: nothing changes.
    :raises ChangedMeanwhile: the opponent has reported something else.
    :raises CodeExpired, SeatsMoved, SameDevice: the code is not valid for this.
    """
    with transaction.atomic():
        event = changes.require_running(changes.lock_event(tournament_id))
        row = get_match(event, key)
        mine = get_own_entry(row, user, now=now)
        claims.require_open(row)
        report = _get_their_report(row, mine, claims.build_claim(row, score, winner))
        code_holders.require_other_device(user, report)
        dispute_in_event(event, row, [report], now=now)
        return report


def dispute_in_event(event: Tournament, row: Pairing, reports: Sequence[Report], *, now: datetime) -> None:
    """Mark reports as disputed and call the director. The caller holds the event's lock."""
    for report in reports:
        _mark_disputed(report)
    _call_director(row, timing.DueReason.DISPUTE)
    changes.announce_report(event, now=now)
    friendly_notices.notify_disputed(event, row, now=now)


def drop_reports(row: Pairing) -> None:
    """Discard the open reports of a match, for which it needs no director any more."""
    claims.drop_open_reports(row)
    _call_director(row, "")


def drop_own_report(row: Pairing, mine: Entry, user: User | CodeHolder) -> None:
    """Discard a player's own open report. The caller holds the event's lock.

    A code discards only a report from the same device.
    """
    reports = Report.objects.filter(pairing=row, by=mine, status=ReportStatus.OPEN)
    if isinstance(user, CodeHolder):
        reports = reports.filter(device=user.device)
    reports.update(status=ReportStatus.DROPPED, confirms_at=None)


def open_board(*, tournament_id: int, key: str, user: User, now: datetime) -> Match:
    """Create the board of an open match, for one of its players or a director; at most one exists.

    :raises WrongStatus, Paused, UnknownPairing, NotOpen, ResultStands, NotYourMatch: no board is created.
    :raises NoAccounts: one of the two has no account.
    """
    with transaction.atomic():
        event = changes.require_running(changes.lock_event(tournament_id))
        row = get_match(event, key)
        if not user.has_perm("tournaments.direct", event.club):
            get_own_entry(row, user, now=now)
        claims.require_open(row)
        match = boards.create_board(event, row, now=now)
        changes.announce_change(event, now=now)
        return match


def confirm_without_advancing(event: Tournament, row: Pairing, report: Report, *, now: datetime) -> None:
    claim = claims.build_report_claim(row, report)
    claims.require_open(row)
    claims.check_claim(event, row, claim, report.games)
    _confirm(row, report)
    progress.store_result(
        row, Kind.PLAYED, winner_id=claim.winner_id, score=claim.score, games=report.games, now=now
    )


def record_played_result(
    event: Tournament, row: Pairing, claim: Claim, games: Games, *, now: datetime
) -> None:
    """Store a played result, once, and advance.

    :raises AlreadyDone: it was played, and ended like this.
    :raises ResultStands, NotOpen: it is not open.
    :raises ScoreNeeded, BadScore, UnknownEntrant, BadGame, BadGames: see `claims.check_claim`.
    """
    is_played = row.state == PairingState.DECIDED and row.kind == Kind.PLAYED
    if is_played and claims.build_recorded_claim(row) == claim:
        raise AlreadyDone
    claims.require_open(row)
    claims.check_claim(event, row, claim, games)
    progress.record_result(
        event, row, Kind.PLAYED, winner_id=claim.winner_id, score=claim.score, games=games, now=now
    )


def accept_report(event: Tournament, row: Pairing, report: Report, *, now: datetime) -> None:
    _confirm(row, report)
    record_played_result(event, row, claims.build_report_claim(row, report), report.games, now=now)


def _confirm(row: Pairing, report: Report) -> None:
    drop_confirmed_reports(Pairing.objects.filter(pk=row.pk))
    report.status, report.confirms_at = ReportStatus.CONFIRMED, None
    report.save(update_fields=["status", "confirms_at"])


def drop_confirmed_reports(rows: QuerySet[Pairing]) -> None:
    """Discard the confirmed reports of matches that are open again. The caller holds the event's lock."""
    reports = Report.objects.filter(pairing__in=rows, status=ReportStatus.CONFIRMED)
    reports.update(status=ReportStatus.DROPPED)


def get_match(event: Tournament, key: str) -> Pairing:
    """Load a match of an event that the caller has locked."""
    try:
        return Pairing.objects.select_related("a", "b").get(tournament=event, key=key)
    except Pairing.DoesNotExist:
        raise UnknownPairing from None


def get_own_entry(row: Pairing, user: User | CodeHolder, *, now: datetime) -> Entry:
    """Return the entry of the user in this match: by their account, or by the code's claim.

    :raises NotYourMatch: the user does not play in this match.
    :raises CodeExpired, SeatsMoved: the code is not valid for this.
    """
    if isinstance(user, CodeHolder):
        return user.side(row, now=now)
    player = Player.objects.get(user=user)
    for entry in (row.a, row.b):
        if entry is not None and entry.player_id == player.pk:
            return entry
    raise NotYourMatch


def _needs_no_confirmation(event: Tournament, user: User | CodeHolder, mine: Entry, claim: Claim) -> bool:
    """True if no confirmation is needed: by the event's setting, or the loser's own account has reported."""
    if event.reporting == ReportedBy.OPEN:
        return True
    # A user of the code may have claimed the loser's name.
    is_loser = claim.winner_id != mine.pk and not isinstance(user, CodeHolder)
    return event.reporting == ReportedBy.WINNER and is_loser


def _get_their_report(row: Pairing, mine: Entry, claim: Claim) -> Report:
    report = next((one for one in claims.list_open_reports(row) if one.by_id != mine.pk), None)
    if report is None:
        raise NothingReported
    if claims.build_report_claim(row, report) != claim:
        raise optimistic_locking.build_reports_error(row.tournament, row)
    return report


def _find_agreed_report(row: Pairing, report: Report, others: Sequence[Report]) -> Report | None:
    """Return the report to accept if two of them agree: the one with a score if the other has none."""
    mine = claims.build_report_claim(row, report)
    for other in others:
        theirs = claims.build_report_claim(row, other)
        if mine == theirs:
            return other if other.status == ReportStatus.OPEN else report
        if mine.agrees_with(theirs):
            return report if theirs.score is None else other
    return None


def _mark_disputed(report: Report) -> None:
    report.status, report.confirms_at = ReportStatus.DISPUTED, None
    report.save(update_fields=["status", "confirms_at"])


def _call_director(row: Pairing, why: str) -> None:
    if row.needs_director != why:
        row.needs_director = why
        row.due_at = timing.find_next_due(row.tournament, row)
        row.save(update_fields=["needs_director", "due_at"])
