"""The stream queue of a room: matches that a director wants on stream, in order (V9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from tournaments.models import Pairing, PairingState
from tournaments.pages import bracket_display, event_parts
from tournaments.status import Status
from venue.models import Assignment, Room, StreamedMatch, Table, TableState, TableTag

TO_COME = (PairingState.WAITING, PairingState.READY)


@dataclass(frozen=True, slots=True)
class StreamQueueEntry:
    """A match that is wanted on stream and not yet at a table."""

    event: str
    event_name: str
    match: str
    # Its place in the event, such as "Final".
    label: str
    # The players, known or possible.
    names: str
    is_ready: bool


@dataclass(frozen=True, slots=True)
class StreamQueue:
    matches: tuple[StreamQueueEntry, ...]
    # Version of the queue, sent back by the page.
    seen: str
    # True if the room has a working table tagged for the stream.
    has_table: bool


def list_streamed(room: Room) -> list[StreamedMatch]:
    """Return the matches wanted on stream that are still to be called in a room, in order."""
    # Few rooms have any: this query is much smaller than the next.
    rows = StreamedMatch.objects.filter(pairing__tournament__played_in__room=room)
    if not rows.filter(pairing__state__in=TO_COME).exists():
        return []
    wanted = StreamedMatch.objects.filter(pairing__in=list_upcoming(room))
    return list(wanted.select_related("pairing__tournament").order_by("position", "pk"))


def list_upcoming(room: Room) -> QuerySet[Pairing]:
    """Return the matches of running events that are still to be called in a room."""
    seated = Assignment.objects.filter(pairing=OuterRef("pk"), ended_at__isnull=True)
    return Pairing.objects.filter(
        ~Exists(seated),
        tournament__played_in__room=room,
        tournament__status=Status.RUNNING,
        state__in=TO_COME,
    )


def compute_version_key(found: Iterable[StreamedMatch]) -> str:
    return ",".join(str(row.pk) for row in found)


def load_queue(room: Room, *, now: datetime) -> StreamQueue:
    found = list_streamed(room)
    tables = Table.objects.filter(room=room).exclude(state=TableState.BROKEN).values_list("tags", flat=True)
    matches = []
    for row in found:
        match, event = row.pairing, row.pairing.tournament
        label, both = describe_match(match, now=now)
        is_ready = match.state == PairingState.READY and match.opened_at is not None
        matches.append(StreamQueueEntry(event.key, event.name, match.key, label, both, is_ready))
    return StreamQueue(
        tuple(matches), compute_version_key(found), any(TableTag.STREAM in tags for tags in tables)
    )


def describe_match(row: Pairing, *, now: datetime) -> tuple[str, str]:
    """Return the label of a match in its event, and its players, known or possible."""
    view = event_parts.load_parts(row.tournament.key, now=now).view
    play = view.by_key.get(row.key)
    if play is None:
        # The cached event is older than the match.
        return row.key, ""
    line = bracket_display.build_match_line(view, play, has_label=True)
    sides = ((line.a, line.one), (line.b, line.other))
    shown = [one.name if one else box.hint for one, box in sides]
    # Long before a final its players are unknown: only the label is shown.
    return line.label, " – ".join(name or "…" for name in shown) if any(shown) else line.label  # noqa: RUF001
