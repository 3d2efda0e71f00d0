"""A room as the queue reads it: which matches wait for a table, who is busy, and since when everybody is free."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from django.db.models import Max, Q

from tournaments.models import Pairing, Stand
from tournaments.status import Status
from venue.models import Assignment, Chair, EventRoom, Table
from venue.queue import MatchId, Name, OnStream, Ready, RoomNow, Running, TableId, TableNow
from venue.selectors import streamed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from datetime import datetime

    from venue.models import CallMode, Room


@dataclass(frozen=True, slots=True)
class RoomRead:
    """A room for the queue, and the rows its ids stand for."""

    room: RoomNow
    pairings: Mapping[MatchId, Pairing]
    tables: Mapping[TableId, Table]


def read(room: Room, *, now: datetime, modes: Collection[CallMode]) -> RoomRead:
    """Return the room with the matches of those events that are called in one of these ways."""
    uses = EventRoom.objects.filter(room=room, event__status=Status.RUNNING, event__paused_at__isnull=True)
    events = list(uses.filter(mode__in=modes).values_list("event_id", flat=True))
    tables = {TableId(table.key): table for table in room.tables.order_by("position")}
    rows = _open(events)
    sitting = set(
        Assignment.objects.filter(pairing__in=rows, ended_at__isnull=True).values_list(
            "pairing_id", flat=True
        )
    )
    free = {match_id(row): row for row in rows if row.pk not in sitting and not is_under_way(row)}
    free_ones = {row.pk for row in free.values()}
    blocked = _blocked(events)
    return RoomRead(
        RoomNow(
            now=now.timestamp(),
            tables=tuple(
                TableNow(key, table.state, tuple(map(str, table.tags))) for key, table in tables.items()
            ),
            running=tuple(_running(room, rows, sitting)),
            ready=tuple(
                Ready(key, _names(row), _seconds(row.opened_at, now), blocked.get(_place(row), 0))
                for key, row in free.items()
            ),
            free_since=_free_since(events, free.values()),
            stream=tuple(
                _stream(room, events, busy={_place(row) for row in rows if row.pk not in free_ones})
            ),
        ),
        free,
        tables,
    )


def match_id(row: Pairing) -> MatchId:
    """Return what the queue calls a match: its event and its place there."""
    return MatchId(f"{row.tournament.key}/{row.key}")


def _open(events: Collection[int]) -> list[Pairing]:
    rows = Pairing.objects.filter(tournament__in=events, state=Stand.READY, opened_at__isnull=False)
    return list(
        rows.select_related("tournament", "a__player", "b__player").order_by("tournament_id", "position")
    )


def is_under_way(row: Pairing) -> bool:
    """Say whether two play that nobody has called: on a board of ours, or with a score kept."""
    return row.match_id is not None or bool(row.running)


def _running(room: Room, rows: Iterable[Pairing], sitting: Collection[int]) -> Iterable[Running]:
    """Yield who is busy: at a table of this room, at another, or at a board."""
    found: dict[int, list[Name]] = defaultdict(list)
    tables: dict[int, str | None] = dict(
        Assignment.objects.filter(table__room=room, ended_at__isnull=True).values_list("pk", "table__key")
    )
    ours = Q(assignment__in=tables)
    theirs = Q(player__in={player for row in rows for player in _players(row)})
    chairs = Chair.objects.filter(ours | theirs, ended_at__isnull=True).order_by("assignment_id", "pk")
    for assignment, player in chairs.values_list("assignment_id", "player__key"):
        found[assignment].append(Name(player))
    for assignment, players in found.items():
        at = tables.get(assignment)
        yield Running(None if at is None else TableId(at), tuple(players))
    for row in rows:
        if row.pk not in sitting and is_under_way(row):
            yield Running(None, _names(row))


def _blocked(events: Collection[int]) -> dict[tuple[int, str], int]:
    """Return how many matches wait, at once or later, for what happens at each place."""
    after: dict[tuple[int, str], list[tuple[int, str]]] = defaultdict(list)
    waiting = Pairing.objects.filter(tournament__in=events, state=Stand.WAITING)
    for event, key, a, b in waiting.values_list("tournament_id", "key", "a_key", "b_key"):
        for source in {a, b} - {""}:
            after[event, source].append((event, key))
    found: dict[tuple[int, str], int] = {}
    for place in list(after):
        seen: set[tuple[int, str]] = set()
        todo = [place]
        while todo:
            new = [one for one in after.get(todo.pop(), ()) if one not in seen]
            seen.update(new)
            todo += new
        found[place] = len(seen)
    return found


def _stream(room: Room, events: Collection[int], *, busy: Collection[tuple[int, str]]) -> Iterable[OnStream]:
    """Yield what is wanted on stream in the room; it is ready soon where all it waits for is being played."""
    wanted = [row.pairing for row in streamed.rows(room) if row.pairing.tournament_id in events]
    sources = {
        (row.tournament_id, key)
        for row in wanted
        if row.state == Stand.WAITING
        for key in (row.a_key, row.b_key)
    }
    known = Pairing.objects.filter(tournament__in=events, key__in={key for _event, key in sources if key})
    to_come = set(
        known.filter(state__in=(Stand.WAITING, Stand.READY)).values_list("tournament_id", "key")
        if sources
        else ()
    )
    for row in wanted:
        # Of a seat that is empty its match has to be known.
        seats = [
            (row.tournament_id, key)
            for seat, key in ((row.a_id, row.a_key), (row.b_id, row.b_key))
            if not seat
        ]
        soon = all(place in to_come and place in busy for place in seats)
        yield OnStream(match_id(row), soon and bool(seats) and row.state == Stand.WAITING)


def _free_since(events: Collection[int], waiting: Iterable[Pairing]) -> dict[Name, float]:
    """Return when the last match of those who wait ended, in these events or at any table."""
    names = {player: name for row in waiting for player, name in zip(_players(row), _names(row), strict=True)}
    over = Pairing.objects.filter(tournament__in=events, decided_at__isnull=False)
    ended = [
        over.filter(**{f"{side}__player__in": names})
        .values_list(f"{side}__player")
        .annotate(Max("decided_at"))
        for side in ("a", "b")
    ]
    left = Chair.objects.filter(
        player__in=names, ended_at__isnull=False, assignment__started_at__isnull=False
    )
    found: dict[Name, float] = {}
    for player, at in chain(*ended, left.values_list("player").annotate(Max("ended_at"))):
        found[names[player]] = max(at.timestamp(), found.get(names[player], 0.0))
    return dict(sorted(found.items()))


def _players(row: Pairing) -> tuple[int, ...]:
    return tuple(entry.player_id for entry in (row.a, row.b) if entry is not None)


def _names(row: Pairing) -> tuple[Name, ...]:
    return tuple(Name(entry.player.key) for entry in (row.a, row.b) if entry is not None)


def _place(row: Pairing) -> tuple[int, str]:
    return row.tournament_id, row.key


def _seconds(at: datetime | None, now: datetime) -> float:
    return (at or now).timestamp()
