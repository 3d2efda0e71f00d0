"""The creation and changes of rooms and tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import Max

from players import names
from players.models import Club, User
from tournaments.play import changes
from venue.calls import calling, conflict_checks, seats, table_filling, tables
from venue.errors import BadTables, RoomNameTaken, TableInUse, TableLabelTaken, TooManyTables
from venue.models import Assignment, Room, Table, TableState, TableTag

MOST_TABLES: Final = 200
LONGEST_LABEL: Final = 12
# "1-8": every table from the first to the last.
SPAN: Final = re.compile(r"(\d{1,4})\s*[-\u2013]\s*(\d{1,4})")


def open_room(*, club: Club, by: User, name: str, labels: str, now: datetime) -> Room:
    """Open a room with its tables, written as "1-8, bar".

    :raises NotDirector: `by` does not direct at this club.
    :raises RoomNameTaken, BadTables, TooManyTables, TableLabelTaken: nothing changes.
    """
    changes.require_director(club, by)
    with transaction.atomic():
        try:
            with transaction.atomic():
                room = Room.objects.create(
                    club=club, name=names.clean_name(name, limit=80), created_by=by, created_at=now
                )
        except IntegrityError:
            raise RoomNameTaken from None
        _add_tables(room, labels)
    return room


def add_tables(*, room: Room, by: User, labels: str, now: datetime) -> list[Table]:
    """Append tables to a room.

    :raises NotDirector: `by` does not direct at the room's club.
    :raises BadTables, TooManyTables, TableLabelTaken: nothing changes.
    """
    changes.require_director(room.club, by)
    with transaction.atomic():
        made = _add_tables(Room.objects.select_for_update().get(pk=room.pk), labels)
        table_filling.queue_fill_after_change(room.pk, now=now)
        seats.notify_rooms([room.pk], now=now)
        return made


def change_table(
    *,
    table: Table,
    by: User,
    label: str,
    state: TableState,
    tags: Iterable[TableTag],
    now: datetime,
    saw: str | None = None,
) -> None:
    """Change label, state and tags of a table. A match that is called to a broken one returns to the queue.

    `saw` is the version the caller saw (`tables.compute_settings_key`).

    :raises NotDirector: `by` does not direct at the room's club.
    :raises ChangedMeanwhile: the settings have changed; nothing changes.
    :raises BadTables, TableLabelTaken: nothing changes.
    """
    changes.require_director(table.room.club, by)
    name = _clean_label(label)
    with transaction.atomic():
        if state is TableState.BROKEN:
            calling.clear_table(table=table, by=by, now=now)
        elif name != table.label:
            calling.rename_place(table=table, label=name, now=now)
        found = Table.objects.select_for_update().get(pk=table.pk)
        conflict_checks.require_unchanged(tables.compute_settings_key(found), saw)
        chosen = set(tags)
        found.label, found.state = name, state
        found.tags = [tag.value for tag in TableTag if tag in chosen]
        try:
            with transaction.atomic():
                found.save(update_fields=["label", "state", "tags"])
        except IntegrityError:
            raise TableLabelTaken(label=found.label) from None
        table_filling.queue_fill_after_change(found.room_id, now=now)
        seats.notify_rooms([found.room_id], now=now)
        seats.send_webhooks(found.pk, now=now)


def set_state(*, table: Table, by: User, state: TableState, now: datetime) -> None:
    """Change only the state of a table.

    :raises NotDirector: `by` does not direct at the room's club.
    """
    changes.require_director(table.room.club, by)
    with transaction.atomic():
        Table.objects.filter(pk=table.pk).update(state=state)
        table_filling.queue_fill_after_change(table.room_id, now=now)
        seats.notify_rooms([table.room_id], now=now)
        seats.send_webhooks(table.pk, now=now)


def remove_table(*, table: Table, by: User, now: datetime, saw: str | None = None) -> None:
    """Delete a table; `saw` as in `change_table`.

    :raises NotDirector: `by` does not direct at the room's club.
    :raises ChangedMeanwhile: the settings have changed; nothing changes.
    :raises TableInUse: a match is there.
    """
    changes.require_director(table.room.club, by)
    with transaction.atomic():
        # A concurrent call to this table waits for the row lock.
        found = Table.objects.select_for_update().get(pk=table.pk)
        conflict_checks.require_unchanged(tables.compute_settings_key(found), saw)
        if Assignment.objects.filter(table=found, ended_at__isnull=True).exists():
            raise TableInUse(label=found.label)
        found.delete()
        seats.notify_rooms([table.room_id], now=now)


def _add_tables(room: Room, labels: str) -> list[Table]:
    written = list(_parse_labels(labels))
    there = set(room.tables.values_list("label", flat=True))
    if len(there) + len(written) > MOST_TABLES:
        raise TooManyTables(most=MOST_TABLES)
    last = room.tables.aggregate(last=Max("position"))["last"] or 0
    made = []
    for position, label in enumerate(written, last + 1):
        if label in there:
            raise TableLabelTaken(label=label)
        there.add(label)
        made.append(Table(room=room, label=label, position=position))
    return Table.objects.bulk_create(made)


def _parse_labels(text: str) -> Iterator[str]:
    """Parse labels: "1-3, bar" are four tables."""
    for part in text.replace("\n", ",").replace(";", ",").split(","):
        word = part.strip()
        if span := SPAN.fullmatch(word):
            first, last = int(span[1]), int(span[2])
            if last < first:
                raise BadTables(label=word)
            if last - first >= MOST_TABLES:
                raise TooManyTables(most=MOST_TABLES)
            yield from map(str, range(first, last + 1))
        elif word:
            yield _clean_label(word)


def _clean_label(text: str) -> str:
    label = " ".join(text.split())
    if not label or len(label) > LONGEST_LABEL or not label.isprintable():
        raise BadTables(label=label)
    return label
