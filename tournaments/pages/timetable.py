"""Forecast of starts and of the end of an event, the same for pages, screens and the API.

The remaining matches are simulated many times at the current pace, at the tables of the event and outside its
breaks (P120, P121). The times shown are medians of these simulations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache
from statistics import median
from typing import Final, NamedTuple

from draw.event import Entrant, EntrantId, Event, Key, MatchRules, Place
from draw.forecast.remaining_matches import RemainingMatches, plan_known_matches
from draw.forecast.room import Room
from draw.forecast.what_if import SimulatedEvenings
from draw.random_stream import RandomStream
from draw.rounds import ROUNDS
from tournaments.base import event_rows, formats, local_times
from tournaments.base.event_view import EntryView, EventView, MatchView, StageView
from tournaments.hooks import UNLIMITED, EventSpace, MatchPace, Pause
from tournaments.models import PairingState
from tournaments.models.entries import LEAVES
from tournaments.play import timing
from tournaments.status import Status

# The pace is measured from this number of matches on; before that the usual pace is assumed (P112).
ENOUGH: Final = 3
USUAL: Final = Room().minutes_a_point
# Minutes a point. Faster results were entered afterwards, slower matches are played over days.
FASTEST: Final = 1.0
SLOWEST: Final = 30.0
MOMENT: Final = timedelta(microseconds=1)
# Shares of simulations: eight of ten end between these two.
EARLY: Final = 0.1
LATE: Final = 0.9
# The states of remaining matches.
OPEN: Final = frozenset({PairingState.READY, PairingState.WAITING})
# The rules of a decided match are not used.
PLAYED: Final = MatchRules()


class ForecastInput(NamedTuple):
    """The input of the forecast. Equal input gives equal simulations."""

    rest: RemainingMatches
    room: Room
    now: datetime
    seed: str

    def play(self) -> SimulatedEvenings:
        return SimulatedEvenings(self.rest, self.room, self.now, RandomStream(self.seed).child("ending"))


@dataclass(frozen=True, slots=True)
class ComingRound:
    number: int
    begins_at: datetime


@dataclass(frozen=True, slots=True)
class Timetable:
    """Expected times; empty if they cannot be forecast."""

    pace: MatchPace | None = None
    # The expected starts, by keys of matches that are not open yet.
    begins: Mapping[str, datetime] = field(default_factory=dict["str", "datetime"])
    to_come: tuple[ComingRound, ...] = ()
    # The median of all simulations; eight of ten end between the other two.
    ends_at: datetime | None = None
    early: datetime | None = None
    late: datetime | None = None
    basis: ForecastInput | None = field(default=None, compare=False, repr=False)


UNKNOWN: Final = Timetable()


def forecast_event(view: EventView, *, now: datetime, space: EventSpace | None = UNLIMITED) -> Timetable:
    """Forecast a running event, at its tables and outside its breaks.

    Return `UNKNOWN` while it is paused, if it is played over days, or without a table.
    """
    event = view.event
    if event.status != Status.RUNNING or event.paused_at is not None or space is None:
        return UNKNOWN
    pace = space.pace or measure_pace(view, space.pauses)
    has_days = any(play.deadline_at for play in view.plays)
    if pace is None or has_days:
        return UNKNOWN
    now = local_times.compute_slot_end(now)
    rest, is_whole = _plan_remaining(view)
    if not rest.steps:
        return Timetable(pace)
    starts = {Key(play.key): _find_start(view, play, space, now) for play in view.plays if play.is_open}
    room = replace(
        space.room,
        minutes_a_point=pace.minutes_a_point,
        # A pace from the opening to the result includes the minutes between two matches.
        turnaround=0 if pace.matches and space.pace is None else space.room.turnaround,
        started={key: at for key, at in starts.items() if at is not None},
    )
    basis = ForecastInput(rest, room, now, event.seed)
    evenings = basis.play()
    begins, to_come = _forecast_starts(view, evenings)
    if not is_whole:
        return Timetable(pace, begins)
    early, middle, late = (
        round_to_five_minutes(evenings.forecast.over_at(share)) for share in (EARLY, 0.5, LATE)
    )
    return Timetable(pace, begins, to_come, middle, early, late, basis)


def drop_opened(times: Timetable, view: EventView) -> Timetable:
    """Return an earlier forecast without the starts of matches that are open by now, or gone."""
    waiting = {play.key for play in view.plays if play.state in OPEN and play.opened_at is None}
    return replace(times, begins={key: at for key, at in times.begins.items() if key in waiting})


def measure_pace(view: EventView, paused: Iterable[Pause] = ()) -> MatchPace | None:
    """Measure the pace of an event without its pauses; None if it is played over days."""
    stood = tuple(paused)
    return compute_pace(
        [
            (
                play.decided_at
                - play.opened_at
                - timing.compute_paused_time(stood, play.opened_at, play.decided_at)
            ).total_seconds()
            / 60
            / play.length
            for play in view.plays
            if play.state == PairingState.DECIDED and play.kind == "played" and play.length
            if play.decided_at is not None and play.opened_at is not None
        ]
    )


def compute_pace(taken: Sequence[float]) -> MatchPace | None:
    """Return the pace for durations in minutes a point; None if they are of matches played over days."""
    if len(taken) < ENOUGH:
        return MatchPace(USUAL)
    found = median(taken)
    if found > SLOWEST:
        return None
    return MatchPace(found, len(taken)) if found >= FASTEST else MatchPace(USUAL)


def round_to_five_minutes(at: datetime) -> datetime:
    """Round up to five minutes, the precision of forecasts."""
    return local_times.compute_slot_end(at - MOMENT)


def round_start(at: datetime, breaks: Sequence[tuple[datetime, datetime]]) -> datetime:
    """Round a start to five minutes: up, or down where that would be in a break."""
    rounded = round_to_five_minutes(at)
    is_in_break = any(begins <= rounded < ends and at < begins for begins, ends in breaks)
    return rounded - local_times.SLOT if is_in_break else rounded


def _find_start(view: EventView, play: MatchView, space: EventSpace, now: datetime) -> datetime | None:
    """Return when an open match began, moved by the pauses since; None if it waits for its call."""
    since = space.room.started.get(Key(play.key))
    if since is None and view.event.waits_for_call:
        if play.called_at is not None:
            return play.called_at  # moved when a pause ends
        if not (play.is_playing or play.is_over_on_sheet):
            return None
    since = since or play.opened_at
    return None if since is None else since + timing.compute_paused_time(space.pauses, since, now)


def _forecast_starts(
    view: EventView, evenings: SimulatedEvenings
) -> tuple[dict[str, datetime], tuple[ComingRound, ...]]:
    """Return the starts of matches that are not open yet, and of rounds that are not paired yet."""
    spans = evenings.room.breaks
    # Thousands of matches share few starts.
    rounded = cache(lambda at: round_start(at, spans))
    part = view.parts[-1]
    is_sure = bool(part.plays) and _has_known_rounds(part)
    begins: dict[str, datetime] = {}
    rounds: dict[int, datetime] = {}
    for number, step in enumerate(evenings.rest.steps):
        at = None if step.rules is None else evenings.begins_at(number)
        if at is None:
            continue
        if step.key is None:
            if is_sure and step.round:
                rounds[step.round] = min(at, rounds.get(step.round, at))
        elif view.by_key[step.key].opened_at is None:
            begins[step.key] = rounded(at)
    return begins, tuple(ComingRound(number, rounded(at)) for number, at in sorted(rounds.items()))


def _has_known_rounds(part: StageView) -> bool:
    """True if the number of rounds of a stage is fixed: with lives it depends on the results."""
    form = formats.get_format(part.stage)
    return bool(ROUNDS.get(formats.build_options(part.stage))) or form.is_elimination


def _plan_remaining(view: EventView) -> tuple[RemainingMatches, bool]:
    """Return the known remaining matches, and True if these are all."""
    event = Event(
        stages=tuple(event_rows.build_stage(view.event, stage) for stage in view.stages),
        entrants=tuple(
            Entrant(_get_entrant_id(who), left=LEAVES.get(who.left)) for who in view.people.values()
        ),
        absent=frozenset(_get_entrant_id(who) for who in view.people.values() if who.is_absent),
    )
    return plan_known_matches(event, tuple(_list_places(view)))


def _list_places(view: EventView) -> Iterator[Place]:
    ids = {who.pk: _get_entrant_id(who) for who in view.people.values()}
    # Most matches of an event have the same rules.
    rules: dict[tuple[int, str], MatchRules] = {}
    for part in view.parts:
        for play in part.plays:
            played = PLAYED
            if play.state in OPEN:
                at = play.length, str(play.rules)
                if at not in rules:
                    rules[at] = event_rows.parse_match_rules({"length": play.length} | play.rules)
                played = rules[at]
            loser = None
            if play.winner_id is not None:
                loser = ids.get((play.b_id if play.winner_id == play.a_id else play.a_id) or 0)
            yield Place(
                key=Key(play.key),
                a=event_rows.build_seat(play.a_from, play.a_key, 0, ids.get(play.a_id or 0)),
                b=event_rows.build_seat(play.b_from, play.b_key, 0, ids.get(play.b_id or 0)),
                state=event_rows.STATES[play.state],
                round=play.round,
                number=play.number,
                bracket=play.bracket,
                stage=part.stage.name,
                loser=loser,
                rules=played,
            )


def _get_entrant_id(who: EntryView) -> EntrantId:
    return EntrantId(str(who.number))
