"""Times of open matches: lateness, no-shows, deadlines, reminders, and what an interruption gives back."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from django.db.models import F, Q, QuerySet

from draw.event import get_match_rules
from draw.format import DueFrom
from draw.history import PLAYOFF_BRACKET
from draw.round_robin import WEEK
from tournaments.base import event_rows, formats
from tournaments.hooks import Pause
from tournaments.models import (
    Appointment,
    AppointmentStatus,
    Draw,
    Pairing,
    PairingState,
    Report,
    Ruling,
    RulingKind,
    Stage,
    Tournament,
)

# Rows per statement.
BATCH: Final = 100


class DueReason(StrEnum):
    LATE = "late"
    LOST = "lost"  # the last step of lateness
    NO_SHOW = "no-show"
    DEADLINE = "deadline"
    REMINDER = "reminder"
    DISPUTE = "dispute"


@dataclass(frozen=True, slots=True, order=True)
class DueStep:
    at: datetime
    why: DueReason
    points: int = 0


def list_steps(event: Tournament, row: Pairing) -> Iterator[DueStep]:
    if row.called_at is not None:
        yield from _list_late_steps(event, row)
        is_missing = None in (row.a_here_at, row.b_here_at)
        if event.no_show_minutes is not None and is_missing and not row.needs_director:
            yield DueStep(row.called_at + timedelta(minutes=event.no_show_minutes), DueReason.NO_SHOW)
    if row.deadline_at is not None:
        if not row.needs_director:
            yield DueStep(row.deadline_at, DueReason.DEADLINE)
        if event.remind_minutes is not None and row.reminded_at is None:
            yield DueStep(row.deadline_at - timedelta(minutes=event.remind_minutes), DueReason.REMINDER)


def _list_late_steps(event: Tournament, row: Pairing) -> Iterator[DueStep]:
    """Yield the penalty steps of a missing player whose opponent is at the board."""
    missing = find_missing_side(row)
    if missing is None or row.called_at is None:
        return
    so_far = row.a_late if missing == "a" else row.b_late
    for minutes, points in event.lateness:
        at = row.called_at + timedelta(minutes=minutes)
        if points is None:
            yield DueStep(at, DueReason.LOST)
        elif points > so_far:
            yield DueStep(at, DueReason.LATE, points)


def find_first_lateness(event: Tournament, row: Pairing) -> datetime | None:
    """Return the time by which the players of a called match must be there; None if lateness does not count."""
    first = min((minutes for minutes, _points in event.lateness), default=None)
    return None if first is None or row.called_at is None else row.called_at + timedelta(minutes=first)


def find_missing_side(row: Pairing) -> str | None:
    """Return the side that keeps the other waiting, if exactly one is missing."""
    if (row.a_here_at is None) == (row.b_here_at is None):
        return None
    return "a" if row.a_here_at is None else "b"


def find_next_due(event: Tournament, row: Pairing) -> datetime | None:
    """Return the time of the earliest step that is due or still to come; None if there is none."""
    if row.state != PairingState.READY or row.opened_at is None:
        return None
    return min((step.at for step in list_steps(event, row)), default=None)


def find_call_time(event: Tournament, stage: Stage, *, now: datetime) -> datetime | None:
    """Return the call time of a match opened now; None if it waits for a call or is played by appointment."""
    return None if event.waits_for_call or formats.is_over_days(stage) else now


def waits_for_call(event: Tournament, row: Pairing) -> bool:
    """True if the players of an open match cannot begin yet: there is no table for them."""
    return event.waits_for_call and row.called_at is None and not formats.is_over_days(row.stage)


def find_deadline(
    event: Tournament,
    stage: Stage,
    draw: Draw | None,
    number: int,
    opened_at: datetime,
    *,
    last: int | None = None,
) -> datetime | None:
    """Return the deadline of a match opened at *opened_at*, if any.

    A league counts from its start (P80), without its pauses; a match that is opened later has at least the
    days of its round.

    :param last: the number of the last round, if the rounds may not be stored yet.
    """
    if formats.get_format(stage).due_from is DueFrom.PUBLISHED:
        if draw is None or draw.published_at is None:
            return None
        if last is None:
            last = stage.rounds.exclude(pairings__bracket=PLAYOFF_BRACKET).count()
        built, usual = event_rows.build_stage(event, stage), stage.round_days or WEEK
        own = [get_match_rules(built, "", one, last).days for one in range(1, number + 1)]
        days = [usual if one is None else one for one in own]
        end = draw.published_at + timedelta(days=sum(days))
        lost = _compute_time_lost(event, draw.published_at, opened_at)
        return max(end + lost, opened_at + timedelta(days=days[-1]))
    if stage.round_minutes is not None:
        return opened_at + timedelta(minutes=stage.round_minutes)
    if stage.round_days is not None:
        return opened_at + timedelta(days=stage.round_days)
    return None


def build_new_times(event: Tournament, row: Pairing, *, now: datetime) -> dict[str, Any]:
    """Return the times of a match that begins again, as columns; with the old ones it would be decided at once."""
    values = {
        "called_at": find_call_time(event, row.stage, now=now),
        **build_new_deadline(event, row, now=now),
    }
    if event.waits_for_call:
        # Its table is free: they come again when they are called again.
        return {**values, "table": "", "a_here_at": None, "b_here_at": None}
    return values


def build_new_deadline(event: Tournament, row: Pairing, *, now: datetime) -> dict[str, datetime | None]:
    """Return the columns of the deadline, if any, of a match that is to be played from *now* on after all.

    In a pause it is the one before the pause is given back, as that of every open match. The players are reminded
    of it again.
    """
    found = find_deadline(event, row.stage, getattr(row.stage, "draw", None), row.round.number, now)
    if found is not None and event.paused_at is not None and row.opened_at is not None:
        found -= _compute_loss(row.opened_at, event.paused_at, now)
    return {"deadline_at": found, "reminded_at": None}


def renew_passed_deadline(event: Tournament, row: Pairing, *, now: datetime) -> None:
    """Give a match whose deadline has passed, and that is to be played nevertheless, a new one. The caller saves it."""
    if row.deadline_at is not None and row.deadline_at <= now:
        for name, value in build_new_deadline(event, row, now=now).items():
            setattr(row, name, value)


def _compute_time_lost(event: Tournament, start: datetime, end: datetime) -> timedelta:
    if end <= start:
        return timedelta()
    stood = load_pauses([event.pk]).get(event.pk, [])
    if event.paused_at is not None:
        stood = [*stood, Pause(event.paused_at, end)]
    return compute_paused_time(stood, start, end)


def load_pauses(events: Collection[int]) -> dict[int, list[Pause]]:
    """Return the finished pauses of events; events without any are left out.

    The time between an early end or a cancellation and the reopening, or the undo of the end, counts as one.
    """
    found: dict[int, list[Pause]] = {}
    goes_on = (RulingKind.RESUMED, RulingKind.REOPENED, RulingKind.RESTORED)
    rows = Ruling.objects.filter(tournament__in=events, act__in=goes_on, data__has_key="seconds")
    for event, at, data in rows.order_by("at", "pk").values_list("tournament_id", "at", "data"):
        found.setdefault(event, []).append(Pause(at - timedelta(seconds=data["seconds"]), at))
    return found


def compute_paused_time(pauses: Iterable[Pause], begins: datetime, ends: datetime) -> timedelta:
    spans = (min(each.ended_at, ends) - max(each.begun_at, begins) for each in pauses)
    return sum((span for span in spans if span > timedelta(0)), timedelta(0))


def give_back(event: Tournament, *, since: datetime, now: datetime) -> None:
    """Move on the times of a locked event that was interrupted from *since* to *now*.

    A match that was called in between counts as called now; a time agreed for later stays, and one that was agreed for
    in between is to be agreed again.
    """
    _move_times(event, _query_open(event), since=since, now=now)


def give_back_after_undo(
    event: Tournament, change: Mapping[str, Any], *, since: datetime, now: datetime
) -> None:
    """Move on the times of the matches that an act had ended at *since* and that are open again.

    *change* is the `snapshots.compute_difference` of the act, which has been undone. Its other open matches
    keep the times that they have now.
    """
    part = change.get("pairings", {})
    pairs = {int(pk): (old, new) for pk, (old, new) in part.get("changed", {}).items()}
    pairs |= {int(pk): (old, None) for pk, old in part.get("gone", {}).items()}
    reopened = {pk for pk, (old, new) in pairs.items() if new is None or not _is_same_match(old, new)}
    give_back_to(event, _query_open(event).filter(pk__in=reopened), since=since, now=now)
    _move_times(event, _query_open(event).filter(pk__in=pairs.keys() - reopened), since=now, now=now)


def give_back_to(event: Tournament, rows: QuerySet[Pairing], *, since: datetime, now: datetime) -> None:
    """Move on the times of matches of a locked event that had ended at *since* and are open again."""
    # In a pause, the time since its beginning is given back when it ends.
    _move_times(event, rows, since=since, now=max(since, event.paused_at or now))


def _query_open(event: Tournament) -> QuerySet[Pairing]:
    return Pairing.objects.filter(tournament=event, state=PairingState.READY, opened_at__isnull=False)


def _move_times(event: Tournament, rows: QuerySet[Pairing], *, since: datetime, now: datetime) -> None:
    waiting = list(rows.filter(Q(called_at__isnull=False) | Q(deadline_at__isnull=False)))
    agreed = Appointment.objects.filter(pairing__in=waiting, starts_at=F("pairing__called_at"))
    missed = agreed.filter(starts_at__gt=since, starts_at__lte=now)
    to_agree = set(missed.values_list("pairing", flat=True))
    missed.filter(status=AppointmentStatus.AGREED).update(
        status=AppointmentStatus.OVER, answered_at=now, remind_at=None
    )
    for row in waiting:
        if row.pk in to_agree:
            row.called_at = row.a_here_at = row.b_here_at = None
        elif row.called_at is not None:
            row.called_at += _compute_loss(row.called_at, since, now)
        if row.deadline_at is not None and row.opened_at is not None:
            lost = _compute_loss(row.opened_at, since, now)
            row.deadline_at += lost
            if _is_forgotten(event, lost) and row.deadline_at > now:
                row.reminded_at = None
        row.due_at = find_next_due(event, row)
    moved = ["called_at", "a_here_at", "b_here_at", "deadline_at", "reminded_at", "due_at"]
    Pairing.objects.bulk_update(waiting, moved, batch_size=BATCH)
    Report.objects.filter(pairing__in=rows, confirms_at__isnull=False).update(
        confirms_at=F("confirms_at") + (now - since)
    )


def _is_forgotten(event: Tournament, lost: timedelta) -> bool:
    """True if a deadline has moved by at least the time of the reminder: the players are reminded again."""
    return event.remind_minutes is not None and lost >= timedelta(minutes=event.remind_minutes)


def _is_same_match(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """True if the match was open after the act too, with the same players."""
    is_open = new["state"] == PairingState.READY and new["opened_at"] is not None
    return is_open and (old["a_id"], old["b_id"]) == (new["a_id"], new["b_id"])


def describe_pause(event: Tournament) -> dict[str, Any]:
    """Return the data about the current pause, if any, for a ruling that ends the event."""
    return {} if event.paused_at is None else {"paused_at": event.paused_at.isoformat()}


def find_end(event: Tournament) -> datetime:
    """Return the time at which an event was ended early or cancelled, or at which the pause before that began."""
    ending = event.rulings.filter(act__in=(RulingKind.ENDED_EARLY, RulingKind.CANCELLED)).latest("pk")
    paused_at: str | None = ending.data.get("paused_at")
    return ending.at if paused_at is None else datetime.fromisoformat(paused_at)


def _compute_loss(began: datetime, since: datetime, now: datetime) -> timedelta:
    return max(now - max(began, since), timedelta(0))
