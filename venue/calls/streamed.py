"""The queue of the stream: what a director wants to be shown next from a room, in order (V9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Exists, OuterRef

from tournaments.models import Pairing, Stand
from tournaments.pages import event_parts, picture
from tournaments.status import Status
from venue.models import Assignment, StreamedMatch, Table, TableState, TableTag

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.db.models import QuerySet

    from venue.models import Room

TO_COME = (Stand.WAITING, Stand.READY)


@dataclass(frozen=True, slots=True)
class Streamed:
    """A match that is wanted on stream and not yet at a table."""

    event: str
    event_name: str
    match: str
    # Where it stands in its event, such as "Final".
    label: str
    # Both, or who may come there.
    names: str
    is_ready: bool


@dataclass(frozen=True, slots=True)
class StreamQueue:
    """The queue of the stream as it is seen."""

    matches: tuple[Streamed, ...]
    # What is seen of it, as a page sends it back.
    seen: str
    # Whether a table of the room is for the stream and not broken.
    has_table: bool


def rows(room: Room) -> list[StreamedMatch]:
    """Return what is wanted on stream and still to be called in a room, in order."""
    if not _wanted(room.pk).exists():
        return []
    wanted = StreamedMatch.objects.filter(pairing__in=to_come(room))
    return list(wanted.select_related("pairing__tournament").order_by("position", "pk"))


def _wanted(room: Any) -> QuerySet[StreamedMatch]:
    return StreamedMatch.objects.filter(pairing__tournament__played_in__room=room, pairing__state__in=TO_COME)


def to_come(room: Room) -> QuerySet[Pairing]:
    """Return the matches that are still to be called in a room."""
    seated = Assignment.objects.filter(pairing=OuterRef("pk"), ended_at__isnull=True)
    return Pairing.objects.filter(
        ~Exists(seated),
        tournament__played_in__room=room,
        tournament__status=Status.RUNNING,
        state__in=TO_COME,
    )


def mark(found: Iterable[StreamedMatch]) -> str:
    """Return what is seen of a queue, in a word."""
    return ",".join(str(row.pk) for row in found)


def of_room(room: Room, *, now: datetime) -> StreamQueue:
    """Return the queue of a room's stream as people read it."""
    found = rows(room)
    tables = Table.objects.filter(room=room).exclude(state=TableState.BROKEN).values_list("tags", flat=True)
    return StreamQueue(
        tuple(_shown(row.pairing, now=now) for row in found),
        mark(found),
        any(TableTag.STREAM in tags for tags in tables),
    )


def names(row: Pairing, *, now: datetime) -> tuple[str, str]:
    """Return where a match stands in its event, and both of it or who may come there."""
    view = event_parts.of(row.tournament.key, now=now).view
    play = view.by_key.get(row.key)
    if play is None:
        # What is kept of the event is a moment older than the match.
        return row.key, ""
    line = picture.line_of(view, play, has_label=True)
    sides = ((line.a, line.one), (line.b, line.other))
    said = [one.name if one else box.hint for one, box in sides]
    # Of a final long before it there is nothing to say but that it is the final.
    return line.label, " – ".join(name or "…" for name in said) if any(said) else line.label  # noqa: RUF001


def _shown(row: Pairing, *, now: datetime) -> Streamed:
    label, both = names(row, now=now)
    is_ready = row.state == Stand.READY and row.opened_at is not None
    return Streamed(row.tournament.key, row.tournament.name, row.key, label, both, is_ready)
