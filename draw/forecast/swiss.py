"""Fast simulation of a Swiss or lives event: neighbours by score, by lot, avoiding rematches (P116).

The real pairing considers far more, but other pairings among equals hardly change the duration or the winner.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from draw import lives, new_round, ordering, rounds, stages
from draw.event import WIN, EntrantId, Field, Points, get_match_rules
from draw.forecast.room import Room, SimulatedTables, draw_duration
from draw.forecast.run_statistics import Tally
from draw.format import Odds
from draw.history import History
from draw.random_stream import RandomStream

LOOK_AHEAD = 12


@dataclass(frozen=True)
class SimulationStart:
    field: Field
    lives: int  # 0: a Swiss
    until: int
    number: int  # of the next round, without counting those of play-offs
    planned: int
    level: Mapping[EntrantId, int]
    win: int  # what a win adds to the level
    losses: Mapping[EntrantId, int]
    met: Mapping[EntrantId, frozenset[EntrantId]]
    byes: frozenset[EntrantId]

    @classmethod
    def read(cls, field: Field) -> SimulationStart:
        history = History(field, new_round.FORFEITS_COUNT.get(field.options))
        stay = [one.id for one in history.staying]
        is_lives = stages.get_format(field.stage).counts_in == "lives"
        # The level of a win is scaled with the scores, so that half points stay whole numbers.
        mark = EntrantId("")
        start = ordering.compute_mcmahon(field)
        scores: dict[EntrantId, Points] = {one: history.scores[one] + start[one] for one in stay}
        level = ordering.scale_scores(scores | {mark: WIN})
        planned = rounds.ROUNDS.get(field.options)
        number = history.count_round(history.next_number)
        return cls(
            field,
            lives.LIVES.get(field.options) if is_lives else 0,
            max(lives.UNTIL.get(field.options), lives.BRACKET.get(field.options) // 2),
            number,
            planned,
            {one: level[one] for one in stay},
            level[mark],
            {one: history.losses[one] for one in stay},
            {one: frozenset(history.met[one]) for one in stay},
            frozenset(one for one in stay if history.byes[one]),
        )


class SimulatedRun:
    def __init__(
        self, outlook: SimulationStart, room: Room, now: datetime, rng: RandomStream, odds: Odds
    ) -> None:
        self.outlook, self.room, self.rng, self.odds = outlook, room, rng, odds
        self.floor, self.clock = SimulatedTables(room, now), now
        self.level = dict(outlook.level)
        self.losses = dict(outlook.losses)
        self.met = {one: set(others) for one, others in outlook.met.items()}
        self.byes = set(outlook.byes)
        self.number = outlook.number

    def play(self, tally: Tally) -> None:
        while not self.is_over():
            self.play_round(tally)
            self.number += 1
        for rank, one in self.finish():
            tally.finished(one, rank)
        tally.ends.append(self.clock)

    def alive(self) -> list[EntrantId]:
        lives_left = self.outlook.lives
        return [one for one in self.level if not lives_left or self.losses[one] < lives_left]

    def is_over(self) -> bool:
        outlook = self.outlook
        if outlook.planned and self.number > outlook.planned:
            return True
        return len(self.alive()) <= (outlook.until if outlook.lives else 1)

    def play_round(self, tally: Tally) -> None:
        outlook = self.outlook
        rules = get_match_rules(outlook.field.stage, "", self.number, outlook.planned)
        over = self.clock
        for one, other in self.pairs():
            has_won = self.rng.toss(self.odds(one, other, rules.length))
            winner, loser = (one, other) if has_won else (other, one)
            self.level[winner] += outlook.win
            self.losses[loser] += 1
            self.met[one].add(other)
            self.met[other].add(one)
            tally.played((one, other))
            over = max(over, self.floor.play(self.clock, draw_duration(rules, self.room, self.rng.word())))
        self.clock = over if self.is_over() else self.floor.next_ready(over)

    def pairs(self) -> list[tuple[EntrantId, EntrantId]]:
        """Pair neighbours. Of an odd number, the last player without a bye sits out."""
        has_lives = bool(self.outlook.lives)
        key = {one: -self.losses[one] if has_lives else self.level[one] for one in self.level}
        lots = {one: self.rng.word() for one in self.alive()}
        order = sorted(lots, key=lambda one: (-key[one], lots[one]))
        if len(order) % 2:
            out = next((one for one in reversed(order) if one not in self.byes), order[-1])
            order.remove(out)
            self.byes.add(out)
            self.level[out] += self.outlook.win
        found: list[tuple[EntrantId, EntrantId]] = []
        while order:
            one = order.pop(0)
            fresh = (other for other in order[:LOOK_AHEAD] if other not in self.met[one])
            other = next(fresh, order[0])
            order.remove(other)
            found.append((one, other))
        return found

    def finish(self) -> list[tuple[int, EntrantId]]:
        """Rank by score, then by the opponents' scores; with lives, surviving players come first."""
        left = set(self.alive()) if self.outlook.lives else set[EntrantId]()
        key = {
            one: (one in left, self.level[one], sum(self.level.get(other, 0) for other in self.met[one]))
            for one in self.level
        }
        order = sorted(key, key=lambda one: key[one], reverse=True)
        found: list[tuple[int, EntrantId]] = []
        for place, one in enumerate(order, 1):
            is_shared = found and key[found[-1][1]] == key[one]
            found.append((found[-1][0] if is_shared else place, one))
        return found
