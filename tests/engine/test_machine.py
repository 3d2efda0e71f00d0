"""Hypothesis plays whole matches, well and badly, and looks at every moment of them."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import Phase as Phase_
from hypothesis import strategies as some
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from engine.actions import (
    Action,
    Beavered,
    Doubled,
    Dropped,
    Opened,
    Penalised,
    Played,
    ResignAccepted,
    ResignDeclined,
    ResignOffered,
    Rolled,
    TakenBack,
    Took,
    VoidedGame,
    from_json,
    to_json,
)
from engine.board import HYPERGAMMON, NACKGAMMON, Step
from engine.dice import ROLLS, Dice
from engine.errors import IllegalAction
from engine.game import Phase, Termination
from engine.match import Crawford, Match, apply, replay
from engine.plays import legal_plays
from engine.record import Record
from engine.rules import Rules
from engine.side import BySide, Side

RULES = [
    Rules(length=1),
    Rules(length=3),
    Rules(length=5),
    Rules(length=7, crawford=False),
    Rules(length=5, gammons=False, backgammons=False),
    Rules(length=5, start=NACKGAMMON),
    Rules(length=5, start=HYPERGAMMON),
    Rules.unlimited(jacoby=True, beavers=True, automatic_doubles=2),
]
sides, rolls = some.sampled_from(Side), some.sampled_from(ROLLS)


class WholeMatch(RuleBasedStateMachine):
    """Plays what is allowed, tries what is not, and takes things back."""

    def __init__(self) -> None:
        super().__init__()
        self.match = Match.start(RULES[0])
        self.facts: list[Action] = []
        self.crawford_games = 0

    @initialize(rules=some.sampled_from(RULES))
    def begin(self, rules: Rules) -> None:
        self.match = Match.start(rules)

    def act(self, action: Action) -> None:
        self.match = apply(self.match, action)
        self.facts.append(action)

    def waits_for(*phases: Phase) -> object:  # type: ignore[misc]
        return precondition(lambda self: not self.match.is_over and self.match.game.phase in phases)

    @property
    def turn(self) -> Side:
        assert self.match.game.turn is not None
        return self.match.game.turn

    @waits_for(Phase.OPENING)
    @rule(white=some.integers(1, 6), black=some.integers(1, 6))
    def open(self, white: int, black: int) -> None:
        self.act(Opened(white, black))

    @waits_for(Phase.TO_ROLL)
    @rule(dice=rolls)
    def roll(self, dice: Dice) -> None:
        self.act(Rolled(self.turn, dice))

    @waits_for(Phase.OPENING, Phase.TO_ROLL, Phase.TO_PLAY)
    @rule(seed=some.integers(0, 1 << 30), plies=some.integers(1, 120))
    def play_on(self, seed: int, plies: int) -> None:
        """Many turns at once, since a game is long: half of them as fast home as can be."""
        rng = random.Random(seed)
        for _ in range(plies):
            game = self.match.game
            if self.match.is_over or game.phase not in (Phase.OPENING, Phase.TO_ROLL, Phase.TO_PLAY):
                return
            if game.phase is Phase.OPENING:
                self.act(Opened(rng.randint(1, 6), rng.randint(1, 6)))
            elif game.phase is Phase.TO_ROLL:
                self.act(Rolled(self.turn, rng.choice(ROLLS)))
            else:
                assert game.dice is not None
                plays = legal_plays(game.board, self.turn, game.dice)
                self.act(Played(self.turn, rng.choice(list(plays)).steps))
            self.checkers_are_never_lost()

    @waits_for(Phase.TO_PLAY)
    @rule(steps=some.lists(some.builds(Step, some.integers(1, 25), some.integers(0, 24)), max_size=4))
    def play_anything(self, steps: list[Step]) -> None:
        game = self.match.game
        assert game.dice is not None
        results = {play.board for play in legal_plays(game.board, self.turn, game.dice)}
        try:
            after = apply(self.match, Played(self.turn, tuple(steps)))
        except IllegalAction:
            return
        ended = len(after.results) > len(self.match.results) or after.game.board in results
        assert ended
        self.act(Played(self.turn, tuple(steps)))

    @waits_for(Phase.TO_ROLL)
    @rule()
    def double(self) -> None:
        if self.match.game.why_no_double is None:
            self.act(Doubled(self.turn))

    @waits_for(Phase.DOUBLED)
    @rule(answer=some.sampled_from([Took, Took, Dropped, Beavered]))
    def answer(self, answer: type[Took] | type[Dropped] | type[Beavered]) -> None:
        asked = self.match.game.asked
        assert asked is not None
        if answer is not Beavered or (self.match.rules.beavers and self.match.game.offer < 1 << 16):
            self.act(answer(asked))

    @waits_for(Phase.TO_ROLL, Phase.TO_PLAY, Phase.DOUBLED)
    @rule(side=sides, level=some.integers(1, 3))
    def resign(self, side: Side, level: int) -> None:
        if level <= self.match.rules.worst:
            self.act(ResignOffered(side, level))

    @waits_for(Phase.RESIGNING)
    @rule(accepted=some.booleans())
    def answer_resignation(self, accepted: bool) -> None:
        actor = self.match.game.actor
        assert actor is not None
        self.act(ResignAccepted(actor) if accepted else ResignDeclined(actor))

    @precondition(lambda self: not self.match.is_over)
    @rule(side=sides)
    def penalise(self, side: Side) -> None:
        self.act(Penalised(side, 1))

    @precondition(lambda self: not self.match.is_over)
    @rule()
    def void_game(self) -> None:
        self.act(VoidedGame("again"))

    @rule(back=some.integers(0, 60))
    def take_back(self, back: int) -> None:
        to = max(0, self.match.facts - back)
        before = replay(self.match.rules, self.facts[:to])
        self.act(TakenBack(to))
        assert (self.match.game, self.match.score, self.match.results) == (
            before.game,
            before.score,
            before.results,
        )

    @rule(
        action=some.sampled_from(
            [Opened(2, 1), Took(Side.WHITE), Dropped(Side.BLACK), Rolled(Side.WHITE, ROLLS[3])]
        )
    )
    def try_something(self, action: Action) -> None:
        before = self.match
        try:
            self.act(action)
        except IllegalAction:
            assert self.match is before

    @invariant()
    def checkers_are_never_lost(self) -> None:
        board, each = self.match.game.board, self.match.rules.start.checkers
        for side in Side:
            assert sum(board.points(side)) == each  # R01
        white, black = board.points(Side.WHITE), board.points(Side.BLACK)
        assert not any(white[point] and black[25 - point] for point in range(1, 25))  # R07

    @invariant()
    def the_score_is_what_was_won(self) -> None:
        length = self.match.rules.length
        if length:
            assert self.match.is_over == (max(self.match.score) >= length)
            assert min(self.match.score) < length
        assert all(result.points == result.cube * result.kind for result in self.match.results)
        assert all(result.kind == 1 for result in self.match.results if result.how is Termination.DROP)

    @invariant()
    def the_cube_keeps_its_place(self) -> None:
        game = self.match.game
        if game.crawford or not self.match.rules.has_cube:
            assert (game.cube.value, game.cube.owner) == (1, None)  # R51, R53
        assert sum(result.crawford for result in self.match.results) <= 1
        if game.crawford and not self.match.is_over:
            assert self.match.crawford is Crawford.NOW
            assert min(self.match.away) == 1 < max(self.match.away) or game.phase is not Phase.OPENING

    def teardown(self) -> None:
        replayed = replay(self.match.rules, (from_json(to_json(fact)) for fact in self.facts))
        assert replayed == self.match
        record = Record(BySide("Ann", "Ben"), self.match.rules, tuple(self.facts))
        assert record.replay() == self.match
        assert len(record.digest()) == 64
        told = [chapter.result for chapter in record.chapters() if chapter.result]
        assert tuple(told) == self.match.results


def play(examples: int, steps: int) -> None:
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        WholeMatch,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            phases=[Phase_.explicit, Phase_.reuse, Phase_.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_a_few_matches() -> None:
    play(12, 25)


@pytest.mark.slow
def test_many_matches() -> None:
    play(120, 60)
