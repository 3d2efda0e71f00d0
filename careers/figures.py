"""Figures from a player's matches and events: runs, opponents, achievements. Pure.

Nothing is stored, so corrections need no update.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class Tally:
    won: int
    lost: int

    @property
    def played(self) -> int:
        return self.won + self.lost

    @property
    def share(self) -> int:
        """Won matches in percent."""
        return round(100 * self.won / self.played) if self.played else 0


def count_results(matches: Collection[PlayedMatch]) -> Tally:
    won = sum(each.won for each in matches)
    return Tally(won, len(matches) - won)


def group_results(matches: Iterable[PlayedMatch], what: Callable[[PlayedMatch], Any]) -> dict[Any, Tally]:
    """Count matches by group, in the order of each group's first match."""
    groups: defaultdict[Any, list[PlayedMatch]] = defaultdict(list)
    for each in matches:
        groups[what(each)].append(each)
    return {key: count_results(some) for key, some in groups.items()}


def count_by_length(matches: Iterable[PlayedMatch]) -> tuple[tuple[MatchLength, Tally], ...]:
    return tuple(sorted(group_results(matches, lambda each: MatchLength(each.length, each.best_of)).items()))


def count_by_year(matches: Iterable[PlayedMatch]) -> tuple[tuple[int, Tally], ...]:
    """Count matches by year, by the clocks of the clubs; the latest first."""
    found = group_results(matches, lambda each: each.at.astimezone(ZoneInfo(each.zone)).year)
    return tuple(sorted(found.items(), reverse=True))


# The minimum number of matches against a nemesis or a favourite.
ENOUGH: Final = 3
MATCHES: Final = (10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000)
RUNS: Final = (3, 5, 10, 15, 20)
FIELDS: Final = (4, 8, 16, 32, 64, 128)
LENGTHS: Final = (7, 9, 11, 13, 15, 17, 21, 25)
OPPONENTS: Final = (5, 10, 25, 50, 100, 250)


class MatchLength(NamedTuple):
    """The length of matches: points, or the games that win a best of so many games."""

    points: int
    # 0: it is played to points.
    best_of: int = 0


class PlayedMatch(NamedTuple):
    """A finished match from one player's side."""

    pk: int
    at: datetime
    length: int
    event: int
    # The time zone of its club.
    zone: str
    opponent: int
    won: bool
    # The number of games if only games count, else 0.
    best_of: int = 0


class Finish(NamedTuple):
    event: int
    at: datetime
    zone: str
    place: int | None
    field: int


class Run(NamedTuple):
    matches: int
    won: bool
    first: PlayedMatch
    last: PlayedMatch


class Balance(NamedTuple):
    opponent: int
    tally: Tally


@dataclass(frozen=True, slots=True)
class Achievement:
    code: str
    # The number that the achievement is for: of matches, points, opponents, losses or players.
    figure: int
    at: datetime
    zone: str
    event: int
    match: int | None = None


def list_runs(matches: Sequence[PlayedMatch]) -> list[Run]:
    """List the runs in order, the oldest first."""
    found = ((won, list(some)) for won, some in groupby(matches, lambda each: each.won))
    return [Run(len(some), won, some[0], some[-1]) for won, some in found]


def find_longest_run(found: Sequence[Run], *, won: bool) -> Run | None:
    """Find the longest run of wins, or of losses; the earlier one of equals."""
    return max((run for run in found if run.won is won), key=lambda run: run.matches, default=None)


def rank_opponents(matches: Sequence[PlayedMatch]) -> list[Balance]:
    """List all opponents, the most frequent first; of equals, the latest first."""
    latest_first = group_results(reversed(matches), lambda each: each.opponent)
    found = [Balance(opponent, tally) for opponent, tally in latest_first.items()]
    return sorted(found, key=lambda rival: -rival.tally.played)


def find_nemesis(found: Collection[Balance]) -> Balance | None:
    """Find the opponent with the largest surplus of losses, if there are enough matches."""
    return _find_extreme(found, lambda tally: tally.lost - tally.won)


def find_favourite(found: Collection[Balance]) -> Balance | None:
    """Find the opponent with the largest surplus of wins, if there are enough matches."""
    return _find_extreme(found, lambda tally: tally.won - tally.lost)


def _find_extreme(found: Collection[Balance], balance: Callable[[Tally], int]) -> Balance | None:
    difficult = [rival for rival in found if rival.tally.played >= ENOUGH and balance(rival.tally) > 0]
    return max(difficult, key=lambda rival: balance(rival.tally), default=None)


def list_achievements(matches: Sequence[PlayedMatch], finishes: Sequence[Finish]) -> list[Achievement]:
    """List achievements, at most one of each kind, the latest first.

    Both inputs are in order of time, the oldest first.
    """
    lengths_won = (each.length if each.won and not each.best_of else 0 for each in matches)
    found = [
        _find_highest_step("first", (1,), matches, (each.won for each in matches)),
        _find_highest_step("matches", MATCHES, matches, range(1, len(matches) + 1)),
        _find_highest_step("run", RUNS, matches, _count_runs(matches)),
        _find_highest_step("length", LENGTHS, matches, lengths_won),
        _find_highest_step("opponents", OPPONENTS, matches, _count_opponents(matches)),
        _find_comeback(matches),
        _find_largest_title(finishes),
        _find_unbeaten_title(matches, finishes),
    ]
    return sorted(filter(None, found), key=lambda each: (each.at, each.code), reverse=True)


def _build_achievement(code: str, figure: int, match: PlayedMatch) -> Achievement:
    return Achievement(code, figure, match.at, match.zone, match.event, match.pk)


def _find_highest_step(
    code: str, steps: Sequence[int], matches: Sequence[PlayedMatch], figures: Iterable[int]
) -> Achievement | None:
    """Find the highest step that a figure reached, with the first match that did."""
    best: Achievement | None = None
    left = list(steps)
    for match, figure in zip(matches, figures, strict=True):
        while left and figure >= left[0]:
            best = _build_achievement(code, left.pop(0), match)
    return best


def _count_runs(matches: Sequence[PlayedMatch]) -> Iterator[int]:
    running = 0
    for each in matches:
        running = running + 1 if each.won else 0
        yield running


def _count_opponents(matches: Sequence[PlayedMatch]) -> Iterator[int]:
    met: set[int] = set()
    for each in matches:
        met.add(each.opponent)
        yield len(met)


def _find_comeback(matches: Sequence[PlayedMatch]) -> Achievement | None:
    """Find the win that ended the longest run of losses against one opponent, of three at least."""
    losses: defaultdict[int, int] = defaultdict(int)
    best: Achievement | None = None
    for each in matches:
        if not each.won:
            losses[each.opponent] += 1
            continue
        ended = losses.pop(each.opponent, 0)
        if ended >= ENOUGH and (best is None or ended > best.figure):
            best = _build_achievement("comeback", ended, each)
    return best


def _find_largest_title(finishes: Sequence[Finish]) -> Achievement | None:
    """Find the first title in a field of the largest size step (`FIELDS`) won so far."""
    best: Achievement | None = None
    for each in finishes:
        step = max((size for size in FIELDS if each.field >= size), default=0)
        if each.place == 1 and step > (best.figure if best else 0):
            best = Achievement("title", step, each.at, each.zone, each.event)
    return best


def _find_unbeaten_title(matches: Sequence[PlayedMatch], finishes: Sequence[Finish]) -> Achievement | None:
    """Find the first title without a lost match, of three matches at least."""
    by_event = group_results(matches, lambda each: each.event)
    for each in finishes:
        tally = by_event.get(each.event)
        if each.place == 1 and tally is not None and tally.lost == 0 and tally.won >= ENOUGH:
            return Achievement("unbeaten", tally.won, each.at, each.zone, each.event)
    return None
