"""When a running event is likely to end, and when it would if something were otherwise: by its pace, its matches and its tables."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from draw.chance import Chance
from draw.event import Key
from draw.forecast import rest
from draw.forecast.room import Room
from draw.forecast.whatif import Evenings
from tournaments import hours
from tournaments.models import Stand
from tournaments.selectors import event_rows, pauses
from tournaments.status import Status
from venue.models import Assignment
from venue.selectors import pace, space, waiting

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from draw.forecast.answer import Forecast
    from draw.forecast.rest import Rest
    from draw.forecast.whatif import Question
    from tournaments.models import Tournament
    from tournaments.selectors.event_rows import Rows

# Eight evenings of ten end within what is told.
EARLY: Final = 0.1
LATE: Final = 0.9
SOON: Final = timedelta(hours=12)
MOMENT: Final = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Span:
    """From when to when eight evenings of ten end, as the clock of the club shows it."""

    early: str
    late: str


@dataclass(frozen=True, slots=True)
class Shift:
    """How an answer differs: the times, and by how much the middle of them moves."""

    span: Span
    # To five minutes; below 0 it ends earlier.
    minutes: int

    @property
    def size(self) -> str:
        """Return by how much, as hours and minutes: "1:05"."""
        return f"{abs(self.minutes) // 60}:{abs(self.minutes) % 60:02}"


@dataclass(frozen=True)
class Outlook:
    """The rest of an event, played many times."""

    evenings: Evenings
    rest: Rest
    zone: str
    now: datetime
    # 0: as many as are wanted, because it is played in no room.
    tables: int
    minutes_a_point: int

    @property
    def span(self) -> Span:
        """When it ends as it stands."""
        return self._span(self.evenings.forecast)

    def what_if(self, question: Question) -> Shift:
        """Return when it would end."""
        found = self.evenings.what_if(question)
        moved = (found.over_at() - self.evenings.forecast.over_at()) / hours.SLOT
        return Shift(self._span(found), round(moved) * (hours.SLOT // timedelta(minutes=1)))

    def _span(self, found: Forecast) -> Span:
        return Span(self._told(found.over_at(EARLY)), self._told(found.over_at(LATE)))

    def _told(self, at: datetime) -> str:
        """Return a time to five minutes, with its day where the hour alone could be taken for another."""
        at = hours.slot_end(at - MOMENT)
        hour = hours.hour(at, self.zone)
        return hour if at < self.now + SOON else f"{hours.short_day(at, self.zone)} {hour}"


def of(event: Tournament, *, now: datetime) -> Outlook | None:
    """Return how a running event may end, None where nobody can tell: paused, played over days, or for as long as it takes."""
    if event.status != Status.RUNNING or event.paused_at is not None:
        return None
    rows = event_rows.load(event)
    if any(row.deadline_at for row in rows.pairings):
        return None
    left = rest.of(event_rows.event_of(rows), event_rows.places_of(rows))
    used = space.room_of(event)
    tables = 0 if used is None else space.count_tables(used)
    if left is None or not left.steps or (used is not None and not tables):
        return None
    found = pace.of(event, has_room=used is not None, now=now)
    if found is None:
        return None
    room = Room(
        tables=tables,
        breaks=space.spans_of(event),
        turnaround=found.turnaround,
        minutes_a_point=found.match.minutes_a_point,
        started=_started(rows, has_room=used is not None, now=now),
    )
    chance = Chance(event.seed).child("ending")
    return Outlook(
        Evenings(left, room, now, chance), left, event.club.time_zone, now, tables, found.match.rounded
    )


def _started(rows: Rows, *, has_room: bool, now: datetime) -> Mapping[Key, datetime]:
    """Return since when matches are played: where tables are called, since their call. The time of a pause is left out."""
    called = {}
    if has_room:
        open_now = Assignment.objects.filter(pairing__tournament=rows.event, ended_at__isnull=True)
        called = {
            pk: started or called_at
            for pk, started, called_at in open_now.values_list("pairing_id", "started_at", "called_at")
        }
    still = pauses.of_events([rows.event.pk]).get(rows.event.pk, ())
    found: dict[Key, datetime] = {}
    for row in rows.pairings:
        since = called.get(row.pk)
        if since is None and (not has_room or waiting.is_under_way(row)):
            since = row.opened_at
        if row.state == Stand.READY and since is not None:
            found[Key(row.key)] = since + pauses.stood(still, since, now)
    return found
