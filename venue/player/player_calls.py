"""A player's call, or the queue position of their match."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse

from players.models import Player, User
from tournaments.base import event_view, labels, rules_in_words
from tournaments.models import Tournament
from tournaments.play import timing
from tournaments.status import Status
from venue.desk import room_queue
from venue.models import Assignment, Chair, EventRoom, Room


@dataclass(frozen=True, slots=True)
class PlayerCall:
    uid: str
    table: str
    # "Table 4", or the table's own name.
    table_name: str
    # The table's room if its club has several; else "".
    room: str
    event: str
    event_name: str
    match: str
    # "Consolation, first round", and the length.
    label: str
    length: str
    opponent: str
    called_at: datetime
    # By when the player must be there; None if lateness does not count.
    due_at: datetime | None
    seen_at: datetime | None
    here_at: datetime | None
    they_have_seen_it: bool
    they_are_here: bool
    is_playing: bool

    @property
    def where(self) -> str:
        """The table, with its room if the club has several."""
        return f"{self.table_name}, {self.room}" if self.room else self.table_name

    @property
    def state(self) -> str:
        """The state of the player, not of the match."""
        if self.is_playing:
            return "playing"
        if self.here_at is not None:
            return "here"
        return "called" if self.seen_at is None else "seen"


@dataclass(frozen=True, slots=True)
class QueuePosition:
    room: str
    # Number of matches before it.
    before: int
    # When it is likely to get a table; None if one is free, or no forecast is possible.
    likely_at: datetime | None = None
    # One of its players is still playing another match.
    is_busy: bool = False


def find_call(player: Player | None) -> PlayerCall | None:
    return None if player is None else _find_first_call(_list_chairs(player))


def is_called(user: User) -> bool:
    return Chair.objects.filter(player__user=user, ended_at__isnull=True).exists()


def is_queued(event: str) -> bool:
    """True if the event is running in a room."""
    return EventRoom.objects.filter(event__key=event, event__status=Status.RUNNING).exists()


def find_call_to(player: Player, event: str, match: str) -> PlayerCall | None:
    return _find_first_call(_list_chairs(player).filter(_filter_match(event, match)))


def build_arrival_url(player: Player, event: str, match: str) -> str:
    """Return the address to confirm arrival at the table of this match; "" if no confirmation is due."""
    chairs = _list_chairs(player).filter(_filter_match(event, match), here_at__isnull=True)
    uid = chairs.values_list("assignment__uid", flat=True).first()
    return "" if uid is None else reverse("venue:answer", args=[uid])


def find_place(event: Tournament, match: str, *, now: datetime) -> QueuePosition | None:
    """Return the position of a match in the queue of its event's room, None if it does not wait there.

    Not cached: a result in another room changes since when a player is free, and so the order.
    """
    used = EventRoom.objects.filter(event=event).select_related("room").first()
    if used is None or event.status != Status.RUNNING:
        return None
    wanted = f"{event.key}/{match}"
    for each in room_queue.compute_queue(used, now=now).queue:
        if each.match.id == wanted:
            return QueuePosition(used.room.name, each.before, each.likely_at, is_busy=bool(each.busy))
    return None


def _list_chairs(player: Player) -> QuerySet[Chair]:
    return Chair.objects.filter(player=player, ended_at__isnull=True)


def _filter_match(event: str, match: str) -> Q:
    return Q(assignment__pairing__tournament__key=event, assignment__pairing__key=match)


def _find_first_call(chairs: QuerySet[Chair]) -> PlayerCall | None:
    others = Room.objects.filter(club=OuterRef("assignment__table__room__club")).exclude(
        pk=OuterRef("assignment__table__room")
    )
    rows = chairs.select_related("assignment__table__room", "assignment__pairing__tournament__club")
    rows = rows.annotate(has_rooms=Exists(others))
    chair = rows.first()
    if chair is None:
        return None
    assignment: Assignment = chair.assignment
    pairing = assignment.pairing
    event = pairing.tournament
    view = event_view.load_view(event)
    play = view.by_key.get(pairing.key)
    other = assignment.chairs.exclude(pk=chair.pk).select_related("player").first()
    table = assignment.table.label if assignment.table else ""
    return PlayerCall(
        uid=str(assignment.uid),
        table=table,
        table_name=labels.format_table(table),
        room=assignment.table.room.name if assignment.table and chair.has_rooms else "",
        event=event.key,
        event_name=event.name,
        match=pairing.key,
        label="" if play is None else view.label(play),
        length="" if play is None else rules_in_words.describe_match(play.length, play.rules),
        opponent="" if other is None else other.player.public_name,
        called_at=assignment.called_at,
        due_at=timing.find_first_lateness(event, pairing),
        seen_at=chair.seen_at,
        here_at=chair.here_at,
        they_have_seen_it=other is not None and other.seen_at is not None,
        they_are_here=other is not None and other.here_at is not None,
        is_playing=assignment.started_at is not None,
    )
