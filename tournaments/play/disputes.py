"""A director's ruling on a match whose players disagree; both players are notified."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction

from draw.event import Kind
from engine.errors import EngineError
from engine.formats import xgid
from players.models import User
from tournaments import hooks
from tournaments.base.errors import BadPosition, NothingReported, PositionElsewhere, UnknownEntrant
from tournaments.models import OPEN_REPORTS, Decision, Pairing, Report, Ruling, RulingKind, Tournament
from tournaments.play import (
    changes,
    claims,
    progress,
    results,
    ruling_notices,
    running_event,
    table_play,
    timing,
)
from tournaments.play.claims import Games, Score

# Decisions for a match that was not played to its end.
UNPLAYED = {
    Decision.FORFEIT: Kind.FORFEIT,
    Decision.DOUBLE_FORFEIT: Kind.DOUBLE_FORFEIT,
    Decision.VOID: Kind.VOID,
}


def rule_on_match(
    *,
    tournament_id: int,
    key: str,
    reason: str,
    by: User,
    now: datetime,
    decision: str = Decision.RESULT.value,
    entry: int | None = None,
    score: Score | None = None,
    winner: int | None = None,
    games: Games = (),
    position: str = "",
) -> Pairing:
    """Rule on a disputed match: accept a report, enter another result, end it by rule, or have it played on.

    *entry* is the author of the accepted report, or the player who forfeits; *position* is an XGID to play on
    from.

    :raises NotDirector, WrongStatus, Paused, UnknownPairing, NotOpen, ResultStands, ReasonNeeded: nothing changes.
    :raises BadScore, BadGame, BadGames: the score or the games are impossible at this length.
    :raises ScoreNeeded, OtherHasWon, UnknownEntrant: a score is required, or the winner is impossible.
    :raises NothingReported: that player has reported nothing.
    :raises BadPosition, OtherScore: the XGID is invalid, or its score never occurred in the match.
    :raises PositionElsewhere: on an online board, the XGID is of a match of another length.
    """
    with transaction.atomic():
        event = changes.require_running(changes.lock_for_director(tournament_id, by))
        why = changes.require_reason(reason)
        row, chosen = results.get_match(event, key), Decision(decision)
        arguments: dict[str, Any] = {"by": by, "now": now, "reason": why}
        if chosen is Decision.PLAY_ON:
            ruling = _play_on(event, row, position.strip(), **arguments)
        elif chosen in UNPLAYED:
            ruling = _end_unplayed(event, row, chosen, entry, **arguments)
        else:
            data: dict[str, Any] = {**claims.identify_match(row), "decision": chosen.value}
            if chosen is Decision.ACCEPT:
                report = _get_report(row, entry)
                claim = claims.build_report_claim(row, report)
                results.accept_report(event, row, report, now=now)
                data["entry"] = entry
            else:
                claim = claims.build_claim(row, score, winner)
                results.record_played_result(event, row, claim, games, now=now)
            ruling = changes.record_ruling(
                event, RulingKind.RULED, **arguments, data={**data, **claim.to_json(row)}
            )
        row.refresh_from_db()
        ruling_notices.notify_both(event, row, ruling, now=now)
        return row


def _play_on(
    event: Tournament, row: Pairing, position: str, *, by: User, now: datetime, reason: str
) -> Ruling:
    claims.require_open(row)
    there = hooks.SCORE_SHEETS.get().plays_on(row, position) if position and row.match_id is None else None
    if position and there is None:
        # The position must have the length of the online match.
        try:
            found = xgid.decode(position)
        except EngineError as error:
            raise BadPosition from error
        if found.length != row.length:
            raise PositionElsewhere(said=found.length, length=row.length)
    timing.renew_passed_deadline(event, row, now=now)
    row.save(update_fields=["deadline_at", "reminded_at"])
    results.drop_reports(row)
    table_play.set_resumed_score(row, there)
    data = {**claims.identify_match(row), "decision": Decision.PLAY_ON.value, "position": position}
    if there is not None:
        data |= {"position": there.position, "at": [*there.score]}
    ruling = changes.record_ruling(event, RulingKind.RULED, by=by, now=now, reason=reason, data=data)
    changes.announce_change(event, now=now)
    return ruling


def _end_unplayed(
    event: Tournament,
    row: Pairing,
    chosen: Decision,
    loser: int | None,
    *,
    by: User,
    now: datetime,
    reason: str,
) -> Ruling:
    claims.require_open(row)
    winner_id = None
    data = {**claims.identify_match(row), "decision": chosen.value}
    if chosen is Decision.FORFEIT:
        sides = {one.number: other.pk for one, other in ruling_notices.list_both_sides(row)}
        if loser not in sides:
            raise UnknownEntrant
        winner_id, data["entry"] = sides[loser], loser
    with running_event.perform_act(
        event, RulingKind.RULED, by=by, now=now, reason=reason, data=data
    ) as ruling:
        progress.store_result(row, UNPLAYED[chosen], winner_id=winner_id, now=now)
    return ruling


def _get_report(row: Pairing, entry: int | None) -> Report:
    claims.require_open(row)
    return NothingReported.raise_if_none(
        Report.objects.filter(pairing=row, by__number=entry or 0, status__in=OPEN_REPORTS).first()
    )
