"""Highlights of an event, and the statistics of a finished one; both are computed from recorded results.

Highlights are comebacks, high cubes, the longest match, last points, eliminations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Final

from django.utils.translation import gettext

from draw.rules_of_play import RulesOfPlay
from engine.clock import MINUTE
from matches.state import clock_words
from tournaments.base import scores
from tournaments.base.event_view import EntryView, EventView, MatchView
from tournaments.models import PairingState
from tournaments.pages import timetable

MOST: Final = 5
# The least deficit, in points, of a comeback.
BEHIND: Final = 3
HIGH_CUBE: Final = 4
GAMMONS: Final = frozenset({"gammon", "backgammon"})
# The longest match is named, and durations are shown, if at least this many were timed; the longest by this margin.
ENOUGH: Final = 3
LONGER: Final = timedelta(minutes=1)
# Limits of the longest match: shorter is not remarkable, longer was not played in one session.
LONG: Final = timedelta(minutes=20)
TOO_LONG: Final = timedelta(hours=12)


class Weight(IntEnum):
    OUT, LAST_POINT, LONGEST, GAMMON, COMEBACK = range(5)


@dataclass(frozen=True, slots=True)
class Highlight:
    at: datetime
    sentence: str
    weight: Weight


def list_highlights(view: EventView) -> tuple[Highlight, ...]:
    """List the highlights of an event, the latest first, at most one a match."""
    played = _list_played(view)
    longest = _find_longest_key(played)
    found = [highlight for play in played if (highlight := _find_highlight(view, play, longest)) is not None]
    chosen = sorted(found, key=lambda each: (each.weight, each.at), reverse=True)[:MOST]
    return tuple(sorted(chosen, key=lambda each: each.at, reverse=True))


def measure_duration(play: MatchView) -> timedelta | None:
    """Return the duration of a match from its call, or else from its opening, to the result.

    None if it is unknown, or if the match was played over days.
    """
    called = play.called_at or play.opened_at
    if play.decided_at is None or called is None or play.deadline_at:
        return None
    return play.decided_at - called


def _list_played(view: EventView) -> list[MatchView]:
    return [
        play
        for play in view.plays
        if play.state == PairingState.DECIDED and play.kind == "played" and not play.is_cancelled
    ]


def _find_longest_key(played: Iterable[MatchView]) -> str:
    """Return the key of the longest match, "" if none is clearly the longest."""
    timed = sorted((time, play.key) for play in played if (time := measure_duration(play)) is not None)
    if len(timed) < ENOUGH or timed[-1][0] - timed[-2][0] < LONGER:
        return ""
    return timed[-1][1] if LONG <= timed[-1][0] <= TOO_LONG else ""


def _find_highlight(view: EventView, play: MatchView, longest: str) -> Highlight | None:
    """Return the most important highlight of a match that was played; None without a score."""
    a, b = view.who(play.a_id), view.who(play.b_id)
    if play.score_a is None or a is None or b is None or play.decided_at is None:
        return None
    winner, loser = (a, b) if play.winner_id == a.pk else (b, a)
    high, low = max(play.score_a or 0, play.score_b or 0), min(play.score_a or 0, play.score_b or 0)
    values = {"winner": winner.name, "loser": loser.name, "score": f"{high}\u2013{low}"}
    sentences = list(_list_sentences(view, play, winner, loser, values))
    if play.key == longest and (time := measure_duration(play)) is not None:
        sentence = gettext("The longest match: %(winner)s beat %(loser)s %(score)s after %(time)s.")
        sentences.append((Weight.LONGEST, sentence % {**values, "time": _format_duration(time)}))
    weight, sentence = max(sentences, default=(None, ""))
    return None if weight is None else Highlight(play.decided_at, sentence, weight)


def _list_sentences(
    view: EventView, play: MatchView, winner: EntryView, loser: EntryView, values: dict[str, str]
) -> Iterator[tuple[Weight, str]]:
    own = "a" if winner.pk == play.a_id else "b"
    steps = list(
        scores.list_game_steps(
            [scores.Game.from_json(each) for each in play.games],
            play.begun,
            play.length,
            RulesOfPlay.from_match_rules(play.rules),
        )
    )
    behind = [step.before if own == "a" else step.before[::-1] for step in steps]
    worst = min(behind, key=lambda each: each[0] - each[1], default=(0, 0))
    if worst[1] - worst[0] >= BEHIND:
        yield Weight.COMEBACK, gettext("%(winner)s was %(behind)s down and beat %(loser)s %(score)s.") % {
            **values, "behind": f"{worst[0]}\u2013{worst[1]}",
        }  # fmt: skip
    games = (each.game for each in steps if each.game.winner == own)
    if high := [game for game in games if game.end in GAMMONS and game.cube >= HIGH_CUBE]:
        best = max(high, key=lambda game: (game.points, game.cube))
        sentences = (
            gettext("%(winner)s won a backgammon with the cube on %(cube)s and beat %(loser)s %(score)s.")
            if best.end == "backgammon"
            else gettext("%(winner)s won a gammon with the cube on %(cube)s and beat %(loser)s %(score)s.")
        )
        yield Weight.GAMMON, sentences % {**values, "cube": best.cube}
    if play.length > 1 and {play.score_a, play.score_b} == {play.length, play.length - 1}:
        yield (
            Weight.LAST_POINT,
            gettext("%(winner)s needed the last point against %(loser)s: %(score)s.") % values,
        )
    part = view.part_of[play.stage_id]
    if part.is_sheet and loser.pk not in view.ahead and part is view.parts[-1]:
        yield Weight.OUT, gettext("%(loser)s is out: %(winner)s won %(score)s.") % values


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
        return self.written == self.matches


def compute_figures(view: EventView) -> EventFigures:
    played = _list_played(view)
    written = [play for play in played if play.games]
    ends = [scores.Game.from_json(game).end for play in written for game in play.games]
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
    took = measure_duration(play)
    if took is None or took > TOO_LONG or not play.length:
        return None
    is_fast = took < timedelta(minutes=timetable.FASTEST * play.length)
    return None if is_fast else took


def _find_longest(view: EventView, timed: list[tuple[timedelta, MatchView]]) -> LongestMatch | None:
    second, (took, play) = sorted(timed, key=lambda each: each[0])[-2:]
    if took - second[0] < LONGER:
        return None
    a, b = view.who(play.a_id), view.who(play.b_id)
    return None if a is None or b is None else LongestMatch((a.name, b.name), _format_duration(took))


def _format_duration(time: timedelta) -> str:
    return clock_words.format_duration(max(1, round(time.total_seconds() / 60)) * MINUTE)
