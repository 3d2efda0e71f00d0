"""A club's rooms, each table with its current match."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import F, Q

from players.models import Club
from tournaments.base import event_view
from tournaments.models import PairingState, Tournament
from tournaments.status import Status
from venue.models import Assignment, Chair, EventRoom, Room, Table, TableState


@dataclass(frozen=True, slots=True)
class MatchAtTable:
    players: str
    name: str
    event: str
    is_playing: bool


def compute_version_key(state: str, call: str = "") -> str:
    """Return the version key of a table: the uid of its open call, else its state."""
    return call or state


def load_rooms(club: Club) -> list[tuple[Room, list[tuple[Table, MatchAtTable | None]]]]:
    matches = _load_matches(club)
    rooms = Room.objects.filter(club=club).prefetch_related("tables")
    return [(room, [(table, matches.get(table.pk)) for table in room.tables.all()]) for room in rooms]


def list_room_names(club: Club) -> list[tuple[str, str]]:
    return list(Room.objects.filter(club=club).values_list("key", "name"))


def find_usual_room(club: Club, like: Tournament | None) -> str:
    """Return the key of the room of *like*, "" if it has none.

    Without *like*, return that of the club's last used room, or of its first; "" if the club has no room.
    """
    if like is not None:
        used = EventRoom.objects.filter(event=like, room__club=club).select_related("room").first()
        return "" if used is None else used.room.key
    rooms = Room.objects.filter(club=club)
    # Rooms without an event come last.
    room = rooms.order_by(F("events__event__starts_at").desc(nulls_last=True), "pk").first()
    return "" if room is None else room.key


def compute_settings_key(table: Table) -> str:
    return "|".join((table.state, ",".join(table.tags), table.label))


def list_free_tables(club: Club) -> tuple[Table, ...]:
    """Return the tables a director can call a match to, including held ones."""
    usable = Table.objects.filter(room__club=club).exclude(state=TableState.BROKEN)
    taken = Assignment.objects.filter(table__room__club=club, ended_at__isnull=True).values("table")
    return tuple(usable.exclude(pk__in=taken).select_related("room").order_by("room", "position"))


def find_match(key: str) -> int | None:
    """Return the primary key of the pairing at a table, by the table's key."""
    here = Assignment.objects.filter(table__key=key, ended_at__isnull=True)
    return here.values_list("pairing_id", flat=True).first()


def find_current_event(club_id: int) -> Tournament | None:
    """Return the event that uses a club's tables: the latest running one, else the next announced one."""
    events = Tournament.objects.filter(club=club_id, is_friendly=False)
    running = events.filter(status=Status.RUNNING).order_by("-starts_at", "-pk")
    announced = events.filter(status=Status.PUBLISHED).order_by("starts_at", "pk")
    return running.first() or announced.first()


def find_event(key: str) -> int | None:
    """Return the club's current event for a table key; None if there is none."""
    club = Room.objects.filter(tables__key=key).values_list("club", flat=True).first()
    event = None if club is None else find_current_event(club)
    return None if event is None else event.pk


def get_label(club_id: int, key: str) -> str:
    """Return the label of a table of a club; "" if there is no such table."""
    found = Table.objects.filter(room__club=club_id, key=key).values_list("label", flat=True).first()
    return found or ""


def _load_matches(club: Club) -> dict[int, MatchAtTable]:
    rows = list(
        Assignment.objects.filter(table__room__club=club, ended_at__isnull=True).select_related(
            "pairing__a__player", "pairing__b__player", "pairing__tournament__club"
        )
    )
    called = event_view.load_seat_names([row.pairing for row in rows])
    found = {}
    for row in rows:
        seated = [called[entry.pk] for entry in (row.pairing.a, row.pairing.b) if entry is not None]
        event = row.pairing.tournament
        at = MatchAtTable(" – ".join(seated), event.name, event.key, row.started_at is not None)  # noqa: RUF001
        if row.table_id is not None:
            found[row.table_id] = at
    return found


def verify_tables() -> Iterator[str]:
    """Report open assignments without a match to play, and chairs that end apart from their assignment."""
    open_ones = Assignment.objects.filter(ended_at__isnull=True)
    over = ~Q(pairing__state=PairingState.READY) | ~Q(pairing__tournament__status=Status.RUNNING.value)
    over |= Q(pairing__opened_at__isnull=True)
    for each in open_ones.filter(Q(table__isnull=True) | over).select_related("table", "pairing"):
        yield f"table {each.table} is held by {each.pairing}, which is not to be played"
    apart = Chair.objects.filter(ended_at__isnull=True, assignment__ended_at__isnull=False)
    gone = Chair.objects.filter(ended_at__isnull=False, assignment__ended_at__isnull=True)
    for chair in (apart | gone).order_by("pk").annotate(until=F("assignment__ended_at")):
        yield f"chair {chair.pk} ends {chair.ended_at}, its table {chair.until}"
