"""Matches in a room that are slower than tonight's pace, and the time until the next one is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import ceil

from draw.forecast.room import compute_slow_minute, compute_very_slow_minute
from tournaments.play import timing
from venue.calls.calls import CallNow
from venue.desk import pace
from venue.models import Assignment, Room


@dataclass(frozen=True, slots=True)
class SlowMatch:
    """A slow match; its figures only change with the match."""

    call: CallNow
    since: datetime
    # Minutes a match of its length takes tonight.
    minutes: int
    # How long its event was paused since the start.
    stood: timedelta
    # True if it is slow enough for the director to look at.
    is_very: bool

    @property
    def usually_over_at(self) -> datetime:
        return self.since + self.stood + timedelta(minutes=self.minutes)

    @property
    def score(self) -> str:
        points = _get_points(self.call)
        return "–".join(str(each) for each in points)  # noqa: RUF001


@dataclass(frozen=True, slots=True)
class SlowMatches:
    # By the primary key of their call.
    matches: Mapping[int, SlowMatch] = field(default_factory=dict[int, "SlowMatch"])
    # Seconds until a match becomes slow or very slow if nothing happens; None if there is none.
    changes_in: int | None = None

    def at(self, call: CallNow | None) -> SlowMatch | None:
        return None if call is None else self.matches.get(call.pk)


def find_slow_matches(room: Room, at_tables: Iterable[CallNow], *, now: datetime) -> SlowMatches:
    """Return the slow matches among a room's calls. Unanswered calls are late, not slow, and are skipped."""
    playing = [call for call in at_tables if call.length and _is_played(call)]
    if not playing:
        return SlowMatches()
    minutes = pace.compute_room_pace(room).minutes_a_point
    began = _load_starts(playing, now=now)
    found: dict[int, SlowMatch] = {}
    changes: list[timedelta] = []
    for call in playing:
        if call.pk not in began:
            continue
        since, stood = began[call.pk]
        question = call.length, minutes, _get_points(call)
        slow_at = since + stood + timedelta(minutes=compute_slow_minute(*question))
        very_slow_at = since + stood + timedelta(minutes=compute_very_slow_minute(*question))
        changes += [at - now for at in (slow_at, very_slow_at) if at > now]
        if slow_at <= now:
            found[call.pk] = SlowMatch(call, since, round(minutes * call.length), stood, very_slow_at <= now)
    return SlowMatches(found, ceil(min(changes).total_seconds()) if changes else None)


def _get_points(call: CallNow) -> tuple[int, ...]:
    return tuple(one.points for one in call.players if one.points is not None)


def _is_played(call: CallNow) -> bool:
    return call.state != "called" or call.most_points is not None


def _load_starts(playing: Iterable[CallNow], *, now: datetime) -> dict[int, tuple[datetime, timedelta]]:
    """Return the start of each match and its event's pause time since, by call; none for paused events."""
    open_ones = {call.pk for call in playing}
    rows = Assignment.objects.filter(
        pairing__assignments__in=open_ones, pairing__tournament__paused_at__isnull=True
    )
    starts = list(
        rows.order_by("pairing", "called_at", "pk").values_list(
            "pairing", "pk", "called_at", "started_at", "ended_at", "pairing__tournament"
        )
    )
    still = timing.load_pauses({event for *_rest, event in starts})
    found: dict[int, tuple[datetime, timedelta]] = {}
    before: tuple[int, datetime | None, datetime] | None = None
    for pairing, pk, called, started, ended, event in starts:
        # A moved match leaves its table at the time of its next call, and began with the first.
        is_moved = before is not None and before[:2] == (pairing, called)
        since = before[2] if before is not None and is_moved else started or called
        if pk in open_ones:
            found[pk] = since, timing.compute_paused_time(still.get(event, ()), since, now)
        before = pairing, ended, since
    return found
