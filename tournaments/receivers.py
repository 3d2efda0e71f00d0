"""Receivers of signals from other apps, and registrations of sweeps and outbox jobs."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver
from django.utils import timezone

from matches.hooks import match_begun, match_finished, match_reopened
from matches.models import Match
from players import hooks as player_hooks
from players.hooks import player_erased, player_merged, player_renamed, player_unmerged
from players.models import Player
from players.notices.kinds import KINDS
from runtime import hooks as runtime_hooks
from runtime import stream
from runtime.models import Queue
from runtime.work import outbox, sweeps
from tournaments.hooks import event_changed, open_match_changed
from tournaments.models import Pairing, Tournament
from tournaments.pages import access
from tournaments.play import (
    appointing,
    appointments,
    backlog,
    boards,
    changes,
    deadlines,
    door,
    entering,
    friendly_notices,
    inspection,
    merging,
    news,
    pairing_jobs,
    results,
    ruling_notices,
)
from tournaments.play.arrivals import DOOR_ANSWERED
from tournaments.play.deadlines import DEADLINE_NEAR
from tournaments.play.entering import PLACE_FREE
from tournaments.play.news import EVENT_CANCELLED, EVENT_FINISHED, EVENT_STARTED
from tournaments.play.ruling_notices import MATCH_DROPPED, MATCH_RULED
from tournaments.status import BEFORE_START

# The outbox kind for results of live boards.
BOARD = "tournaments.board"


@receiver(player_merged, dispatch_uid="tournaments.move_entries")
def move_entries(*, kept: Player, dropped: Player, now: datetime, **_signal: object) -> dict[str, object]:
    """Move the dropped player's entries, in the merge's transaction; invalidate the pages of their events.

    Two entries that become one leave a place: before the start the first of the waiting list moves up.
    """
    events = list(Tournament.objects.filter(entries__player=dropped).values_list("pk", flat=True))
    done = merging.merge_entries(kept=kept, dropped=dropped)
    for event in Tournament.objects.filter(pk__in=events, status__in=BEFORE_START).order_by("pk"):
        if entering.fill_free_places(event, now=now):
            changes.announce_change(event, now=now)
    changes.invalidate_pages(Tournament.objects.filter(pk__in=events), now=now)
    return {"entries": done}


@receiver(player_unmerged, dispatch_uid="tournaments.give_back_entries")
def give_back_entries(
    *, kept: Player, dropped: Player, moved: dict[str, Any], now: datetime, **_signal: object
) -> None:
    """Move the entries back to the dropped player, and invalidate the pages of their events."""
    merging.undo_merge(kept=kept, dropped=dropped, done=moved.get("entries", ()), now=now)
    changes.invalidate_pages(Tournament.objects.filter(entries__player=dropped), now=now)


@receiver(player_erased, dispatch_uid="tournaments.withdraw_entries")
def withdraw_entries(*, player: Player, now: datetime, **_signal: object) -> None:
    """Withdraw an erased player. Finished events keep the entry without a name, also on cached pages."""
    entering.withdraw_from_all(player, now=now)
    appointing.erase_texts(player)
    changes.invalidate_pages(Tournament.objects.filter(entries__player=player), now=now)


@receiver(player_renamed, dispatch_uid="tournaments.show_the_name")
def invalidate_renamed(*, player: Player, now: datetime, **_signal: object) -> None:
    changes.invalidate_pages(Tournament.objects.filter(entries__player=player), now=now)


@receiver(match_begun, dispatch_uid="tournaments.board_begun")
def publish_live_board(*, match_id: int, **_signal: object) -> None:
    """Notify open pages that a board is live.

    The event's version stays the same: live boards are part of the pages' version key.
    """
    found = Pairing.objects.filter(match=match_id).values_list("tournament__key", "tournament__club__slug")
    for key, slug in found:
        for topic in (f"event.{key}", f"club.{slug}"):
            stream.publish(topic, "board", {"event": key}, now=timezone.now())  # noqa: TID251 - after commit


@receiver(match_finished, dispatch_uid="tournaments.board_finished")
@receiver(match_reopened, dispatch_uid="tournaments.board_reopened")
def queue_board_result(*, match_id: int, row: Match, **_signal: object) -> None:
    """Queue the result of a live board to be recorded. Boards outside events are ignored."""
    if Pairing.objects.filter(match=match_id).exists():
        payload = {"match": match_id}
        key = f"{BOARD}:{match_id}:{row.head}"
        outbox.put(BOARD, payload, dedupe_key=key, now=timezone.now())  # noqa: TID251 - after commit


def query_due(at: Any) -> Iterator[QuerySet[Any]]:
    yield from deadlines.query_due(at)
    yield boards.query_unfollowed(at)
    yield boards.query_outlived(at)


def process_due(now: datetime) -> int:
    return deadlines.sweep(now) + boards.sweep(now)


@receiver([event_changed, open_match_changed], dispatch_uid="tournaments.close_appointments")
def close_appointments(*, event: Tournament, now: datetime, **_signal: object) -> None:
    """Close proposals and appointments of matches that have ended or are reported, in the transaction of the change."""
    appointing.close_outdated(event, now=now)


@receiver(post_save, sender=Tournament, dispatch_uid="tournaments.made_private")
@receiver(post_delete, sender=Tournament, dispatch_uid="tournaments.gone")
def close_hidden_streams(
    *,
    instance: Tournament,
    created: bool = False,
    update_fields: Collection[str] | None = None,
    **_signal: object,
) -> None:
    """Close the streams of readers who may not see the event any more."""
    if not created and (update_fields is None or "status" in update_fields):
        access.recheck_readers(instance)


stream.register_rule(access.FAMILY, access.allow_event_topics)
player_hooks.EXPORTS.add("appointments", appointments.export_appointments)
player_hooks.LOCKS.add(player_hooks.LOCK_EVENTS, merging.lock_events)
outbox.register(news.KIND, news.notify_entrants)
outbox.register(BOARD, boards.follow_board)
outbox.register(ruling_notices.KIND, ruling_notices.notify_players)
# It opens its own transaction only for writing, so that long computations hold no locks.
outbox.register(backlog.KIND, pairing_jobs.run_job, external=True)
runtime_hooks.VERIFIERS.add("events", inspection.check_events)
sweeps.register("tournaments.deadlines", timedelta(seconds=1), process_due, queue=Queue.CLOCKS, due=query_due)
sweeps.register(
    "tournaments.appointments",
    timedelta(seconds=1),
    appointing.sweep,
    queue=Queue.CLOCKS,
    due=appointing.query_due,
)
runtime_hooks.PRUNERS.add("tournaments", door.prune_requests)
sweeps.register(
    "tournaments.rounds",
    timedelta(seconds=1),
    pairing_jobs.sweep,
    queue=Queue.SLOW,
    due=pairing_jobs.query_due,
)
KINDS.add(
    "tournaments",
    (
        PLACE_FREE,
        DOOR_ANSWERED,
        EVENT_STARTED,
        EVENT_CANCELLED,
        EVENT_FINISHED,
        DEADLINE_NEAR,
        appointing.PROPOSED,
        appointing.ACCEPTED,
        appointing.DECLINED,
        appointing.CANCELLED,
        appointing.NEAR,
        results.REPORTED,
        MATCH_RULED,
        MATCH_DROPPED,
        friendly_notices.PROPOSED,
        friendly_notices.AGREED,
        friendly_notices.DECLINED,
        friendly_notices.CALLED_OFF,
        friendly_notices.REPORTED,
        friendly_notices.DISPUTED,
    ),
)
