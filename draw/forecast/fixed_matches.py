"""Formats whose matches are all known: the start of each follows from the matches that lead to it (P114)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from heapq import heappop, heappush

from draw.event import UNDECIDED, EntrantId, From, Place, State
from draw.forecast.room import Room, SimulatedTables, draw_duration
from draw.random_stream import RandomStream


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """A place with the matches it waits for, and the probability that it is played."""

    place: Place
    after: tuple[int, ...]
    chance: float


def plan_matches(places: Sequence[Place]) -> tuple[PlannedMatch, ...]:
    waiting = [place for place in places if place.state in UNDECIDED]
    number = {place.key: at for at, place in enumerate(waiting)}
    last: dict[EntrantId, int] = {}
    before = _map_rounds_before(waiting)
    found: list[PlannedMatch] = []
    for at, place in enumerate(waiting):
        seats = (place.a, place.b)
        keys = [seat.key for seat in seats if seat.key is not None and seat.key in number]
        if any(seat.origin is From.NOBODY for seat in seats):
            chance = 0.0  # a bye
        elif len(keys) > len(set(keys)):
            chance = 0.5  # the second final is played if the first did not decide
        else:
            chance = 1.0
        after = {number[key] for key in keys}
        if place.a.origin is From.PAIRED:
            # A player plays one match at a time, and sequential rounds wait for the one before.
            after |= {last[one] for one in place.entrants if one in last}
            after |= before[place.bracket, place.round] if place.state is State.WAITING else set()
            last.update(dict.fromkeys(place.entrants, at))
        found.append(PlannedMatch(place, tuple(sorted(after)), chance))
    return tuple(found)


def _map_rounds_before(waiting: Sequence[Place]) -> dict[tuple[str, int], set[int]]:
    """Map each round of a bracket to the indexes of the open places in the round before it."""
    rounds: dict[tuple[str, int], set[int]] = defaultdict(set)
    for number, place in enumerate(waiting):
        rounds[place.bracket, place.round].add(number)
    found: dict[tuple[str, int], set[int]] = {}
    last: dict[str, set[int]] = {}
    for bracket, number in sorted(rounds):
        found[bracket, number] = last.get(bracket, set())
        last[bracket] = rounds[bracket, number]
    return found


def simulate_day(plan: Sequence[PlannedMatch], room: Room, now: datetime, rng: RandomStream) -> datetime:
    floor = SimulatedTables(room, now)
    left = [len(step.after) for step in plan]
    then: dict[int, list[int]] = defaultdict(list)
    for at, step in enumerate(plan):
        for other in step.after:
            then[other].append(at)
    ready = [now] * len(plan)
    # Running matches get their tables first.
    queue = [(now, step.place.key not in room.started, at) for at, step in enumerate(plan) if not step.after]
    queue.sort()
    end = now
    while queue:
        begins, _, at = heappop(queue)
        step = plan[at]
        word = rng.word()
        over = begins
        if word % 1000 < 1000 * step.chance:
            began = room.started.get(step.place.key)
            over = floor.play(begins, draw_duration(step.place.rules, room, rng.word()), began)
            end = max(end, over)
            over = floor.next_ready(over)
        for other in then[at]:
            left[other] -= 1
            ready[other] = max(ready[other], over)
            if not left[other]:
                heappush(queue, (ready[other], True, other))
    return end
