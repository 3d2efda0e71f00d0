"""Statistics of a finished event: matches, games and durations."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from engine.clock import MINUTE
from matches.state import clock_words
from tournaments.base import scores
from tournaments.models import PairingState
from tournaments.pages import highlights, timetable

if TYPE_CHECKING:
    from tournaments.base.event_view import EventView, MatchView

# Durations are shown from this number of timed matches on.
ENOUGH: Final = 3


@dataclass(frozen=True, slots=True)
class LongestMatch:
    """The longest match, if it was longer than the second longest by at least a minute."""

    names: tuple[str, str]
    took: str


@dataclass(frozen=True, slots=True)
class EventFigures:
    """Statistics of an event. Unknown texts are ""."""

    matches: int
    # The number of matches recorded game by game; the next three numbers are theirs.
    written: int
    games: int
    gammons: int
    backgammons: int
    # The average duration, of matches with a plausible one.
    average: str
    longest: LongestMatch | None

    @property
    def is_all_written(self) -> bool:
        """True if all matches were recorded game by game."""
        return self.written == self.matches


def compute_figures(view: EventView) -> EventFigures:
    """Compute the statistics of the matches that were played to an end."""
    played = [
        play
        for play in view.plays
        if play.state == PairingState.DECIDED and play.kind == "played" and not play.is_cancelled
    ]
    written = [play for play in played if play.games]
    ends = [scores.Game.from_json(said).end for play in written for said in play.games]
    timed = [(took, play) for play in played if (took := _measure_plausible_duration(play)) is not None]
    has_times = len(timed) >= ENOUGH
    total = sum((took for took, _play in timed), timedelta())
    return EventFigures(
        matches=len(played),
        written=len(written),
        games=len(ends),
        gammons=ends.count("gammon"),
        backgammons=ends.count("backgammon"),
        average=_format_duration(total / len(timed)) if has_times else "",
        longest=_find_longest(view, timed) if has_times else None,
    )


def _measure_plausible_duration(play: MatchView) -> timedelta | None:
    """Return the duration of a match; None if it is unknown or not plausible.

    It is not plausible if the result was recorded afterwards, or the match was played over days.
    """
    took = highlights.measure_duration(play)
    if took is None or took > highlights.TOO_LONG or not play.length:
        return None
    is_fast = took < timedelta(minutes=timetable.FASTEST * play.length)
    return None if is_fast else took


def _find_longest(view: EventView, timed: list[tuple[timedelta, MatchView]]) -> LongestMatch | None:
    second, (took, play) = sorted(timed, key=lambda each: each[0])[-2:]
    if took - second[0] < highlights.LONGER:
        return None
    a, b = view.who(play.a_id), view.who(play.b_id)
    return None if a is None or b is None else LongestMatch((a.name, b.name), _format_duration(took))


def _format_duration(time: timedelta) -> str:
    return clock_words.format_duration(max(1, round(time.total_seconds() / 60)) * MINUTE)
