"""What a player's matches and events add up to: runs, opponents, achievements. Facts in, figures out.

Nothing here is remembered: who corrects a match or takes it back has all of it counted anew.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from tournaments.base import tallies

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from datetime import datetime

    from tournaments.base.tallies import Tally

# With fewer matches against each other nobody is a nemesis, or a favourite.
ENOUGH: Final = 3
MATCHES: Final = (10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000)
RUNS: Final = (3, 5, 10, 15, 20)
FIELDS: Final = (4, 8, 16, 32, 64, 128)
LENGTHS: Final = (7, 9, 11, 13, 15, 17, 21, 25)
OPPONENTS: Final = (5, 10, 25, 50, 100, 250)


class PlayedMatch(NamedTuple):
    """A match that was played to its end, as one of the two saw it."""

    pk: int
    at: datetime
    length: int
    event: int
    # The clock of the club it was played in.
    zone: str
    opponent: int
    won: bool


class Finish(NamedTuple):
    """An event that is over, with the place in it."""

    event: int
    at: datetime
    zone: str
    place: int | None
    field: int


class Run(NamedTuple):
    """Matches that were won, or lost, one after the other."""

    matches: int
    won: bool
    first: PlayedMatch
    last: PlayedMatch


class Balance(NamedTuple):
    """Somebody with whom it stands so."""

    opponent: int
    tally: Tally


@dataclass(frozen=True, slots=True)
class Achievement:
    """Something that was reached, by which match or in which event."""

    code: str
    # The step that was reached: matches, points, players.
    figure: int
    at: datetime
    zone: str
    event: int
    match: int | None = None


def list_runs(matches: Sequence[PlayedMatch]) -> list[Run]:
    """Return the runs of matches in their order, the oldest first."""
    found = ((won, list(some)) for won, some in groupby(matches, lambda each: each.won))
    return [Run(len(some), won, some[0], some[-1]) for won, some in found]


def find_longest_run(found: Sequence[Run], *, won: bool) -> Run | None:
    """Return the longest run of wins, or of losses; of two that are as long, the first."""
    return max((run for run in found if run.won is won), key=lambda run: run.matches, default=None)


def rank_opponents(matches: Sequence[PlayedMatch]) -> list[Balance]:
    """Return everybody who was met, those most often met first; of two, who was met last."""
    latest_first = tallies.by(reversed(matches), lambda each: each.opponent)
    found = [Balance(opponent, tally) for opponent, tally in latest_first.items()]
    return sorted(found, key=lambda rival: -rival.tally.played)


def find_nemesis(found: Collection[Balance]) -> Balance | None:
    """Return against whom most more were lost than won; nothing where nobody is ahead after a few matches."""
    return _find_extreme(found, lambda tally: tally.lost - tally.won)


def find_favourite(found: Collection[Balance]) -> Balance | None:
    """Return against whom most more were won than lost."""
    return _find_extreme(found, lambda tally: tally.won - tally.lost)


def _find_extreme(found: Collection[Balance], balance: Callable[[Tally], int]) -> Balance | None:
    asked = [rival for rival in found if rival.tally.played >= ENOUGH and balance(rival.tally) > 0]
    return max(asked, key=lambda rival: balance(rival.tally), default=None)


def list_achievements(matches: Sequence[PlayedMatch], finishes: Sequence[Finish]) -> list[Achievement]:
    """Return what was reached, at most one of each kind, the latest first; both are given the oldest first."""
    found = [
        *_find_first_win(matches),
        *_find_highest_step("matches", MATCHES, matches, range(1, len(matches) + 1)),
        *_find_highest_step("run", RUNS, matches, _count_runs(matches)),
        *_find_highest_step("length", LENGTHS, matches, (each.length if each.won else 0 for each in matches)),
        *_find_highest_step("opponents", OPPONENTS, matches, _count_opponents(matches)),
        *_find_comeback(matches),
        *_find_largest_title(finishes),
        *_find_unbeaten_title(matches, finishes),
    ]
    return sorted(found, key=lambda each: (each.at, each.code), reverse=True)


def _by_match(code: str, figure: int, match: PlayedMatch) -> Achievement:
    return Achievement(code, figure, match.at, match.zone, match.event, match.pk)


def _find_first_win(matches: Sequence[PlayedMatch]) -> Iterator[Achievement]:
    first = next((each for each in matches if each.won), None)
    if first is not None:
        yield _by_match("first", 1, first)


def _find_highest_step(
    code: str, steps: Sequence[int], matches: Sequence[PlayedMatch], figures: Iterable[int]
) -> Iterator[Achievement]:
    """Yield the highest step that a figure has reached, with the match that first did."""
    best: Achievement | None = None
    left = list(steps)
    for match, figure in zip(matches, figures, strict=True):
        while left and figure >= left[0]:
            best = _by_match(code, left.pop(0), match)
    if best is not None:
        yield best


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


def _find_comeback(matches: Sequence[PlayedMatch]) -> Iterator[Achievement]:
    """Yield the win that ended the longest run of somebody else against them, of three at least."""
    losses: defaultdict[int, int] = defaultdict(int)
    best: Achievement | None = None
    for each in matches:
        if not each.won:
            losses[each.opponent] += 1
            continue
        ended = losses.pop(each.opponent, 0)
        if ended >= ENOUGH and (best is None or ended > best.figure):
            best = _by_match("comeback", ended, each)
    if best is not None:
        yield best


def _find_largest_title(finishes: Sequence[Finish]) -> Iterator[Achievement]:
    """Yield the title in the largest field, by steps; the first that reached it."""
    best: Achievement | None = None
    for each in finishes:
        step = max((size for size in FIELDS if each.field >= size), default=0)
        if each.place == 1 and step > (best.figure if best else 0):
            best = Achievement("title", step, each.at, each.zone, each.event)
    if best is not None:
        yield best


def _find_unbeaten_title(matches: Sequence[PlayedMatch], finishes: Sequence[Finish]) -> Iterator[Achievement]:
    """Yield the first title without a match lost, of three at least."""
    by_event = tallies.by(matches, lambda each: each.event)
    for each in finishes:
        tally = by_event.get(each.event)
        if each.place == 1 and tally is not None and tally.lost == 0 and tally.won >= ENOUGH:
            yield Achievement("unbeaten", tally.won, each.at, each.zone, each.event)
            return
