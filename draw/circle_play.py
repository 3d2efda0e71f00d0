"""Simulation of the open matches of a round robin, with ties broken only where needed.

Proposing and deciding each match would take milliseconds a run. Here everything that does not depend on the open matches
is computed once: each player's points, and the turn that a win or a loss of each match adds to their card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import Final, TypeAlias

from draw import playoff_matches, rounds
from draw.event import WIN, EntrantId, Kind, Pairing, Ranked, Result, get_match_rules
from draw.format import Decide, Finishes, Odds
from draw.league import League
from draw.random_stream import CERTAIN, OutcomeWalk, RandomStream
from draw.schedule import Match
from draw.standings.cards import Card, Table, Turn
from draw.standings.ranking import find_leaders, rank_players

# Up to this many open matches (4,096 outcomes), the ranking of each outcome is cached.
FEW_ENOUGH_TO_REMEMBER: Final = 12
# Cost in units of one decided match: a tie-break reads each turn, a play-off is laid out twice.
WORK_A_TURN: Final = 10
WORK_A_PLAYOFF: Final = 1_000

# For each open match, whether the first of the two wins.
Outcome = tuple[bool, ...]
# Two players, the index of the round on their cards, and their turns if the first or the second wins.
OpenTurns: TypeAlias = "tuple[int, int, int, tuple[Turn, Turn], tuple[Turn, Turn]]"
# The combined order of several circles, and the overall winners among their leaders.
Overall: TypeAlias = "Callable[[Sequence[Sequence[Ranked]], Sequence[Outcome]], Sequence[Ranked]]"
Best: TypeAlias = "Callable[[Sequence[Sequence[EntrantId]], Sequence[Outcome]], Sequence[EntrantId]]"


class OpenCircle:
    """A circle with its decided matches summed up, ready for many outcomes of the open ones."""

    def __init__(self, league: League, odds: Odds) -> None:
        self.league, self.odds, self.ties = league, odds, league.ties
        self.players = [one.id for one in league.entrants]
        self.open = [match for match in league.matches if match.pairing.result is None]
        self.chances = [self._compute_chance(match) for match in self.open]
        self.number = {one: at for at, one in enumerate(self.players)}
        self.pairs = [(self.number[a], self.number[b]) for a, b in (match.players for match in self.open)]
        # The same circle twice: the first, or the second player wins every open match.
        first, second = (self._build_table(side) for side in (0, 1))
        self._cards = first.cards
        self._lots = first.lots
        self._turns = list(self._list_open_turns(first, second))
        # A score set from outside does not change.
        counted = [one not in league.field.scores for one in self.players]
        wins = Counter(a for a, _ in self.pairs)
        points = [first.points[one] - wins[at] * counted[at] for at, one in enumerate(self.players)]
        self._worth = [first.worth[one] - wins[at] for at, one in enumerate(self.players)]
        self.scale = lcm(*(each.denominator for each in points))
        self._points = [int(each * self.scale) for each in points]
        self._win = [self.scale * each for each in counted]
        self._is_remembered = len(self.open) <= FEW_ENOUGH_TO_REMEMBER and "play-off" not in self.ties
        # Work besides deciding the open matches: tables, tie-breaks and play-offs.
        self.work = 0
        self._rankings: dict[Outcome, tuple[Ranked, ...]] = {}
        self._leaders: dict[Outcome, tuple[EntrantId, ...]] = {}

    def _compute_chance(self, match: Match) -> float:
        a, b = match.players
        rules = get_match_rules(self.league.field.stage, self.league.group, match.round, self.league.last)
        return self.odds(a, b, rules.length)

    def _build_table(self, side: int) -> Table:
        matches = tuple(
            match if match.pairing.result is not None else _decide_match(match, match.players[side])
            for match in self.league.matches
        )
        history = self.league.history_of(matches)
        return rounds.build_table(history, self.ties, self.league.rng, is_round_robin=True)

    def _list_open_turns(self, first: Table, second: Table) -> Iterator[OpenTurns]:
        """Yield the players of each open match, its index on their cards, and the turns of either result."""
        columns = dict.fromkeys(match.round for match in self.league.matches)
        column = {made: at for at, made in enumerate(columns)}
        for match, (a, b) in zip(self.open, self.pairs, strict=True):
            at = column[match.round]
            won = first.cards[a].turns[at], first.cards[b].turns[at]
            lost = second.cards[a].turns[at], second.cards[b].turns[at]
            yield a, b, at, won, lost

    def outcome(self, decide: Decide) -> Outcome:
        return tuple([decide(chance) for chance in self.chances])

    def leaders(self, outcome: Outcome, decide: Decide) -> tuple[EntrantId, ...]:
        """Return the players in first place; several if nothing separates them."""
        found = self._leaders.get(outcome)
        if found is None:
            found = self._find_leaders(outcome, decide)
            if self._is_remembered:
                self._leaders[outcome] = found
        return found

    def ranking(self, outcome: Outcome, decide: Decide) -> tuple[Ranked, ...]:
        found = self._rankings.get(outcome)
        if found is None:
            order = rank_players(self.table(outcome), self.ties)
            found = self._apply_playoffs(rounds.rank_last(order, self.league.cancelled), decide)
            if self._is_remembered:
                self._rankings[outcome] = found
        return found

    def points(self, outcome: Outcome) -> list[int]:
        """Return all players' points, multiplied by `scale` to be integers."""
        points = self._points.copy()
        win = self._win
        for is_first, (a, b) in zip(outcome, self.pairs, strict=True):
            if is_first:
                points[a] += win[a]
            else:
                points[b] += win[b]
        return points

    def _find_leaders(self, outcome: Outcome, decide: Decide) -> tuple[EntrantId, ...]:
        points, ties = self.points(outcome), self.ties
        cancelled = self.league.cancelled
        tied = [at for at, one in enumerate(self.players) if one not in cancelled] or list(range(len(points)))
        if ties[:1] == ("points",):
            best = max(points[at] for at in tied)
            tied = [at for at in tied if points[at] == best]
            ties = ties[1:]
            if len(tied) == 1:
                return (self.players[tied[0]],)
        self.work += WORK_A_TURN * len(tied) * len(self._cards[0].turns)
        first = find_leaders(self.table(outcome), ties, [self.players[at] for at in tied])
        order = [Ranked(one, 1, len(first)) for one in first]
        return tuple(one.entrant for one in self._apply_playoffs(order, decide) if one.rank == 1)

    def table(self, outcome: Outcome) -> Table:
        points = self.points(outcome)
        self.work += sum(len(card.turns) for card in self._cards)
        rows = [list(card.turns) for card in self._cards]
        worth = self._worth.copy()
        for is_first, (a, b, at, won, lost) in zip(outcome, self._turns, strict=True):
            rows[a][at], rows[b][at] = won if is_first else lost
            worth[a if is_first else b] += WIN
        cards = tuple(
            Card(card.player, tuple(row), card.rating, card.start)
            for card, row in zip(self._cards, rows, strict=True)
        )
        scores = [Fraction(each, self.scale) for each in points]
        return Table.summed_up(
            cards,
            points=dict(zip(self.players, scores, strict=True)),
            worth=dict(zip(self.players, worth, strict=True)),
            lots=self._lots,
        )

    def _apply_playoffs(self, order: Sequence[Ranked], decide: Decide) -> tuple[Ranked, ...]:
        """Return the order after play-offs for shared places that count (P89)."""
        tied = (
            playoff_matches.find_tied_ranks(self.league.field, order)
            if "play-off" in self.ties
            else frozenset[int]()
        )
        if not tied:
            return tuple(order)
        self.work += WORK_A_PLAYOFF
        made = self._build_playoffs(order, tied, self.league.extra)
        played = [self._decide_by_chance(match, decide).pairing for match in made.matches]
        return self._build_playoffs(order, tied, played).ranking

    def _build_playoffs(
        self, order: Sequence[Ranked], tied: frozenset[int], extra: Sequence[Pairing]
    ) -> playoff_matches.Playoffs:
        league = self.league
        return playoff_matches.Playoffs.build(
            league.field, league.entrants, order, tied, extra, league.rng, league.prefix
        )

    def _decide_by_chance(self, match: Match, decide: Decide) -> Match:
        if match.pairing.result is not None:
            return match
        return _decide_match(match, match.players[0 if decide(self._compute_chance(match)) else 1])


class CirclePlayout:
    def __init__(
        self,
        circles: Sequence[OpenCircle],
        *,
        overall: Overall,
        best: Best,
    ) -> None:
        self.circles, self._overall, self._best = circles, overall, best
        self.open = sum(len(circle.open) for circle in circles)
        self._decided = 0

    @property
    def work(self) -> int:
        return self._decided + sum(circle.work for circle in self.circles)

    def finishes(self, rng: RandomStream, runs: int) -> Finishes:
        ranks: dict[EntrantId, dict[int, int]] = {}
        for outcomes, decide in self._simulate_runs(rng, runs):
            rankings = [
                circle.ranking(outcome, decide)
                for circle, outcome in zip(self.circles, outcomes, strict=True)
            ]
            for ranked in self._overall(rankings, outcomes):
                row = ranks.setdefault(ranked.entrant, {})
                row[ranked.rank] = row.get(ranked.rank, 0) + 1
        left = Counter(one for circle in self.circles for match in circle.open for one in match.players)
        return Finishes(runs, ranks, {one: left[one] * runs for one in ranks})

    def winners(self, rng: RandomStream, runs: int) -> Mapping[EntrantId, int]:
        found: Counter[EntrantId] = Counter()
        for outcomes, decide in self._simulate_runs(rng, runs):
            found.update(self._find_winners(outcomes, decide))
        return found

    def every_winner(self) -> Mapping[EntrantId, float]:
        found: dict[EntrantId, float] = {}
        for way in OutcomeWalk():
            outcomes = [circle.outcome(way.decide) for circle in self.circles]
            for one in self._find_winners(outcomes, way.decide):
                found[one] = found.get(one, 0.0) + way.weight
        return found

    def _find_winners(self, outcomes: Sequence[Outcome], decide: Decide) -> Sequence[EntrantId]:
        firsts = [
            circle.leaders(outcome, decide) for circle, outcome in zip(self.circles, outcomes, strict=True)
        ]
        return self._best(firsts, outcomes)

    def _simulate_runs(self, rng: RandomStream, runs: int) -> Iterator[tuple[list[Outcome], Decide]]:
        """Yield random outcomes, each with a function that decides further matches (play-offs)."""
        below = [[int(chance * CERTAIN) for chance in circle.chances] for circle in self.circles]
        decide = rng.child("more").toss
        self._decided += runs * self.open
        for words in rng.words_of_runs(runs, self.open):
            drawn = iter(words)
            yield [tuple([next(drawn) < each for each in row]) for row in below], decide


def _decide_match(match: Match, winner: EntrantId) -> Match:
    return replace(match, pairing=replace(match.pairing, result=Result(Kind.PLAYED, winner)))
