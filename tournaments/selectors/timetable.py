"""When matches to come may begin and when an event may be over, by the pace of what was played in it so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache
from operator import attrgetter
from statistics import median
from typing import TYPE_CHECKING, Final

from draw.brackets.structure import FINAL
from draw.event import From
from draw.forecast.room import Floor, Room
from draw.rounds import ROUNDS
from tournaments import formats, hours
from tournaments.models import Stand
from tournaments.selectors import event_rows
from tournaments.selectors.event_space import UNLIMITED, MatchPace
from tournaments.status import Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tournaments.selectors.event_space import EventSpace
    from tournaments.selectors.event_view import EventView, MatchView, StageView

# So many matches show a pace; before that it is as usual (P112).
ENOUGH: Final = 3
USUAL: Final = Room().minutes_a_point
# Minutes a point. Faster were results typed in afterwards, slower is played over days.
FASTEST: Final = 1.0
SLOWEST: Final = 30.0
MOMENT: Final = timedelta(microseconds=1)
EMPTY: Final = frozenset({Stand.BYE, Stand.VACANT})
OVER: Final = EMPTY | {Stand.DECIDED}
PAIRED: Final = From.PAIRED.value


@dataclass(frozen=True, slots=True)
class RoundToCome:
    """A round that is planned and not paired yet."""

    number: int
    begins_at: datetime


@dataclass(frozen=True, slots=True)
class Timetable:
    """What may happen when; empty where nobody can know."""

    pace: MatchPace | None = None
    # By the keys of the matches that wait.
    begins: Mapping[str, datetime] = field(default_factory=dict["str", "datetime"])
    to_come: tuple[RoundToCome, ...] = ()
    ends_at: datetime | None = None


UNKNOWN: Final = Timetable()


def of(view: EventView, *, now: datetime, space: EventSpace = UNLIMITED) -> Timetable:
    """Return when the matches of a running event may begin, at its tables and outside its breaks.

    None while it is paused, or played over days.
    """
    if view.event.status != Status.RUNNING or view.event.paused_at is not None:
        return UNKNOWN
    now = hours.slot_end(now)
    pace = space.pace or pace_of(view)
    drawn = [part for part in view.parts if part.plays]
    has_days = any(play.deadline_at or play.round_deadline_at for part in drawn for play in part.plays)
    if pace is None or has_days or not drawn:
        return UNKNOWN
    reckoning = _Reckoning(view, pace, now, space.room)
    # Thousands wait for few moments.
    told = cache(_told)
    begins = {key: told(at) for key, at in reckoning.starts.items()}
    to_come = reckoning.rounds_to_come(drawn[-1]) if len(drawn) == len(view.parts) else None
    ends = None if to_come is None else reckoning.end()
    return Timetable(
        pace,
        begins,
        tuple(RoundToCome(number, _told(at)) for number, at in to_come or ()),
        None if ends is None else _told(ends),
    )


def pace_of(view: EventView) -> MatchPace | None:
    """Return how long matches take here, None where they are played over days."""
    return pace_from(
        [
            (play.decided_at - play.opened_at).total_seconds() / 60 / play.length
            for part in view.parts
            for play in part.plays
            if play.state == Stand.DECIDED and play.kind == "played" and play.length
            if play.decided_at is not None and play.opened_at is not None
        ]
    )


def pace_from(taken: Sequence[float]) -> MatchPace | None:
    """Return the pace of matches that took so many minutes a point, None where they are played over days."""
    if len(taken) < ENOUGH:
        return MatchPace(USUAL)
    found = median(taken)
    if found > SLOWEST:
        return None
    return MatchPace(found, len(taken)) if found >= FASTEST else MatchPace(USUAL)


def _told(at: datetime) -> datetime:
    """Return a time as it is told: nobody knows it better than to five minutes."""
    return hours.slot_end(at - MOMENT)


class _Reckoning:
    """Every match takes as long as the pace says, and begins when both its players and a table are free."""

    def __init__(self, view: EventView, pace: MatchPace, now: datetime, room: Room) -> None:
        self.view, self.pace, self.now = view, pace, now
        self.floor = Floor(room, now)
        self.turnaround = timedelta(minutes=room.turnaround)
        # When matches begin or began: few tables are given in the order in which matches would begin at many.
        self.order: dict[str, datetime] = {}
        self.last_end: datetime | None = None
        self.by_key = view.by_key
        self.overs: dict[str, datetime] = {}
        # When matches that are still to be opened may be.
        self.starts: dict[str, datetime] = {}
        self.lengths: dict[int, timedelta] = {}
        # When the rounds of a group are over, as far as matches are paired: the next waits for it.
        self.rounds: dict[tuple[int, str, int], datetime] = {}
        # Of what is over only those are asked that others wait for.
        plays = [play for part in view.parts for play in part.plays if play.state not in OVER]
        # Earlier rounds first: what leads to a match is known when its turn comes, or asked for.
        plays.sort(key=attrgetter("round"))
        if room.tables:
            many = _Reckoning(view, pace, now, replace(room, tables=0)).order
            plays.sort(key=lambda play: (not self.is_under_way(play), many[play.key]))
        for play in plays:
            over = self.overs.get(play.key) or self.over(play)
            at = (play.stage_id, play.bracket, play.round)
            there = self.rounds.get(at)
            if there is None or over > there:
                self.rounds[at] = over

    def over(self, play: MatchView) -> datetime:
        """Work out when a match is over, or may be."""
        if play.state in OVER:
            found = play.decided_at or self.now
        elif play.opened_at is not None and self.is_under_way(play):
            since = (self.view.event.waits_for_call and play.called_at) or play.opened_at
            found = self.floor.play(self.now, self.takes(play), since)
            self.order[play.key] = since
        else:
            found = self._start(play)
            self.order[play.key] = found
            if not _is_if_needed(play):
                found = self.floor.play(found, self.takes(play))
                self.order[play.key] = found - self.takes(play)
                if play.opened_at is None:
                    self.starts[play.key] = self.order[play.key]
        self.overs[play.key] = found
        return found

    def is_under_way(self, play: MatchView) -> bool:
        """Say whether an open match is played: where tables are called, once it has one."""
        is_open = play.opened_at is not None
        return is_open and (
            not self.view.event.waits_for_call or play.called_at is not None or play.is_live or play.is_scored
        )

    def takes(self, play: MatchView) -> timedelta:
        """Return how long a match takes."""
        if (found := self.lengths.get(play.length)) is None:
            found = self.lengths[play.length] = timedelta(minutes=self.pace.minutes_a_point * play.length)
        return found

    def _start(self, play: MatchView) -> datetime:
        found = self.now
        for key in (play.a_key, play.b_key):
            over = self.overs.get(key)
            if over is None and (source := self.by_key.get(key)) is not None:
                over = self.over(source)
            if over is not None and over + self.turnaround > found:
                found = over + self.turnaround
        if play.a_from == PAIRED:
            before = [
                over
                for (stage, bracket, number), over in self.rounds.items()
                if (stage, bracket) == (play.stage_id, play.bracket) and number < play.round
            ]
            found = max(found, *(over + self.turnaround for over in before)) if before else found
        return found

    def rounds_to_come(self, part: StageView) -> list[tuple[int, datetime]] | None:
        """Return the rounds that are planned and not paired yet, None where nobody knows how many follow."""
        if event_rows.is_fixed(part.stage):
            return []
        planned, made = ROUNDS.of(formats.options(part.stage)), max(play.round for play in part.plays)
        if not planned or part.stage.options.get("mode") == "continuous":
            return None
        takes = self.takes(max(part.plays, key=lambda play: play.round))
        matches = sum(play.round == made and play.state not in EMPTY for play in part.plays)
        found: list[tuple[int, datetime]] = []
        over = max(self.rounds.values(), default=self.now)
        for number in range(made + 1, planned + 1):
            ends = [self.floor.play(over + self.turnaround, takes) for _ in range(max(1, matches))]
            found.append((number, min(ends) - takes))
            over = self.last_end = max(ends)
        return found

    def end(self) -> datetime | None:
        """Return when the last match may be over: of the rounds to come, once they are asked for."""
        return self.last_end or max(self.rounds.values(), default=None)


def _is_if_needed(play: MatchView) -> bool:
    """Say whether this is the second final, which is played only where the first did not decide."""
    return play.bracket == FINAL and play.a_key != "" and play.a_key == play.b_key
