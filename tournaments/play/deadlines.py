"""Time-based processing of events: lateness, no-shows, deadlines, reminders, reports without objection."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

import structlog
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from draw.event import Kind
from players.notices.kinds import NoticeKind, Reader
from runtime.work import failures
from tournaments.base.errors import TournamentError
from tournaments.models import (
    DeadlinePolicy,
    NoShowPolicy,
    Pairing,
    PairingState,
    Report,
    ReportStatus,
    Ruling,
    RulingKind,
    Tournament,
)
from tournaments.play import (
    appointments,
    changes,
    claims,
    incidents,
    progress,
    results,
    ruling_notices,
    timing,
)
from tournaments.play.timing import DueReason, DueStep
from tournaments.status import Status

log = structlog.get_logger(__name__)

# Matches of an event processed per transaction; the next sweep continues.
HELPING: Final = 600
FORFEITS: Final = frozenset({NoShowPolicy.FORFEIT.value, NoShowPolicy.DOUBLE.value})
# The acts by which the clock decides a match.
DECIDING: Final = frozenset(incidents.ACTS.values())


DEADLINE_NEAR: Final = NoticeKind(
    name="deadline_near",
    reader=Reader.ENTRANT,
    when=_("The deadline of your match is near."),
    text=_("Your match against %(opponent)s in %(event)s is to be played soon."),
)


def sweep(now: datetime) -> int:
    """Process everything that is due, in all events; return the number of matches and reports processed."""
    return failures.process_each(
        "tournaments.deadlines",
        list_due_events(now=now),
        lambda event_id: process_event(tournament_id=event_id, now=now),
        now=now,
    )


def query_due(at: Any) -> Iterator[QuerySet[Any]]:
    """Yield indexed queries for matches and reports that are due at *at*."""
    going_on = {"tournament__status": Status.RUNNING, "tournament__paused_at__isnull": True}
    yield Pairing.objects.filter(due_at__lte=at, **going_on)
    of_reports = {f"pairing__{name}": value for name, value in going_on.items()}
    yield Report.objects.filter(confirms_at__lte=at, **of_reports)


def list_due_events(*, now: datetime) -> list[int]:
    matches, reports = query_due(now)
    of_matches = matches.values_list("tournament_id", flat=True)
    return sorted({*of_matches, *reports.values_list("pairing__tournament_id", flat=True)})


def process_event(*, tournament_id: int, now: datetime) -> int:
    """Process what is due in one event; return the number of matches and reports processed. Idempotent."""
    with transaction.atomic():
        event = changes.lock_event(tournament_id)
        if event.status != Status.RUNNING or event.paused_at is not None:
            return 0
        done = _confirm_reports(event, now=now)
        due = Pairing.objects.filter(tournament=event, due_at__lte=now).order_by("due_at", "pk")
        rows = list(due.select_related("stage", "a__player__user", "b__player__user")[:HELPING])
        incidents.check_in_seated(rows, now=now)
        notes: list[Ruling] = []
        for row in rows:
            _process_match(event, row, notes, now=now)
            done += 1
        # Many rulings at one time are inserted together.
        Ruling.objects.bulk_create(notes)
        if done:
            progress.advance(event, now=now)
            changes.announce_change(event, now=now)
        ruling_notices.queue_notices([note for note in notes if note.act in DECIDING], now=now)
        return done


def _confirm_reports(event: Tournament, *, now: datetime) -> int:
    """Confirm the reports whose time to object has passed."""
    reports = Report.objects.filter(
        pairing__tournament=event, confirms_at__lte=now, status=ReportStatus.OPEN
    ).select_related("pairing__a", "pairing__b", "pairing__tournament")
    done = 0
    for one in reports.order_by("confirms_at", "pk"):
        try:
            results.confirm_without_advancing(event, one.pairing, one, now=now)
        except TournamentError:
            Report.objects.filter(pk=one.pk).update(confirms_at=None)
            log.info("deadlines.report_kept", report=one.pk)
        done += 1
    return done


def _process_match(event: Tournament, row: Pairing, notes: list[Ruling], *, now: datetime) -> None:
    """Take all due steps of one match, in order."""
    if incidents.has_ended(row):
        return
    while row.state == PairingState.READY:
        step = next((one for one in sorted(timing.list_steps(event, row)) if one.at <= now), None)
        if step is None:
            break
        _apply_step(event, row, step, notes, now=now)
    if row.state == PairingState.READY:
        row.due_at = timing.find_next_due(event, row)
        row.save(update_fields=["due_at", "needs_director", "reminded_at", "a_here_at", "b_here_at"])


def _apply_step(
    event: Tournament, row: Pairing, step: DueStep, notes: list[Ruling], *, now: datetime
) -> None:
    policies: dict[DueReason, str] = {
        DueReason.LOST: NoShowPolicy.FORFEIT,
        DueReason.NO_SHOW: event.no_show_policy,
        DueReason.DEADLINE: row.stage.deadline_policy,
    }
    if step.why is DueReason.LATE:
        notes.append(_penalise_lateness(event, row, step.points, now=now))
    elif step.why in policies:
        notes += _apply_policy(event, row, policies[step.why], step.why, now=now)
    else:
        _remind_players(event, row, now=now)


def _penalise_lateness(event: Tournament, row: Pairing, points: int, *, now: datetime) -> Ruling:
    side = timing.find_missing_side(row)
    if side is None:
        raise AssertionError(f"nobody is late for {row.key}")
    incidents.set_penalty(event, row, side, points, now=now)
    entry = row.a if side == "a" else row.b
    data: dict[str, object] = {"key": row.key, "entry": entry and entry.number, "points": points}
    return _build_ruling(event, RulingKind.PENALISED, data, now=now)


def _apply_policy(
    event: Tournament, row: Pairing, policy: str, why: DueReason, *, now: datetime
) -> list[Ruling]:
    """Decide against the missing players according to the policy, otherwise call the director."""
    missing = timing.find_missing_side(row)
    nobody = row.a_here_at is None and row.b_here_at is None
    if timing.waits_for_call(event, row):
        # Before its call a match cannot be lost.
        policy = DeadlinePolicy.CALL
    if policy in FORFEITS and missing is not None:
        winner_id = row.b_id if missing == "a" else row.a_id
        kind = Kind.NO_SHOW if why is DueReason.NO_SHOW else Kind.FORFEIT
        return [_decide_match(event, row, kind, winner_id, now=now)]
    if policy == DeadlinePolicy.DOUBLE and nobody:
        return [_decide_match(event, row, Kind.DOUBLE_FORFEIT, None, now=now)]
    row.needs_director = why.value
    return []


def _decide_match(
    event: Tournament, row: Pairing, kind: Kind, winner_id: int | None, *, now: datetime
) -> Ruling:
    evidence = appointments.build_evidence(row)
    progress.store_result(row, kind, winner_id=winner_id, now=now)
    data = {**claims.identify_match(row), "winner": claims.find_number(row, winner_id), **evidence}
    return _build_ruling(event, incidents.ACTS[kind], data, now=now)


def _build_ruling(event: Tournament, act: RulingKind, data: dict[str, object], *, now: datetime) -> Ruling:
    """Return a ruling of the clock, not saved yet."""
    return Ruling(tournament=event, act=act, by=None, data=data, at=now)


def _remind_players(event: Tournament, row: Pairing, *, now: datetime) -> None:
    """Remind both players of the deadline; a match has one reminder."""
    row.reminded_at = now
    once = f"event.{event.key}.remind.{row.pk}.{row.deadline_at:%Y%m%d%H%M}"
    for one, other in ruling_notices.list_both_sides(row):
        opponent = other.player.public_name
        changes.notify_player(DEADLINE_NEAR, one.player, event, opponent=opponent, once=once, now=now)
