"""What-if: the end of the same simulated evenings with other tables, lengths, rounds or players (P121)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from heapq import heapify, heappop, heappush, heapreplace
from struct import unpack
from typing import Final

from draw.event import EntrantId
from draw.forecast.remaining_matches import RemainingMatches, SeatToFill
from draw.forecast.room import PARTS, Room, compute_duration_factor, compute_longest_minutes
from draw.forecast.run_statistics import Forecast
from draw.random_stream import RandomStream

RUNS: Final = 100
# Large events get fewer runs, since every page after a result waits for them. With many matches chance evens out: an end
# after 18 hours moves by one or two in a hundred.
FEWEST_RUNS: Final = 5
MOST_MATCHES: Final = 5_000
MINUTE: Final = timedelta(minutes=1)
# 16-bit numbers per match: the parts of its duration, and whether it is played if that is open.
NUMBERS: Final = PARTS + 1
FULL: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Question:
    """Changes to simulate; defaults change nothing."""

    tables: int | None = None  # 0: unlimited
    points: int = 0  # matches that have not begun are so many points longer
    last_round: int | None = None
    leaving: int = 0  # before their next match; in rounds, before the next round


@dataclass(frozen=True, slots=True)
class _Match:
    """A step in one scenario; average and maximum duration in minutes."""

    average: float
    most: float
    began: float | None
    is_dropped: bool


class SimulatedEvenings:
    """Simulated evenings of the rest of an event.

    Every question reuses their random numbers and their order of play.
    """

    def __init__(
        self, rest: RemainingMatches, room: Room, now: datetime, rng: RandomStream, *, runs: int | None = None
    ) -> None:
        self.rest, self.room, self.now, self.rng = rest, room, now, rng
        if runs is None:
            runs = max(FEWEST_RUNS, min(RUNS, MOST_MATCHES // max(1, len(rest.steps))))
        self.breaks = sorted(((a - now) / MINUTE, (b - now) / MINUTE) for a, b in room.breaks)
        self.matches = self._build_matches(Question())
        self.then: list[list[int]] = [[] for _step in rest.steps]
        for at, step in enumerate(rest.steps):
            for other in step.after:
                self.then[other].append(at)
        many = NUMBERS * len(rest.steps)
        self.numbers: list[tuple[tuple[float, ...], tuple[bool, ...]]] = []
        self.orders: list[list[int]] = []
        # Starts of each match that has not begun, one for each evening.
        self.starts: list[list[float]] = [[] for _step in rest.steps]
        ends: list[float] = []
        for run in range(runs):
            drawn = unpack(f">{many}H", rng.child(str(run)).stream(2 * many))
            bells = tuple(compute_duration_factor(drawn[at : at + PARTS]) for at in range(0, many, NUMBERS))
            tosses = drawn[PARTS::NUMBERS]
            played = tuple(toss < FULL * step.chance for toss, step in zip(tosses, rest.steps, strict=True))
            self.numbers.append((bells, played))
            order, end = self._simulate_order(bells, played)
            self.orders.append(order)
            ends.append(end)
        # The forecast without changes.
        self.forecast = self._build_forecast(ends)

    def begins_at(self, step: int) -> datetime | None:
        """Return the median start of a step over all evenings; None if it has begun, or may not be played."""
        starts = sorted(self.starts[step])
        is_sure = self.rest.steps[step].chance == 1
        return self.now + starts[(len(starts) - 1) // 2] * MINUTE if is_sure and starts else None

    def what_if(self, question: Question) -> Forecast:
        """Forecast the end of the same evenings with these changes."""
        matches = self._build_matches(question)
        tables = self.room.tables if question.tables is None else question.tables
        return self._build_forecast(
            [
                self._simulate_end(
                    order, matches, tables, bells, self._find_played(run, played, matches, question.leaving)
                )
                for run, (order, (bells, played)) in enumerate(zip(self.orders, self.numbers, strict=True))
            ]
        )

    def _build_forecast(self, ends: Sequence[float]) -> Forecast:
        return Forecast(tuple(self.now + end * MINUTE for end in sorted(ends)), {}, {})

    def _build_matches(self, question: Question) -> list[_Match]:
        rest, found = self.rest, list[_Match]()
        left = rest.rounds[min(question.leaving, len(rest.rounds) - 1)] if rest.rounds else ()
        for step in rest.steps:
            if step.rules is None:
                found.append(_Match(0, 0, None, is_dropped=True))
                continue
            start = None if step.key is None else self.room.started.get(step.key)
            rules = step.rules
            if start is None and question.points:
                rules = replace(rules, length=max(1, rules.length + question.points))
            is_late = question.last_round is not None and step.round > question.last_round
            is_gone = bool(step.round and left) and step.number > left[step.round - 1]
            found.append(
                _Match(
                    self.room.minutes_a_point * rules.length,
                    compute_longest_minutes(rules, self.room),
                    None if start is None else (start - self.now) / MINUTE,
                    is_dropped=is_late or is_gone,
                )
            )
        return found

    def _simulate_order(self, bells: Sequence[float], played: Sequence[bool]) -> tuple[list[int], float]:
        """Simulate an evening without changes; return the order of play and the end.

        The match that is ready first is played first.
        """
        steps, matches = self.rest.steps, self.matches
        left = [len(step.after) for step in steps]
        ready = [0.0] * len(steps)
        # Running matches get their tables first.
        queue = [(0.0, matches[at].began is None, at) for at, step in enumerate(steps) if not step.after]
        heapify(queue)
        floor = _EveningTables(self.room.tables, self.breaks)
        order: list[int] = []
        end = 0.0
        while queue:
            begins, _, at = heappop(queue)
            order.append(at)
            match = matches[at]
            over = begins
            if played[at] and not match.is_dropped:
                start, over = floor.play(begins, match, bells[at])
                if match.began is None:
                    self.starts[at].append(start)
                end = max(end, over)
                over += self.room.turnaround
            for other in self.then[at]:
                left[other] -= 1
                ready[other] = max(ready[other], over)
                if not left[other]:
                    heappush(queue, (ready[other], True, other))
        return order, end

    def _simulate_end(
        self,
        order: Sequence[int],
        matches: Sequence[_Match],
        tables: int,
        bells: Sequence[float],
        played: Sequence[bool],
    ) -> float:
        """Simulate an evening in a given order and return when it ends.

        Tables are given in the order of the unchanged evening. With first-ready-first-served, another table or a shorter match
        could make an evening end later (Graham's anomalies), and the answer would be noise.
        """
        steps, turnaround = self.rest.steps, self.room.turnaround
        floor = _EveningTables(tables, self.breaks)
        overs = [0.0] * len(steps)
        end = 0.0
        for at in order:
            over = 0.0
            for other in steps[at].after:
                over = max(over, overs[other])
            match = matches[at]
            if played[at] and not match.is_dropped:
                _start, over = floor.play(over, match, bells[at])
                end = max(end, over)
                over += turnaround
            overs[at] = over
        return end

    def _find_played(
        self, run: int, played: Sequence[bool], matches: Sequence[_Match], leaving: int
    ) -> Sequence[bool]:
        """Return, for each step, whether it is played if *leaving* players leave.

        They are drawn among the players with a known next match, others in each evening.
        """
        if not leaving or self.rest.rounds:
            return played
        gone = set(self.rng.child(f"leave/{run}").shuffled(self.rest.known)[:leaving])
        goes = list(played)
        # Unplayed matches: True if no player advances from it.
        empty: dict[int, bool] = {}
        for at in self.orders[run]:
            if matches[at].began is not None:
                continue
            absent = [_is_absent(seat, gone, empty) for seat in self.rest.steps[at].seats]
            if any(absent):
                goes[at] = False
                empty[at] = all(absent)
        return goes


class _EveningTables:
    def __init__(self, tables: int, breaks: Sequence[tuple[float, float]]) -> None:
        self.free = [0.0] * tables
        self.breaks = breaks

    def play(self, ready: float, match: _Match, share: float) -> tuple[float, float]:
        """Play a match at the first free table; return start and end.

        A match that has begun keeps its table.
        """
        takes = min(match.average * share, match.most)
        if match.began is not None:
            end = max(0.0, match.began + takes)
            if self.free:
                # With fewer tables than running matches, the first tables to become free are removed.
                heapreplace(self.free, max(end, self.free[0]))
            return match.began, end
        start = max(ready, self.free[0]) if self.free else ready
        for begins, ends in self.breaks:
            if begins <= start < ends:
                start = ends
        if self.free:
            heapreplace(self.free, start + takes)
        return start, start + takes


def _is_absent(seat: SeatToFill, gone: set[EntrantId], empty: dict[int, bool]) -> bool:
    """True if no player comes to a seat: they left, or their previous match is not played."""
    if seat.entrant is not None:
        return seat.entrant in gone
    if seat.source is None or seat.source not in empty:
        return False
    return seat.is_loser or empty[seat.source]
