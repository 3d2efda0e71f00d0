"""Who sits where: chairs are taken and left, and whoever sits there is told, as are programs of the club.

Calls and results hold the topics that they tell in one order: players', then events' by their keys, then the club's. Two
events in one room tell each other's pages, and two acts at once would otherwise each hold what the other waits for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db import IntegrityError, transaction

from players.clubs import webhooks
from players.models import Webhook
from runtime import stream
from runtime.work import outbox
from tournaments.status import Status
from venue.calls import seen
from venue.errors import PlayerBusy, TableBroken, TableTaken
from venue.models import Assignment, Chair, EventRoom, PushSubscription, Table, TableState

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from django.db.models import QuerySet

    from players.models import Player, User
    from tournaments.models import Pairing, Tournament
    from venue.models import QueueRun


# What a player's open pages are told when their call is another.
CALLED: Final = "called"
# What an event's open pages are told when somebody has seen a call, or a table of the room has changed.
ROOM: Final = "room"
# What the outbox calls a call that a browser is told of (Web Push); `pushing` delivers it.
PUSH: Final = "venue.push"
# What the club's own programs are told: which table has changed, not what is there (ADR 28).
TABLE_CHANGED: Final = "table.changed"


def seat(
    pairing: Pairing,
    table: Table,
    *,
    by: User | None,
    now: datetime,
    why: Mapping[str, Any] | None = None,
    run: QueueRun | None = None,
    saw: str | None = None,
) -> Assignment:
    """Give a match of a locked event its table; one that is at another leaves it. Where the queue has called it, it says why.

    :raises TableBroken, TableTaken, PlayerBusy: the caller's transaction has to end.
    :raises ChangedMeanwhile: the table is not as somebody `saw` it.
    """
    found = Table.objects.select_for_update(of=("self",), no_key=True).get(pk=table.pk)
    if saw is not None:
        seen.require_table(found, saw)
    if found.state == TableState.BROKEN:
        raise TableBroken(label=found.label)
    if _elsewhere(pairing.pk).exists():
        leave(Assignment.objects.filter(pairing=pairing, ended_at__isnull=True), now=now)
    if _there(found.pk).exists():
        raise TableTaken(label=found.label)
    seated = players(pairing)
    _require_free(seated)
    try:
        with transaction.atomic():
            made = Assignment.objects.create(
                table=found, pairing=pairing, called_by=by, called_at=now, why=dict(why or {}), run=run
            )
            # In one order everywhere, so that two calls cannot each wait for the other.
            Chair.objects.bulk_create(Chair(assignment=made, player=player) for player in seated)
    except IntegrityError:
        # Somebody called one of them elsewhere and had not committed when we looked.
        _require_free(seated)
        raise TableTaken(label=found.label) from None
    note_pushes(made, now=now)
    tell_programs(found.pk, now=now)
    return made


def leave(assignments: Iterable[Assignment], *, now: datetime) -> list[int]:
    """Free tables, and whoever sits at them; return which players that are."""
    open_ones = [each for each in assignments if each.ended_at is None]
    if not open_ones:
        return []
    chairs = Chair.objects.filter(assignment__in=open_ones, ended_at__isnull=True)
    left = list(chairs.values_list("player_id", flat=True))
    tell_players(open_ones, now=now)
    chairs.update(ended_at=now)
    Assignment.objects.filter(pk__in=[each.pk for each in open_ones]).update(ended_at=now)
    for each in open_ones:
        if each.table_id is not None:
            tell_programs(each.table_id, now=now)
    return left


def players(pairing: Pairing) -> list[Player]:
    """Return the two of a match."""
    seated = [entry.player for entry in (pairing.a, pairing.b) if entry is not None]
    return sorted(seated, key=lambda player: player.pk)


def note_pushes(call: Assignment, *, now: datetime) -> None:
    """Write down, in the transaction of a call, that the browsers of the two are to be told."""
    for (row,) in _browsers(call.pk):
        outbox.put(
            PUSH,
            {"to": row, "call": str(call.uid), "at": now.isoformat()},
            dedupe_key=f"push:{row}:{call.uid}",
            now=now,
        )


def tell_players(assignments: Iterable[Assignment], *, now: datetime) -> None:
    """Have the open pages of those who are called look what has become of their call."""
    users = {user for each in assignments for (user,) in _users(each.pk)}
    for user in sorted(users):
        stream.publish(f"user.{user}", CALLED, {}, now=now)


def tell_rooms(rooms: Iterable[int], *, now: datetime, but: Tournament | None = None) -> None:
    """Have the open pages of the events in these rooms look again; those of one event know already."""
    keys = {key for room in set(rooms) for _event, key in _running(room)}
    others = keys if but is None else keys - {but.key}
    if but is not None and others:
        hold_events({*others, but.key})
    tell_events(others, now=now)


def hold_events(keys: Iterable[str]) -> None:
    """Have nobody else tell the pages of events before this is done, so that they may be told in any order."""
    stream.hold(f"event.{key}" for key in keys)


def tell_events(keys: Iterable[str], *, now: datetime) -> None:
    """Have the open pages of events look again at their room."""
    for key in sorted(keys):
        stream.publish(f"event.{key}", ROOM, {"event": key}, now=now)


def _elsewhere(pairing: Any) -> QuerySet[Assignment]:
    return Assignment.objects.filter(pairing=pairing, ended_at__isnull=True)


def _there(table: Any) -> QuerySet[Assignment]:
    return Assignment.objects.filter(table=table, ended_at__isnull=True)


def _browsers(call: Any) -> QuerySet[PushSubscription, Any]:
    rows = PushSubscription.objects.filter(user__player__chairs__assignment=call)
    return rows.order_by("pk").values_list("pk")


def _users(assignment: Any) -> QuerySet[Chair, Any]:
    chairs = Chair.objects.filter(assignment=assignment, player__user__isnull=False)
    return chairs.order_by("pk").values_list("player__user_id")


def _running(room: Any) -> QuerySet[EventRoom, Any]:
    return EventRoom.objects.filter(room=room, event__status=Status.RUNNING).values_list(
        "event_id", "event__key"
    )


def _require_free(seated: list[Player]) -> None:
    busy = Chair.objects.filter(player__in=[player.pk for player in seated], ended_at__isnull=True)
    if not busy.exists():
        return
    if chair := busy.select_related("player", "assignment__table").order_by("pk").first():
        raise PlayerBusy(name=chair.player.public_name, label=chair.assignment.table)


def tell_programs(table: int, *, now: datetime) -> None:
    """Tell that a match has come to a table or left it, or that the table is set otherwise; once in a change."""
    # Few clubs have a program that listens.
    if not _listening(table).exists():
        return
    found = Table.objects.select_related("room").get(pk=table)
    webhooks.tell(
        club_id=found.room.club_id,
        what=TABLE_CHANGED,
        about={"room": found.room.key, "table": found.key},
        once=f"{TABLE_CHANGED}:{found.key}:{now.isoformat()}",
        now=now,
    )


def _listening(table: Any) -> QuerySet[Webhook]:
    return Webhook.objects.filter(club__rooms__tables=table, stopped_at__isnull=True)
