"""The open matches of a desk: by table, in the queue, or elsewhere; each match once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.base.event_view import MatchView
    from tournaments.desk.typed_scores import DeskRow
    from venue.desk.desk_room import DeskQueueEntry, DeskTable, RoomDesk


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
    tables = [_build_table_row(room, table, proposed.get(table.key), left) for table in room.tables]
    waiting = tuple(
        WaitingRow(each, left.pop(each.match, None) if each.event == room.event else None)
        for each in room.queue
        if not each.table
    )
    tables = [each._replace(late=_take_rows_by_label(each.table, left)) for each in tables]
    tables.sort(key=lambda each: not (each.is_used or each.late))
    return RoomRows(room, tuple(tables), waiting, tuple(left.values()))


def _build_table_row(
    room: RoomDesk, table: DeskTable, proposed: DeskQueueEntry | None, left: dict[str, DeskRow]
) -> TableRow:
    there = table.call or proposed
    row = left.pop(there.match, None) if there is not None and there.event == room.event else None
    return TableRow(table, row, proposed)


def _take_rows_by_label(table: DeskTable, left: dict[str, DeskRow]) -> tuple[DeskRow, ...]:
    plays = [row[0].play for row in left.values()]
    return tuple(left.pop(play.key) for play in plays if not play.is_open and play.table == table.label)
