"""Matches under any rules, played through the services with all acts of players, a director and the watch.

At the end of each match the referee accepts every file that can be downloaded, with notes at most, and reads
from it the same match: score, winner, and every fact that the format can express.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import count, islice

import pytest
from django.db import transaction

from engine.board import Board
from engine.cube import Cube
from engine.dice import ROLLS
from engine.game import Phase
from engine.plays import legal_plays
from engine.side import BySide, Side
from matches.journal import journal
from matches.journal.journal import RequestIdentity
from matches.play import deadlines, directing
from matches.state import commands, rulings, terms
from matches.state.commands import Command
from matches.state.errors import MatchError
from matches.state.rulings import Ruling
from matches.state.terms import FlagRule
from players.clubs import clubs
from players.models import Player, User
from tests.engine import anyplay
from tests.machines import in_batches
from tests.matches import files
from tests.matches.support import PRESETS, Table, person

NOW = datetime(2026, 3, 5, 19, 0, tzinfo=UTC)
# Positions from which a game is soon won, or soon lost as a gammon.
NEAR_ITS_END = Board.from_counts({6: 3, 4: 2, 2: 2, 1: 1}, {6: 2, 5: 2, 3: 2, 1: 2})
CLOSING = Board.from_counts({3: 2, 2: 2, 1: 2, 18: 1}, {25: 1, 21: 1, 8: 5, 6: 5, 4: 3})
REASONS = ("as seen", "a (long) story: 31: wins 3 points ]", "Überzogen; so ist es", "x" * 300)


class Evening:
    """One match between two people, its director, and the watch."""

    def __init__(self, seed: int, people: tuple[Player, Player], director: User) -> None:
        self.rng = random.Random(seed)
        self.director = director
        self.number = 0
        rules = anyplay.rules(self.rng, (*anyplay.STARTS, *(NEAR_ITS_END, CLOSING) * 3))
        is_timed = self.rng.random() < 0.6
        control = PRESETS["club"].control(max(1, rules.length)) if is_timed else None
        cost = self.rng.choice((None, None, 1, 2)) if control else None
        agreed = terms.build_terms(rules, control, flag=FlagRule(cost, 60_000 if cost else 0))
        club = clubs.create(owner=director, name="Here", now=NOW)
        chained = self.rng.choice(((), (), (), tuple(Side)))
        self.table = Table(NOW, agreed=agreed, chained=chained, players=people, seed=seed, club=club)
        # Some evenings are quiet.
        self.unrest = self.rng.choice((0.0, 0.02, 0.06))

    @property
    def is_over(self) -> bool:
        return self.table.state.match.is_over

    def attempt(self, act: Callable[[], object]) -> None:
        """Do something, whether it is allowed or not."""
        with suppress(MatchError), transaction.atomic():
            act()

    def play(self, most: int) -> None:
        for _ in range(most):
            if self.is_over and self.rng.random() < 0.9:
                break
            chance = self.rng.random()
            if chance < self.unrest or self.is_over:
                self.attempt(self.rule)
            elif chance < 2 * self.unrest:
                self.attempt(self.say)
            elif chance < 2.1 * self.unrest:
                self.run_out_of_time()
            else:
                self.table.wait(seconds=1)
                self.attempt(self.table.act)
        if not self.is_over:
            self.end()

    def say(self) -> None:
        """What a player may say at any time, if it is allowed."""
        words: list[Command] = [
            commands.OfferResignation(self.rng.randint(1, 3)),
            commands.OfferResignation(1),
            commands.AcceptResignation(),
            commands.Double(),
            commands.Beaver(),
            commands.Take(),
            commands.Drop(),
            commands.ClaimFlag(),
        ]
        if self.rng.random() < 0.05:
            words = [commands.Concede()]
        self.table.give(self.rng.choice(list(Side)), self.rng.choice(words))

    def run_out_of_time(self) -> None:
        due = self.table.row.deadline_at
        if due is not None:
            self.table.now = due + timedelta(seconds=3)
            deadlines.sweep(self.table.now)

    def end(self) -> None:
        """A person has to go home."""
        side = self.rng.choice(list(Side))
        if self.rng.random() < 0.4:
            self.run_out_of_time()
        if not self.is_over and self.rng.random() < 0.4:
            self.attempt(lambda: self.table.give(side, commands.Concede()))
        if not self.is_over:
            self.decide(self.rng.choice((rulings.RuleMatch(side), rulings.VoidMatch())))

    # -- the director

    def rule(self) -> None:
        side, match = self.rng.choice(list(Side)), self.table.state.match
        length = match.rules.length or 9
        score = BySide(self.rng.randint(0, length), self.rng.randint(0, length))
        some: list[Ruling] = [
            rulings.Penalise(side, 1),
            rulings.Penalise(side, self.rng.randint(1, 3)),
            rulings.RuleGame(side, self.rng.randint(1, 4)),
            rulings.VoidGame(),
            rulings.SetScore(score.white, score.black, self.rng.choice((None, True, False))),
            rulings.TakeBack(to_start_of=rulings.Start.TURN),
            rulings.TakeBack(to_start_of=rulings.Start.GAME),
            rulings.TakeBack(max(0, self.table.row.head - self.rng.randint(1, 30))),
            rulings.CreditTime(side, 60_000),
            *(self.position() for _ in range(6)),
        ]
        if self.is_over or self.rng.random() < 0.1:
            some += [rulings.RuleMatch(side), rulings.VoidMatch()]
        self.decide(self.rng.choice(some))

    def position(self) -> Ruling:
        match = self.table.state.match
        game = match.game
        board = game.board
        if game.phase is Phase.TO_PLAY and game.turn is not None and game.dice is not None:
            board = self.rng.choice(list(legal_plays(board, game.turn, game.dice))).board
        cube = Cube(2, self.rng.choice(list(Side))) if match.rules.has_cube else Cube()
        dice = self.rng.choice((None, *ROLLS))
        return rulings.SetPosition(board, self.rng.choice(list(Side)), self.rng.choice((cube, Cube())), dice)

    def decide(self, ruling: Ruling) -> None:
        self.number += 1
        row = self.table.row
        directing.rule(
            match_id=row.pk,
            user=self.director,
            ruling=ruling,
            reason=self.rng.choice(REASONS),
            after=row.head,
            now=self.table.now,
            request=RequestIdentity("director", f"ruling-{self.number}", "x"),
        )


def cast() -> tuple[tuple[Player, Player], User]:
    return (person("Ann", NOW).player, person("Ben", NOW).player), person("Dora", NOW)


def run(people: tuple[Player, Player], director: User, seeds: Iterable[int], most: int) -> None:
    for seed in seeds:
        with transaction.atomic():
            evening = Evening(seed, people, director)
            evening.play(most)
            row = evening.table.row
            assert list(journal.find_problems(row)) == []
            files.tell_the_match(row)
            transaction.set_rollback(True)


@pytest.mark.long
@pytest.mark.django_db
def test_whatever_happens_every_file_tells_the_match() -> None:
    run(*cast(), range(8), 40)


@pytest.mark.slow
@pytest.mark.django_db
def test_whatever_happens_every_file_tells_the_match_for_minutes() -> None:
    people, seeds = cast(), count(100)
    in_batches(lambda examples: run(*people, islice(seeds, examples), 300), examples=150)
