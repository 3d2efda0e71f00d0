"""A director's act on a running event: the change, what follows from it, and the ruling."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max, Q

from players.models import User
from tournaments.base.errors import TooManyPlayers, UnknownEntrant
from tournaments.models import Draw, Entry, Leaving, Pairing, PairingState, Ruling, RulingKind, Tournament
from tournaments.play import capacity, changes, news, progress, ruling_notices, snapshots
from tournaments.status import Status


@contextmanager
def perform_act(
    event: Tournament,
    act: RulingKind,
    *,
    by: User | None,
    now: datetime,
    reason: str = "",
    data: dict[str, Any] | None = None,
) -> Iterator[Ruling]:
    """Advance a locked event after the change in the `with` block, and save a ruling with what undoes it.

    :raises TooManyPlayers: the format does not allow so many players in these rounds.
    """
    was_over = event.status == Status.FINISHED
    before, excess = snapshots.take_snapshot(event), capacity.count_excess(event)
    ruling = changes.record_ruling(event, act, by=by, now=now, reason=reason, data=data, is_saved=False)
    yield ruling
    if capacity.count_excess(event) > excess:
        raise TooManyPlayers(most=capacity.find_most_players(event), players=capacity.count_entered(event))
    progress.advance(event, now=now)
    if was_over and event.status == Status.RUNNING and _withdraw_deleted_accounts(event, now=now):
        progress.advance(event, now=now)
    ruling.before = snapshots.compute_difference(before, snapshots.take_snapshot(event))
    ruling.save()
    changes.announce_change(event, now=now)


@contextmanager
def perform_correction(
    event: Tournament,
    act: RulingKind,
    *,
    by: User | None,
    now: datetime,
    reason: str,
    data: dict[str, Any],
    told_of: str = "",
) -> Iterator[Ruling]:
    """Like `perform_act`; notify players who lose a match and, in a finished event, those whose places change.

    The players of the match *told_of* get no such notice.
    """
    was_over = event.status == Status.FINISHED
    with perform_act(event, act, by=by, now=now, reason=reason, data=data) as ruling:
        yield ruling
    ruling_notices.notify_dropped(event, ruling, now=now, but=told_of)
    # The two of a friendly are notified of the ruling.
    if was_over and event.status == Status.FINISHED and not event.is_friendly:
        news.queue_notice(event, news.News.RESULT, ruling_id=ruling.pk, by=by, now=now)


def lock_running_event(tournament_id: int, by: User) -> Tournament:
    return lock_staged_event(tournament_id, by, {Status.RUNNING})


def lock_begun_event(tournament_id: int, by: User) -> Tournament:
    """Lock a running or finished event for one of its directors."""
    return lock_staged_event(tournament_id, by, progress.PLAYED)


def lock_staged_event(tournament_id: int, by: User, allowed: Collection[str]) -> Tournament:
    event = changes.lock_for_director(tournament_id, by)
    changes.require_status(event, allowed)
    changes.require_stages(event, there=True)
    return event


def get_entry(event: Tournament, number: int) -> Entry:
    """Load an entry that was not withdrawn before the draw."""
    rows = Entry.objects.filter(tournament=event, number=number, withdrawn_at__isnull=True)
    return UnknownEntrant.raise_if_none(rows.select_related("player").first())


def mark_left(row: Entry, how: Leaving, *, now: datetime, is_disqualified: bool = False) -> None:
    """Mark an entry as having left.

    The time is kept if the entry was to leave after its match and has played it: a disqualification then
    changes no result.
    """
    if not row.left:
        last = Entry.objects.filter(tournament_id=row.tournament_id).aggregate(last=Max("left_as"))["last"]
        row.left_as = (last or 0) + 1
    own = Pairing.objects.filter(Q(a=row) | Q(b=row), tournament_id=row.tournament_id)
    if not row.left or own.filter(state=PairingState.READY, opened_at__isnull=False).exists():
        # After the draws there are, even if the clock was set back since.
        draws = Draw.objects.filter(stage__tournament=row.tournament_id)
        last_draw = draws.aggregate(last=Max("published_at"))["last"]
        row.left, row.left_at = how.value, now
        if last_draw is not None and last_draw > now:
            row.left_at = last_draw + timedelta(microseconds=1)
    row.is_disqualified = is_disqualified
    row.save(update_fields=["left", "left_at", "left_as", "is_disqualified"])


def take_out(row: Entry, how: Leaving, *, now: datetime) -> None:
    """Take an entry out: who waits has not been in the event, and leaves it as before the draw."""
    if row.waits:
        row.withdrawn_at, row.waits = now, False
        row.save(update_fields=["withdrawn_at", "waits"])
    else:
        mark_left(row, how, now=now)


def _withdraw_deleted_accounts(event: Tournament, *, now: datetime) -> bool:
    """Withdraw the players whose accounts were deleted while the event was over; False if there are none."""
    rows = Entry.objects.filter(
        tournament=event, player__erased_at__isnull=False, withdrawn_at__isnull=True
    ).exclude(left=Leaving.NOW)
    for row in rows:
        take_out(row, Leaving.NOW, now=now)
    return bool(rows)
