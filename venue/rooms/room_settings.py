"""The room of an event, and how its matches are called."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from players.models import User
from tournaments.hooks import WantedRoom
from tournaments.models import Tournament
from tournaments.play import changes, table_play
from tournaments.status import Status
from venue.calls import conflict_checks, seats, table_filling
from venue.errors import OtherClub
from venue.models import Assignment, CallMode, EventRoom, Room
from venue.rooms import rooms

OVER = frozenset({Status.FINISHED, Status.CANCELLED})


def compute_settings_key(used: EventRoom | None) -> str:
    """Return the version key of an event's room and call mode."""
    return "" if used is None else f"{used.room_id}|{used.mode}"


def set_room(
    *, event: Tournament, room: Room | None, mode: CallMode, by: User, now: datetime, saw: str | None = None
) -> None:
    """Assign an event to a room of its club with a call mode; or to none.

    From then on lateness runs from the call. Open matches without a table join the queue; calls in the room
    that the event leaves are withdrawn where no player has come. `saw` is the version the caller saw
    (`compute_settings_key`).

    :raises NotDirector, WrongStatus: nothing changes.
    :raises ChangedMeanwhile: the settings have changed; nothing changes.
    :raises OtherClub: the room is another club's.
    """
    with transaction.atomic():
        held = changes.lock_for_director(event.pk, by)
        if Status(held.status) in OVER:
            raise changes.build_status_error(held)
        conflict_checks.require_unchanged(
            compute_settings_key(EventRoom.objects.filter(event=held).first()), saw
        )
        _withdraw_calls(held, but=room, now=now)
        if room is None:
            EventRoom.objects.filter(event=held).delete()
        elif room.club_id != held.club_id:
            raise OtherClub
        else:
            EventRoom.objects.update_or_create(event=held, defaults={"room": room, "mode": mode})
        if held.waits_for_call != (room is not None):
            table_play.set_wait_for_calls(held, waits=room is not None, now=now)
        # Receivers of this signal call the event's matches.
        changes.announce_change(held, now=now)


def _withdraw_calls(event: Tournament, *, but: Room | None, now: datetime) -> None:
    """Withdraw the calls of a locked event to tables of the room it leaves, where no player has come."""
    left = EventRoom.objects.filter(event=event).exclude(room=but).values("room")
    rows = Assignment.objects.filter(
        table__room__in=left, pairing__tournament=event, ended_at__isnull=True, pairing__running={}
    )
    nobody_came = (
        rows.exclude(chairs__here_at__isnull=False).order_by("pk").select_related("table", "pairing__stage")
    )
    found = list(nobody_came)
    seats.end_assignments(found, now=now)
    for each in found:
        table_play.cancel_call(event, each.pairing)
    freed = {each.table.room_id for each in found if each.table is not None}
    table_filling.queue_fill(freed, once=event.stamp, now=now)
    seats.notify_rooms(freed, now=now, but=event)


def copy_room(*, event: Tournament, like: Tournament, now: datetime) -> None:
    """Assign a new event to the room of *like*, with its call mode; within a transaction."""
    used = EventRoom.objects.filter(event=like).select_related("room").first()
    if used is None or used.room.club_id != event.club_id:
        return
    EventRoom.objects.create(event=event, room=used.room, mode=used.mode)
    table_play.set_wait_for_calls(event, waits=True, now=now)


def assign_new_event(event: Tournament, wanted: WantedRoom, by: User, now: datetime) -> None:
    """Assign a new event to a room of its club, with the call mode last used there; within a transaction.

    If `wanted.tables` is set, a new room with that many tables is opened.

    :raises OtherClub: the club has no such room.
    :raises RoomNameTaken: the club's first room was opened in the meantime.
    """
    room = None
    if wanted.tables:
        # Translators: what the first room of a club is called
        name, labels = _("Playing room"), f"1-{wanted.tables}"
        room = rooms.open_room(club=event.club, by=by, name=name, labels=labels, now=now)
    elif wanted.key:
        room = OtherClub.raise_if_none(Room.objects.filter(club=event.club, key=wanted.key).first())
    uses = EventRoom.objects.filter(room=room).order_by("-event__starts_at", "-event")
    before = None if room is None else uses.first()
    mode = CallMode.AUTOMATIC if before is None else CallMode(before.mode)
    set_room(event=event, room=room, mode=mode, by=by, now=now)
