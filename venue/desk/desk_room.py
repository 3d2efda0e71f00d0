"""The room on a director's desk: tables, breaks and the queue with its reasons, and the open matches by table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from math import ceil
from typing import NamedTuple

from django.utils.translation import gettext as _

from tournaments.base import expectations, local_times
from tournaments.base.event_view import MatchView
from tournaments.desk.typed_scores import DeskRow
from tournaments.models import Pairing, Tournament
from venue.calls import calls, queue_input, stream_queue
from venue.calls import tables as table_rows
from venue.calls.calls import CallNow
from venue.calls.queue_input import QueueInput
from venue.calls.stream_queue import StreamQueue
from venue.desk import room_queue, slow_play
from venue.desk.room_queue import QueueEntry
from venue.desk.slow_play import SlowMatch
from venue.models import CallMode, EventRoom, TableState
from venue.queue import ReservedTable, find_reason
from venue.rooms import breaks
from venue.rooms.breaks import BreakLine


@dataclass(frozen=True, slots=True)
class DeskTable:
    key: str
    label: str
    state: str
    # Version of the table, sent back by the page.
    seen: str
    is_free: bool
    is_broken: bool
    call: CallNow | None
    # The match that "call next" sends here.
    next: str
    # The stream match it is reserved for, and the latest end of the reservation.
    kept_for: str = ""
    kept_until: datetime | None = None
    slow: SlowMatch | None = None

    @property
    def expects(self) -> str:
        """The expected players of its match for a form; "" without two players."""
        if self.call is None or len(self.call.players) != len(("a", "b")):
            return ""
        return expectations.serialize_state(expectations.build_seats_state(*self.call.players))

    @property
    def look(self) -> str:
        """The CSS state: that of the table's call, else "free" or "shut"."""
        if self.call is not None:
            return self.call.state
        return "free" if self.is_free else "shut"


@dataclass(frozen=True, slots=True)
class DeskQueueEntry:
    event: str
    match: str
    names: str
    event_name: str
    why: str
    # The table it gets next; "" while it waits.
    table: str
    table_key: str
    # Version of that table, sent back by the page.
    table_seen: str
    # The expected players, sent back by the page.
    expects: str
    # A player who is busy elsewhere, so that it cannot be called; "" if none.
    busy: str
    likely_at: datetime | None
    is_streamed: bool
    # Start of a break that it would run into, in the club's time zone; "" for none.
    into_break: str


@dataclass(frozen=True, slots=True)
class RoomDesk:
    name: str
    club: str
    event: str
    mode: str
    tables: tuple[DeskTable, ...]
    queue: tuple[DeskQueueEntry, ...]
    # True if "call next" has a match to call.
    is_key: bool
    playing: int
    free: int
    # The latest call, sent back by the page.
    latest: str
    stream: StreamQueue
    # Seconds until a match becomes slow or a break begins or ends; None if neither is to come.
    changes_in: int | None
    # Without those that are over.
    breaks: tuple[BreakLine, ...]


def load_event_room(event: Tournament, *, now: datetime) -> RoomDesk | None:
    used = EventRoom.objects.filter(event=event).select_related("room__club").first()
    return None if used is None else load_room(used, now=now)


def load_room(used: EventRoom, *, now: datetime) -> RoomDesk:
    shown = room_queue.compute_queue(used, now=now)
    found = shown.found
    rows = queue_input.load_pairings(found.waiting.values())
    names = {match: _format_names(row) for match, row in rows.items()}
    to_table = {each.table: names[each.match.id] for each in shown.queue if each.table is not None}
    stream = stream_queue.load_queue(used.room, now=now)
    reservations = {key: _describe_reservation(each, stream) for key, each in shown.kept.items()}
    zone = used.room.club.time_zone
    turns = [
        at for span in breaks.list_breaks(used.event) for at in (span.begins_at, span.ends_at) if at > now
    ]
    behind = slow_play.find_slow_matches(used.room, shown.at_tables.values(), now=now)
    tables = tuple(
        DeskTable(
            key,
            table.label,
            table.get_state_display(),
            table_rows.compute_version_key(
                table.state, shown.at_tables[key].uid if key in shown.at_tables else ""
            ),
            table.state == TableState.FREE,
            table.state == TableState.BROKEN,
            shown.at_tables.get(key),
            to_table.get(key, ""),
            *reservations.get(key, ("", None)),
            slow=behind.at(shown.at_tables.get(key)),
        )
        for key, table in found.tables.items()
    )
    return RoomDesk(
        name=used.room.name,
        club=used.room.club.slug,
        event=used.event.key,
        mode=str(CallMode(used.mode).label),
        tables=tables,
        queue=tuple(
            _build_queue_entry(found, each, rows[each.match.id], stream, zone) for each in shown.queue
        ),
        is_key=bool(to_table),
        playing=len(shown.at_tables),
        free=sum(table.is_free and table.call is None for table in tables),
        latest=max(((call.pk, call.uid) for call in shown.at_tables.values()), default=(0, ""))[1],
        stream=stream,
        changes_in=min(
            [
                *(ceil((at - now).total_seconds()) for at in turns),
                *([] if behind.changes_in is None else [behind.changes_in]),
            ],
            default=None,
        ),
        breaks=tuple(line for line in breaks.list_lines(used.event, now=now) if not line.is_over),
    )


def _describe_reservation(table: ReservedTable, stream: StreamQueue) -> tuple[str, datetime | None]:
    """Return the match a table is reserved for, and the latest end of the reservation."""
    both = next((one.names for one in stream.matches if f"{one.event}/{one.match}" == table.match), "")
    return both, None if table.until is None else datetime.fromtimestamp(table.until, tz=UTC)


def _build_queue_entry(
    found: QueueInput, one: QueueEntry, row: Pairing, stream: StreamQueue, zone: str
) -> DeskQueueEntry:
    why = find_reason(found.room, one.match)
    reason = {**asdict(why), "stream": why.stream and one.table is not None}
    names = _get_names_by_key(row)
    reasons = [calls.describe_reason(reason, names)]
    if why.stream and one.table is None:
        reasons.insert(0, _("waits for a table of the stream"))
    return DeskQueueEntry(
        event=row.tournament.key,
        match=row.key,
        names=_format_names(row),
        event_name=row.tournament.name,
        why="; ".join(filter(None, reasons)),
        table="" if one.table is None else found.tables[one.table].label,
        table_key=one.table or "",
        table_seen="" if one.table is None else table_rows.compute_version_key(found.tables[one.table].state),
        expects=expectations.serialize_state(
            expectations.build_row_state(row.tournament, row, expectations.SEATS)
        ),
        busy=names[one.busy[0]] if one.busy else "",
        likely_at=one.likely_at,
        is_streamed=any(
            each.match == row.key and each.event == row.tournament.key for each in stream.matches
        ),
        into_break="" if one.into_break is None else local_times.format_hour(one.into_break.begins_at, zone),
    )


def _format_names(row: Pairing) -> str:
    return " – ".join(_get_names_by_key(row).values())  # noqa: RUF001


def _get_names_by_key(row: Pairing) -> dict[str, str]:
    return {entry.player.key: entry.player.public_name for entry in (row.a, row.b) if entry is not None}


class TableRow(NamedTuple):
    """A table, and the match of this event that is played there or called there next."""

    table: DeskTable
    row: DeskRow | None
    # Not called yet.
    proposed: DeskQueueEntry | None = None
    # Unsent scores of finished matches that were played here.
    late: tuple[DeskRow, ...] = ()

    @property
    def is_used(self) -> bool:
        """True if a match is at the table, even of another event, or is to be called there next."""
        return self.table.call is not None or self.proposed is not None


class WaitingRow(NamedTuple):
    """A match that waits for a table; a match of another event has no row."""

    place: DeskQueueEntry
    row: DeskRow | None


class RoomRows(NamedTuple):
    """A room and the open matches of one of its events."""

    room: RoomDesk
    # Tables with a match first, then by position.
    tables: tuple[TableRow, ...]
    waiting: tuple[WaitingRow, ...]
    elsewhere: tuple[DeskRow, ...]

    def find_next(self, play: MatchView) -> str:
        """Return the key of the match whose score is entered next: at the next table, else the first.

        "" if there is none.
        """
        labels = [table.label for table in self.room.tables]
        at = labels.index(play.table) if play.table in labels else len(labels)
        later: list[DeskRow] = []
        earlier: list[DeskRow] = []
        for each in self.tables:
            if each.row is not None:
                (later if labels.index(each.table.label) > at else earlier).append(each.row)
        others = [each.row for each in self.waiting if each.row is not None]
        rows = [*later, *earlier, *others, *self.elsewhere]
        keys = (row[0].play.key for row in rows if row[0].play.is_open and not row[0].play.is_live)
        return next((key for key in keys if key != play.key), "")


def build_room_rows(room: RoomDesk, rows: Sequence[DeskRow]) -> RoomRows:
    """Sort the rows of the desk by the tables and queue positions of their matches."""
    left = {row[0].play.key: row for row in rows}
    proposed = {each.table_key: each for each in room.queue if each.table}
    tables = []
    for table in room.tables:
        there = table.call or proposed.get(table.key)
        row = left.pop(there.match, None) if there is not None and there.event == room.event else None
        tables.append(TableRow(table, row, proposed.get(table.key)))
    waiting = tuple(
        WaitingRow(each, left.pop(each.match, None) if each.event == room.event else None)
        for each in room.queue
        if not each.table
    )
    tables = [each._replace(late=_take_rows_by_label(each.table, left)) for each in tables]
    tables.sort(key=lambda each: not (each.is_used or each.late))
    return RoomRows(room, tuple(tables), waiting, tuple(left.values()))


def _take_rows_by_label(table: DeskTable, left: dict[str, DeskRow]) -> tuple[DeskRow, ...]:
    plays = [row[0].play for row in left.values()]
    return tuple(left.pop(play.key) for play in plays if not play.is_open and play.table == table.label)
