"""Chairs: who sits at a table, with notifications of players' pages and the club's webhooks.

Calls and results lock stream topics in one order: players', then events' by key, then the club's. Events in
one room notify each other's pages; without the order, two concurrent calls could deadlock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from django.db import IntegrityError, transaction

from players.clubs import webhooks
from players.models import Player, User, Webhook
from runtime import stream
from runtime.work import outbox
from tournaments.models import Pairing, Tournament
from tournaments.status import Status
from venue.calls import conflict_checks
from venue.errors import PlayerBusy, TableBroken, TableTaken
from venue.models import Assignment, Chair, EventRoom, PushSubscription, QueueRun, Table, TableState

# Stream message to a player's pages: their call changed.
CALLED: Final = "called"
# Stream message to an event's pages: a call was seen, or a table of the room changed.
ROOM: Final = "room"
# Outbox kind of a Web Push message about a call; delivered by `push.deliver`.
PUSH: Final = "venue.push"
# Webhook type: names the table that changed, not its new state (ADR 28).
TABLE_CHANGED: Final = "table.changed"


def seat_match(
    pairing: Pairing,
    table: Table,
    *,
    by: User | None,
    now: datetime,
    why: Mapping[str, Any] | None = None,
    run: QueueRun | None = None,
    saw: str | None = None,
) -> Assignment:
    """Seat a match of a locked event at a table; it leaves any other table.

    *why* and *run* are set if the queue called it.

    :raises TableBroken, TableTaken, PlayerBusy: the caller's transaction has to end.
    :raises ChangedMeanwhile: the table is not in the state that the caller `saw`.
    """
    found = Table.objects.select_for_update(of=("self",), no_key=True).get(pk=table.pk)
    if saw is not None:
        conflict_checks.require_table(found, saw)
    if found.state == TableState.BROKEN:
        raise TableBroken(label=found.label)
    end_assignments(Assignment.objects.filter(pairing=pairing, ended_at__isnull=True), now=now)
    if Assignment.objects.filter(table=found, ended_at__isnull=True).exists():
        raise TableTaken(label=found.label)
    seated = list_players(pairing)
    _require_free(seated)
    try:
        with transaction.atomic():
            made = Assignment.objects.create(
                table=found, pairing=pairing, called_by=by, called_at=now, why=dict(why or {}), run=run
            )
            # In one order everywhere, to avoid deadlocks.
            Chair.objects.bulk_create(Chair(assignment=made, player=player) for player in seated)
    except IntegrityError:
        # A concurrent transaction committed after the check.
        _require_free(seated)
        raise TableTaken(label=found.label) from None
    queue_pushes(made, now=now)
    send_webhooks(found.pk, now=now)
    return made


def end_assignments(assignments: Iterable[Assignment], *, now: datetime) -> list[int]:
    """End these assignments and their chairs; return the ids of the players."""
    open_ones = [each for each in assignments if each.ended_at is None]
    if not open_ones:
        return []
    chairs = Chair.objects.filter(assignment__in=open_ones, ended_at__isnull=True)
    left = list(chairs.values_list("player_id", "player__user_id"))
    _notify_users({user for _player, user in left if user}, now=now)
    chairs.update(ended_at=now)
    Assignment.objects.filter(pk__in=[each.pk for each in open_ones]).update(ended_at=now)
    for each in open_ones:
        if each.table_id is not None:
            send_webhooks(each.table_id, now=now)
    return [player for player, _user in left]


def list_players(pairing: Pairing) -> list[Player]:
    """Return the players of a match, by primary key."""
    seated = [entry.player for entry in (pairing.a, pairing.b) if entry is not None]
    return sorted(seated, key=lambda player: player.pk)


def queue_pushes(call: Assignment, *, now: datetime) -> None:
    """Queue push messages to the browsers of both players, in the transaction of the call."""
    rows = PushSubscription.objects.filter(user__player__chairs__assignment=call)
    for row in rows.order_by("pk").values_list("pk", flat=True):
        outbox.put(
            PUSH,
            {"to": row, "call": str(call.uid), "at": now.isoformat()},
            dedupe_key=f"push:{row}:{call.uid}",
            now=now,
        )


def notify_players(assignments: Iterable[Assignment], *, now: datetime) -> None:
    chairs = Chair.objects.filter(assignment__in=assignments, player__user__isnull=False)
    _notify_users(set(chairs.values_list("player__user_id", flat=True)), now=now)


def _notify_users(users: set[int], *, now: datetime) -> None:
    for user in sorted(users):
        stream.publish(f"user.{user}", CALLED, {}, now=now)


def notify_rooms(rooms: Iterable[int], *, now: datetime, but: Tournament | None = None) -> None:
    """Notify the pages of running events in these rooms, except those of *but*."""
    running = EventRoom.objects.filter(room__in=rooms, event__status=Status.RUNNING)
    keys = set(running.values_list("event__key", flat=True))
    others = keys if but is None else keys - {but.key}
    if but is not None and others:
        lock_event_topics({*others, but.key})
    notify_events(others, now=now)


def lock_event_topics(keys: Iterable[str]) -> None:
    """Lock the topics of events, so that they can then be notified in any order."""
    stream.lock_topics(f"event.{key}" for key in keys)


def notify_events(keys: Iterable[str], *, now: datetime) -> None:
    for key in sorted(keys):
        stream.publish(f"event.{key}", ROOM, {"event": key}, now=now)


def _require_free(seated: list[Player]) -> None:
    busy = Chair.objects.filter(player__in=[player.pk for player in seated], ended_at__isnull=True)
    if chair := busy.select_related("player", "assignment__table").order_by("pk").first():
        raise PlayerBusy(name=chair.player.public_name, label=chair.assignment.table)


def send_webhooks(table: int, *, now: datetime) -> None:
    """Send the club's webhooks that a table changed; deduplicated by *now*."""
    # Few clubs have a webhook for this.
    if not Webhook.objects.filter(club__rooms__tables=table, stopped_at__isnull=True).exists():
        return
    found = Table.objects.select_related("room").get(pk=table)
    webhooks.queue_calls(
        club_id=found.room.club_id,
        what=TABLE_CHANGED,
        about={"room": found.room.key, "table": found.key},
        once=f"{TABLE_CHANGED}:{found.key}:{now.isoformat()}",
        now=now,
    )
