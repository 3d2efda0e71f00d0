"""Times at which a match is due for processing: lateness, no-shows, deadlines, reminders."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from draw.brackets.structure import PLAYOFF_BRACKET
from draw.event import get_match_rules
from draw.format import DueFrom
from draw.round_robin import WEEK
from tournaments.base import event_rows, formats
from tournaments.models import PairingState

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from tournaments.models import Draw, Pairing, Stage, Tournament


class DueReason(StrEnum):
    """The reason for a due step, and for calling a director."""

    LATE = "late"
    LOST = "lost"  # the last step of lateness
    NO_SHOW = "no-show"
    DEADLINE = "deadline"
    REMINDER = "reminder"
    DISPUTE = "dispute"


@dataclass(frozen=True, slots=True, order=True)
class DueStep:
    """A time-based step of a match."""

    at: datetime
    why: DueReason
    points: int = 0


def list_steps(event: Tournament, row: Pairing) -> Iterator[DueStep]:
    """Yield the due and future steps of an open match."""
    if row.called_at is not None:
        yield from _list_late_steps(event, row)
        if event.no_show_minutes is not None and not _has_both_players(row) and not row.needs_director:
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


def _has_both_players(row: Pairing) -> bool:
    return row.a_here_at is not None and row.b_here_at is not None


def find_next_due(event: Tournament, row: Pairing) -> datetime | None:
    """Return the time of the earliest step that is due or still to come; None if there is none."""
    if row.state != PairingState.READY or row.opened_at is None:
        return None
    return min((step.at for step in list_steps(event, row)), default=None)


def find_call_time(event: Tournament, stage: Stage, *, now: datetime) -> datetime | None:
    """Return the call time of a match opened now; None if it waits for a call or is played by appointment."""
    return None if event.waits_for_call or formats.is_over_days(stage) else now


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

    A league counts from its start (P80); a match that is opened later has at least the days of its round.

    :param last: the number of the last round, if the rounds may not be stored yet.
    """
    if formats.get_format(stage).due_from is DueFrom.PUBLISHED:
        if draw is None or draw.published_at is None:
            return None
        if last is None:
            last = stage.rounds.exclude(pairings__bracket=PLAYOFF_BRACKET).count()
        days = _list_round_days(event, stage, number, last)
        own = timedelta(days=days[-1])
        return max(draw.published_at + timedelta(days=sum(days)), opened_at + own)
    if stage.round_minutes is not None:
        return opened_at + timedelta(minutes=stage.round_minutes)
    if stage.round_days is not None:
        return opened_at + timedelta(days=stage.round_days)
    return None


def find_new_deadline(event: Tournament, row: Pairing, *, now: datetime) -> datetime | None:
    """Return the deadline of a match that is to be played from *now* on after all, if any."""
    return find_deadline(event, row.stage, getattr(row.stage, "draw", None), row.round.number, now)


def _list_round_days(event: Tournament, stage: Stage, number: int, last: int) -> list[int]:
    """List the days of the rounds of a league up to this one."""
    said = event_rows.build_stage(event, stage)
    usual = stage.round_days or WEEK
    days = (get_match_rules(said, "", one, last).days for one in range(1, number + 1))
    return [usual if one is None else one for one in days]
