"""Results: entered by a director, reported and confirmed by players, or brought by a live match."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import transaction

from players.models import Player
from tournaments import scores
from tournaments.errors import (
    AlreadyDone,
    DirectorReports,
    NothingReported,
    NotOpen,
    NotYourMatch,
    ResultStands,
    UnknownPairing,
)
from tournaments.models import Act, Pairing, Report, ReportedBy, ReportStatus, Stand, Tournament
from tournaments.pairing.event import Kind
from tournaments.selectors import plays
from tournaments.services import boards, changes, expecting, progress, timing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from matches.models import Match
    from players.models import User
    from tournaments.models import Entry

    Games = Sequence[Mapping[str, Any]]
    Score = tuple[int, int]

parse = scores.parse


def enter(
    *, tournament_id: int, key: str, score: Score, by: User, now: datetime, games: Games = ()
) -> Pairing:
    """Enter a result; the score is that of a, then that of b.

    :raises NotDirector, WrongStatus, Paused, UnknownPairing, NotOpen: nothing changes.
    :raises AlreadyDone: this very result stands.
    :raises ResultStands: another one does.
    :raises BadScore, BadGame, BadGames: no match of this length ends like that.
    """
    with transaction.atomic():
        event = changes.running(changes.direct(tournament_id, by))
        row = find(event, key)
        settle(event, row, score, games, now=now)
        data = {"key": key, "score": list(score)}
        changes.rule(event, Act.ENTERED_RESULT, by=by, now=now, data=data)
        return row


def report(
    *, tournament_id: int, key: str, user: User, score: Score, now: datetime, games: Games = ()
) -> Report:
    """Report the result of one's own match; two who say the same have confirmed it.

    :raises WrongStatus, Paused, UnknownPairing, NotOpen, NotYourMatch: nothing is noted.
    :raises DirectorReports: in this event the director enters the results.
    :raises BadScore, BadGame, BadGames: no match of this length ends like that.
    """
    with transaction.atomic():
        event = changes.running(changes.lock(tournament_id))
        row = find(event, key)
        mine = side_of(row, user)
        require_open(row)
        if event.reporting == ReportedBy.DIRECTOR:
            raise DirectorReports
        check(row, score, games)
        open_reports = list(_open(row))
        own = next((one for one in open_reports if one.by_id == mine.pk), None)
        if own is not None and (own.score_a, own.score_b) == score and own.status == ReportStatus.OPEN:
            return own
        if own is not None:
            own.status, own.confirms_at = ReportStatus.DROPPED, None
            own.save(update_fields=["status", "confirms_at"])
        others = [one for one in open_reports if one.by_id != mine.pk]
        said = Report.objects.create(
            pairing=row,
            by=mine,
            score_a=score[0],
            score_b=score[1],
            games=list(games),
            at=now,
            confirms_at=None if others else _confirms_at(event, now),
        )
        if _admits(event, row, mine, score):
            accept(event, row, said, now=now)
        elif others:
            _compare(event, row, said, others[0], now=now)
        else:
            _call(row, "")
            changes.hint(event, now=now)
        return said


def confirm(*, tournament_id: int, key: str, user: User, score: Score, now: datetime) -> Pairing:
    """Say that what the opponent reported is right: this score, of a and then of b.

    :raises WrongStatus, Paused, UnknownPairing, NotOpen, NotYourMatch, NothingReported: nothing changes.
    :raises ChangedMeanwhile: the opponent says something else.
    """
    with transaction.atomic():
        event = changes.running(changes.lock(tournament_id))
        row = find(event, key)
        mine = side_of(row, user)
        said = Report.objects.filter(pairing=row, status=ReportStatus.CONFIRMED).first()
        if said is not None and row.state == Stand.DECIDED and (said.score_a, said.score_b) == score:
            raise AlreadyDone
        require_open(row)
        said = _of_the_other(row, mine, score)
        accept(event, row, said, now=now)
        return row


def dispute(*, tournament_id: int, key: str, user: User, score: Score, now: datetime) -> Report:
    """Say that what the opponent reported, this score, is wrong: the director is called.

    :raises WrongStatus, Paused, UnknownPairing, NotOpen, NotYourMatch, NothingReported: nothing changes.
    :raises ChangedMeanwhile: the opponent says something else.
    """
    with transaction.atomic():
        event = changes.running(changes.lock(tournament_id))
        row = find(event, key)
        mine = side_of(row, user)
        require_open(row)
        said = _of_the_other(row, mine, score)
        _dispute(said)
        _call(row, timing.Why.DISPUTE)
        changes.hint(event, now=now)
        return said


def rule(
    *, tournament_id: int, key: str, score: Score, reason: str, by: User, now: datetime, games: Games = ()
) -> Pairing:
    """Settle what the two could not agree on.

    :raises NotDirector, WrongStatus, Paused, UnknownPairing, NotOpen, ResultStands, ReasonNeeded: nothing changes.
    :raises BadScore, BadGame, BadGames: no match of this length ends like that.
    """
    with transaction.atomic():
        event = changes.running(changes.direct(tournament_id, by))
        why = changes.require_reason(reason)
        row = find(event, key)
        settle(event, row, score, games, now=now)
        data = {"key": key, "score": list(score)}
        changes.rule(event, Act.RULED, by=by, now=now, reason=why, data=data)
        return row


def open_board(*, tournament_id: int, key: str, user: User, now: datetime) -> Match:
    """Lay out a board for an open match, for one of its two or for a director; there is never a second one.

    :raises WrongStatus, Paused, UnknownPairing, NotOpen, ResultStands, NotYourMatch: nothing is laid out.
    :raises NoAccounts: one of the two has no account.
    """
    with transaction.atomic():
        event = changes.running(changes.lock(tournament_id))
        row = find(event, key)
        if not user.has_perm("tournaments.direct", event.club):
            side_of(row, user)
        require_open(row)
        match = boards.lay_out(event, row, now=now)
        changes.hint(event, now=now)
        return match


def note(event: Tournament, row: Pairing, said: Report, *, now: datetime) -> None:
    """Let a report stand without going on yet, where many are taken together."""
    score = (said.score_a, said.score_b)
    require_open(row)
    check(row, score, said.games)
    said.status, said.confirms_at = ReportStatus.CONFIRMED, None
    said.save(update_fields=["status", "confirms_at"])
    winner = row.a_id if score[0] > score[1] else row.b_id
    progress.store(row, Kind.PLAYED, winner_id=winner, score=score, games=said.games, now=now)


def settle(event: Tournament, row: Pairing, score: Score, games: Games, *, now: datetime) -> None:
    """Store a result that was played, once, and go on.

    :raises AlreadyDone, ResultStands, NotOpen, BadScore, BadGame, BadGames: nothing changes.
    """
    _require_new(row, score)
    check(row, score, games)
    winner = row.a_id if score[0] > score[1] else row.b_id
    progress.absorb(event, row, Kind.PLAYED, winner_id=winner, score=score, games=games, now=now)


def accept(event: Tournament, row: Pairing, said: Report, *, now: datetime) -> None:
    """Let a report stand."""
    said.status, said.confirms_at = ReportStatus.CONFIRMED, None
    said.save(update_fields=["status", "confirms_at"])
    settle(event, row, (said.score_a, said.score_b), said.games, now=now)


def find(event: Tournament, key: str) -> Pairing:
    """Return a match of an event that the caller has locked.

    :raises UnknownPairing: there is none of that key.
    """
    row = Pairing.objects.select_related("a", "b").filter(tournament=event, key=key).first()
    if row is None:
        raise UnknownPairing
    return row


def side_of(row: Pairing, user: User) -> Entry:
    """Return with which entry the account plays in this match.

    :raises NotYourMatch: with none.
    """
    player = Player.objects.get(user=user)
    for entry in (row.a, row.b):
        if entry is not None and entry.player_id == player.pk:
            return entry
    raise NotYourMatch


def require_open(row: Pairing) -> None:
    """Let a match pass that is to be played now.

    :raises ResultStands, NotOpen: it is not.
    """
    if row.state == Stand.DECIDED:
        raise ResultStands
    if row.state != Stand.READY or row.opened_at is None:
        raise NotOpen


def _require_new(row: Pairing, score: Score) -> None:
    if row.state == Stand.DECIDED and row.kind == Kind.PLAYED and (row.score_a, row.score_b) == score:
        raise AlreadyDone
    require_open(row)


def check(row: Pairing, score: Score, games: Games) -> None:
    """Let a score pass with which this match can end, and games that lead to it.

    :raises BadScore, BadGame, BadGames: they do not.
    """
    begun = (row.b_late, row.a_late)
    scores.check(score, row.length, begun)
    if games:
        scores.check_games(games, score, row.length, begun, plays.played_by(row.rules))


def _admits(event: Tournament, row: Pairing, mine: Entry, score: Score) -> bool:
    """Say whether the loser himself reports: where the winner is to tell, nobody else has to confirm it."""
    has_won = (score[0] > score[1]) == (row.a_id == mine.pk)
    return event.reporting == ReportedBy.WINNER and not has_won


def _open(row: Pairing) -> Sequence[Report]:
    return list(
        Report.objects.filter(pairing=row, status__in=[ReportStatus.OPEN, ReportStatus.DISPUTED]).order_by(
            "pk"
        )
    )


def _of_the_other(row: Pairing, mine: Entry, score: Score) -> Report:
    """Return what the opponent says, if it is this."""
    said = next((one for one in _open(row) if one.by_id != mine.pk), None)
    if said is None:
        raise NothingReported
    if (said.score_a, said.score_b) != score:
        raise expecting.reported_otherwise(row.tournament, row)
    return said


def _confirms_at(event: Tournament, now: datetime) -> datetime | None:
    if event.confirm_minutes is None:
        return None
    return now + timedelta(minutes=event.confirm_minutes)


def _compare(event: Tournament, row: Pairing, said: Report, other: Report, *, now: datetime) -> None:
    """Let what both say stand, or call the director to what they do not agree on."""
    if (said.score_a, said.score_b) == (other.score_a, other.score_b):
        accept(event, row, other if other.status == ReportStatus.OPEN else said, now=now)
        said.refresh_from_db()
        return
    for one in (said, other):
        _dispute(one)
    _call(row, timing.Why.DISPUTE)
    changes.hint(event, now=now)


def _dispute(said: Report) -> None:
    said.status, said.confirms_at = ReportStatus.DISPUTED, None
    said.save(update_fields=["status", "confirms_at"])


def _call(row: Pairing, why: str) -> None:
    if row.needs_director != why:
        row.needs_director = why
        row.due_at = timing.next_due(row.tournament, row)
        row.save(update_fields=["needs_director", "due_at"])
