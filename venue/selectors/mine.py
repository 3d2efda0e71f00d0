"""What concerns a player: where they are called to, or how many matches are before theirs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils import timezone

from tournaments.selectors import event_view, labels, rules_in_words
from tournaments.status import Status
from venue.models import Assignment, CallMode, Chair, EventRoom, Room
from venue.queue import in_order
from venue.selectors import waiting

if TYPE_CHECKING:
    from datetime import datetime

    from players.models import Player
    from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class MyCall:
    """A player's own call."""

    uid: str
    table: str
    # "Table 4", or the table's own name.
    table_name: str
    event: str
    event_name: str
    match: str
    # "Consolation, first round", and how long it is.
    label: str
    length: str
    opponent: str
    called_at: datetime
    # When lateness begins to count, None where it does not.
    due_at: datetime | None
    seen_at: datetime | None
    here_at: datetime | None
    they_have_seen_it: bool
    they_are_here: bool
    is_playing: bool

    @property
    def state(self) -> str:
        """Return how far the player themselves is."""
        if self.is_playing:
            return "playing"
        if self.here_at is not None:
            return "here"
        return "called" if self.seen_at is None else "seen"


@dataclass(frozen=True, slots=True)
class MyPlace:
    """A player's own match in the queue."""

    room: str
    # How many matches come before it.
    before: int


def call_of(player: Player | None) -> MyCall | None:
    """Return where a player is called to, None where they are not."""
    if player is None:
        return None
    chairs = Chair.objects.filter(player=player, ended_at__isnull=True).select_related(
        "assignment__table", "assignment__pairing__tournament__club"
    )
    chair = chairs.first()
    return None if chair is None else _read(chair)


def called_in(player: Player, event: str, match: str) -> MyCall | None:
    """Return where a player is called to for this match, None where they are not."""
    found = call_of(player)
    return found if found is not None and (found.event, found.match) == (event, match) else None


def place_of(event: Tournament, match: str) -> MyPlace | None:
    """Return where a match stands in the queue of its event's room, None where it does not wait there."""
    used = EventRoom.objects.filter(event=event).select_related("room").first()
    if used is None or event.status != Status.RUNNING:
        return None
    uses = EventRoom.objects.filter(room=used.room, event__status=Status.RUNNING)
    stamps = tuple(uses.order_by("event_id").values_list("event_id", "event__stamp"))
    before = _places(used.room_id, stamps).get(f"{event.key}/{match}")
    return None if before is None else MyPlace(used.room.name, before)


@lru_cache(maxsize=32)
def _places(room_id: int, _stamps: tuple[tuple[int, str], ...]) -> dict[str, int]:
    """Return how many matches are before each, while no event of the room has changed."""
    room = Room.objects.get(pk=room_id)
    found = waiting.read(room, now=timezone.now(), modes=tuple(CallMode))  # noqa: TID251 - the order does not hang on it
    return {match.id: before for before, match in enumerate(in_order(found.room))}


def _read(chair: Chair) -> MyCall:
    assignment: Assignment = chair.assignment
    pairing = assignment.pairing
    event = pairing.tournament
    view = event_view.read(event)
    play = view.by_key.get(pairing.key)
    other = assignment.chairs.exclude(pk=chair.pk).select_related("player").first()
    table = assignment.table.label if assignment.table else ""
    first = min((minutes for minutes, _points in event.lateness), default=None)
    return MyCall(
        uid=str(assignment.uid),
        table=table,
        table_name=labels.table(table),
        event=event.key,
        event_name=event.name,
        match=pairing.key,
        label="" if play is None else view.label(play),
        length="" if play is None else rules_in_words.in_full(play.length, play.rules),
        opponent="" if other is None else other.player.public_name,
        called_at=assignment.called_at,
        due_at=None if first is None else assignment.called_at + timedelta(minutes=first),
        seen_at=chair.seen_at,
        here_at=chair.here_at,
        they_have_seen_it=other is not None and other.seen_at is not None,
        they_are_here=other is not None and other.here_at is not None,
        is_playing=assignment.started_at is not None,
    )
