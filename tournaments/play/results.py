"""Results: entered by a director, reported and confirmed by players, or taken from an online board."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import transaction

from draw.event import Kind
from players.models import Player
from tournaments.base.errors import (
    AlreadyDone,
    DirectorReports,
    NothingReported,
    NotYourMatch,
    UnknownPairing,
)
from tournaments.models import Pairing, Report, ReportedBy, ReportStatus, RulingKind, Stand, Tournament
from tournaments.play import at_table, boards, changes, claims, expecting, friendly_notices, progress, timing
from tournaments.play.at_table import AtTable
from tournaments.play.changes import Helping

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from matches.models import Match
    from players.models import User
    from tournaments.models import Entry
    from tournaments.play.claims import Claim

    Games = Sequence[Mapping[str, Any]]
    Score = tuple[int, int]


def enter(
    *,
    tournament_id: int,
    key: str,
    by: User | Helping,
    now: datetime,
    score: Score | None = None,
    winner: int | None = None,
    games: Games = (),
) -> Pairing:
    """Enter a result; *score* is a's, then b's, *winner* an entry's number, enough if no score is required.

    :raises NotDirector, NotHelper, DirectorDecides, WrongStatus, Paused, UnknownPairing, NotOpen: nothing changes.
    :raises AlreadyDone: this result is already recorded.
    :raises ResultStands: another result is recorded.
    :raises BadScore, BadGame, BadGames: the score or the games are impossible at this length.
    :raises ScoreNeeded, OtherHasWon, UnknownEntrant: a score is required, or the winner is impossible.
    """
    with transaction.atomic():
        event = changes.running(changes.assist(tournament_id, by, now=now))
        row = find(event, key)
        enter_claim(event, row, claims.build_claim(row, score, winner), games, by=by, now=now)
        return row


def enter_claim(
    event: Tournament, row: Pairing, claim: Claim, games: Games = (), *, by: User | Helping, now: datetime
) -> None:
    """Like `enter`, for a director or helper, in a running event that the caller has locked."""
    settle(event, row, claim, games, is_helper=isinstance(by, Helping), now=now)
    data = {"key": row.key, **claim.to_json(row)}
    changes.record_ruling(event, RulingKind.ENTERED_RESULT, by=by, now=now, data=data)


def report(
    *,
    tournament_id: int,
    key: str,
    user: User | AtTable,
    now: datetime,
    score: Score | None = None,
    winner: int | None = None,
    games: Games = (),
    device: str = "",
) -> Report:
    """Report the result of the user's own match, by account or code; two equal reports confirm each other.

    *device* is the device of an account's report, which cannot be confirmed there with the code.

    :raises CodeExpired, SeatsMoved: the code is not valid for this.
    :raises SameDevice, ReportedElsewhere: the report is for the other side, or replaces another device's.
    :raises WrongStatus, Paused, UnknownPairing, NotOpen, NotYourMatch: nothing is noted.
    :raises DirectorReports: in this event the director enters the results.
    :raises BadScore, BadGame, BadGames: the score or the games are impossible at this length.
    :raises ScoreNeeded, OtherHasWon, UnknownEntrant: a score is required, or the winner is impossible.
    """
    with transaction.atomic():
        event = changes.running(changes.lock(tournament_id))
        row = find(event, key)
        return report_in(event, row, user, now=now, score=score, winner=winner, games=games, device=device)


def report_in(
    event: Tournament,
    row: Pairing,
    user: User | AtTable,
    *,
    now: datetime,
    score: Score | None = None,
    winner: int | None = None,
    games: Games = (),
    device: str = "",
) -> Report:
    """Like `report`, in a running event that the caller has locked."""
    mine = side_of(row, user, now=now)
    claims.require_open(row)
    if event.reporting == ReportedBy.DIRECTOR:
        raise DirectorReports
    claim = claims.build_claim(row, score, winner)
    claims.check(event, row, claim, games)
    open_reports = claims.list_open_reports(row)
    own = next((one for one in open_reports if one.by_id == mine.pk), None)
    if own is not None and claims.build_report_claim(row, own) == claim and own.status == ReportStatus.OPEN:
        return own
    at_table.require_to_speak(user, own, open_reports)
    if own is not None:
        own.status, own.confirms_at = ReportStatus.DROPPED, None
        own.save(update_fields=["status", "confirms_at"])
    others = [one for one in open_reports if one.by_id != mine.pk]
    said = Report.objects.create(
        pairing=row,
        by=mine,
        **claim.scores,
        winner_id=claim.winner_id if claim.score is None else None,
        games=list(games),
        at=now,
        confirms_at=None if others else _confirms_at(event, now),
        device=user.device if isinstance(user, AtTable) else device,
    )
    agreed = _agreed(row, said, others)
    if agreed is not None or (not others and _stands_alone(event, user, mine, claim)):
        accept(event, row, agreed or said, now=now)
        said.refresh_from_db()
        return said
    for one in (said, others[0]) if others else ():
        _dispute(one)
    _call(row, timing.Why.DISPUTE if others else "")
    changes.announce_change(event, now=now)
    if others:
        friendly_notices.notify_disputed(event, row, now=now)
    else:
        friendly_notices.notify_reported(event, row, said, now=now)
    return said


def confirm(
    *,
    tournament_id: int,
    key: str,
    user: User | AtTable,
    now: datetime,
    score: Score | None = None,
    winner: int | None = None,
) -> Pairing:
    """Confirm the opponent's report: this score (a's, then b's), or this winner without a score.

    :raises AlreadyDone: it is confirmed.
    :raises WrongStatus, Paused, UnknownPairing, NotOpen, NotYourMatch, NothingReported: nothing changes.
    :raises ChangedMeanwhile: the opponent has reported something else.
    :raises CodeExpired, SeatsMoved, SameDevice: the code is not valid for this.
    """
    with transaction.atomic():
        event = changes.running(changes.lock(tournament_id))
        row = find(event, key)
        mine = side_of(row, user, now=now)
        said = Report.objects.filter(pairing=row, status=ReportStatus.CONFIRMED).first()
        claim = claims.build_claim(row, score, winner)
        if said is not None and row.state == Stand.DECIDED and claims.build_report_claim(row, said) == claim:
            raise AlreadyDone
        claims.require_open(row)
        said = _of_the_other(row, mine, claim)
        at_table.require_other_device(user, said)
        accept(event, row, said, now=now)
        return row


def dispute(
    *,
    tournament_id: int,
    key: str,
    user: User | AtTable,
    now: datetime,
    score: Score | None = None,
    winner: int | None = None,
) -> Report:
    """Dispute the opponent's report of this score or winner, and call the director.

    :raises WrongStatus, Paused, UnknownPairing, NotOpen, NotYourMatch, NothingReported: nothing changes.
    :raises ChangedMeanwhile: the opponent has reported something else.
    :raises CodeExpired, SeatsMoved, SameDevice: the code is not valid for this.
    """
    with transaction.atomic():
        event = changes.running(changes.lock(tournament_id))
        row = find(event, key)
        mine = side_of(row, user, now=now)
        claims.require_open(row)
        said = _of_the_other(row, mine, claims.build_claim(row, score, winner))
        at_table.require_other_device(user, said)
        _dispute(said)
        _call(row, timing.Why.DISPUTE)
        changes.announce_change(event, now=now)
        friendly_notices.notify_disputed(event, row, now=now)
        return said


def drop_reports(row: Pairing) -> None:
    """Discard the open reports of a match. The caller holds the event's lock."""
    for said in claims.list_open_reports(row):
        said.status, said.confirms_at = ReportStatus.DROPPED, None
        said.save(update_fields=["status", "confirms_at"])
    _call(row, "")


def take_back(row: Pairing, mine: Entry, user: User | AtTable) -> None:
    """Discard a player's own open report. The caller holds the event's lock.

    With a code only a report from the same device.
    """
    said = Report.objects.filter(pairing=row, by=mine, status=ReportStatus.OPEN)
    if isinstance(user, AtTable):
        said = said.filter(device=user.device)
    said.update(status=ReportStatus.DROPPED, confirms_at=None)


def open_board(*, tournament_id: int, key: str, user: User, now: datetime) -> Match:
    """Create the board of an open match, for one of its players or a director; at most one exists.

    :raises WrongStatus, Paused, UnknownPairing, NotOpen, ResultStands, NotYourMatch: nothing is laid out.
    :raises NoAccounts: one of the two has no account.
    """
    with transaction.atomic():
        event = changes.running(changes.lock(tournament_id))
        row = find(event, key)
        if not user.has_perm("tournaments.direct", event.club):
            side_of(row, user, now=now)
        claims.require_open(row)
        match = boards.lay_out(event, row, now=now)
        changes.announce_change(event, now=now)
        return match


def note(event: Tournament, row: Pairing, said: Report, *, now: datetime) -> None:
    """Confirm a report without advancing the event, for many at a time."""
    claim = claims.build_report_claim(row, said)
    claims.require_open(row)
    claims.check(event, row, claim, said.games)
    said.status, said.confirms_at = ReportStatus.CONFIRMED, None
    said.save(update_fields=["status", "confirms_at"])
    progress.store(row, Kind.PLAYED, winner_id=claim.winner_id, score=claim.score, games=said.games, now=now)


def settle(
    event: Tournament, row: Pairing, claim: Claim, games: Games, *, is_helper: bool = False, now: datetime
) -> None:
    """Store a played result, once, and advance.

    :raises DirectorDecides, AlreadyDone, ResultStands, NotOpen, BadScore, BadGame, BadGames: nothing changes.
    """
    claims.require_new(event, row, claim, games, is_helper=is_helper)
    progress.absorb(
        event, row, Kind.PLAYED, winner_id=claim.winner_id, score=claim.score, games=games, now=now
    )


def accept(event: Tournament, row: Pairing, said: Report, *, now: datetime) -> None:
    """Confirm a report."""
    said.status, said.confirms_at = ReportStatus.CONFIRMED, None
    said.save(update_fields=["status", "confirms_at"])
    settle(event, row, claims.build_report_claim(row, said), said.games, now=now)


def find(event: Tournament, key: str) -> Pairing:
    """Load a match of an event that the caller has locked.

    :raises UnknownPairing: there is no match with this key.
    """
    row = Pairing.objects.select_related("a", "b").filter(tournament=event, key=key).first()
    if row is None:
        raise UnknownPairing
    return row


def side_of(row: Pairing, user: User | AtTable, *, now: datetime) -> Entry:
    """The entry of the user in this match: by their account, or by the code's claim.

    :raises NotYourMatch: the user does not play in this match.
    :raises CodeExpired, SeatsMoved: the code is not valid for this.
    """
    if isinstance(user, AtTable):
        return user.side(row, now=now)
    player = Player.objects.get(user=user)
    for entry in (row.a, row.b):
        if entry is not None and entry.player_id == player.pk:
            return entry
    raise NotYourMatch


def _stands_alone(event: Tournament, user: User | AtTable, mine: Entry, claim: Claim) -> bool:
    """True if no confirmation is needed: by the event's setting, or the loser's own account has reported."""
    if event.reporting == ReportedBy.OPEN:
        return True
    # A user of the code may have claimed the loser's name.
    is_loser = claim.winner_id != mine.pk and not isinstance(user, AtTable)
    return event.reporting == ReportedBy.WINNER and is_loser


def _of_the_other(row: Pairing, mine: Entry, claim: Claim) -> Report:
    """The opponent's report, if it equals *claim*."""
    said = next((one for one in claims.list_open_reports(row) if one.by_id != mine.pk), None)
    if said is None:
        raise NothingReported
    if claims.build_report_claim(row, said) != claim:
        raise expecting.build_reports_error(row.tournament, row)
    return said


def _confirms_at(event: Tournament, now: datetime) -> datetime | None:
    if event.confirm_minutes is None:
        return None
    return now + timedelta(minutes=event.confirm_minutes)


def _agreed(row: Pairing, said: Report, others: Sequence[Report]) -> Report | None:
    """The report to accept if two of them agree: the one with a score if the other has none."""
    mine = claims.build_report_claim(row, said)
    for other in others:
        theirs = claims.build_report_claim(row, other)
        if mine == theirs:
            return other if other.status == ReportStatus.OPEN else said
        if mine.agrees_with(theirs):
            return said if theirs.score is None else other
    return None


def _dispute(said: Report) -> None:
    said.status, said.confirms_at = ReportStatus.DISPUTED, None
    said.save(update_fields=["status", "confirms_at"])


def _call(row: Pairing, why: str) -> None:
    if row.needs_director != why:
        row.needs_director = why
        row.due_at = timing.find_next_due(row.tournament, row)
        row.save(update_fields=["needs_director", "due_at"])
