"""Matches of the bots, with a score that is counted without the engine.

The engine gives the permitted actions and the bot chooses. Winner, points and rolls are counted here on plain
lists.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from engine import actions
from engine.board import HYPERGAMMON, NACKGAMMON
from engine.dice import Dice
from engine.game import Phase
from engine.match import Match, apply
from engine.plays import legal_plays
from engine.record import Record
from engine.rules import Rules
from engine.side import BLACK, WHITE, BySide, Side
from matches import brain
from matches.state import commands
from tests.engine.slow_plays import State, after

KINDS = ("single", "gammon", "backgammon")


class Bout(NamedTuple):
    """The rules of a match, and how often a play is random, or a resignation or a double offered."""

    rules: Rules
    games: int = 0  # of unlimited play
    wild: float = 0.0
    resigns: float = 0.0
    doubles: float = 0.0


BOUTS = {
    "one-point": Bout(Rules(length=1)),
    "three-points": Bout(Rules(length=3), wild=0.2, doubles=0.02),
    "five-points": Bout(Rules(length=5), wild=0.1, resigns=0.02, doubles=0.05),
    "seven-points": Bout(Rules(length=7), wild=0.2, resigns=0.005, doubles=0.02),
    "nine-points": Bout(Rules(length=9), wild=0.4, doubles=0.01),
    "no-crawford": Bout(Rules(length=3, crawford=False), wild=0.2, doubles=0.02),
    "no-cube": Bout(Rules(length=3, cube=False), wild=0.5),
    "nackgammon": Bout(Rules(length=2, start=NACKGAMMON), wild=0.3, doubles=0.02),
    "hypergammon": Bout(Rules(length=5, start=HYPERGAMMON), wild=0.2, doubles=0.1),
    "unlimited": Bout(Rules.unlimited(jacoby=False), games=3, wild=0.3, doubles=0.02),
}


class Note(NamedTuple):
    """One action, with the board as its player saw it."""

    side: Side
    word: str  # roll, double, take, drop, resign
    state: State
    dice: tuple[int, int] = (0, 0)
    steps: tuple[tuple[int, int], ...] = ()
    cube: int = 1  # before it


@dataclass
class GameNotes:
    start: tuple[int, int]
    crawford: bool
    notes: list[Note] = field(default_factory=list)
    winner: int = -1
    points: int = 0
    kind: str = ""
    how: str = ""
    cube: int = 1

    @property
    def rolls(self) -> int:
        return sum(note.word == "roll" for note in self.notes)


class Scorer:
    """A person beside the board, with a pencil."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.score = [0, 0]
        self.games: list[GameNotes] = []
        # The Crawford game is one without the cube: where there is none anyway, no game is called so.
        self.crawford_is_over = not rules.crawford or not rules.cube
        self.over = True

    def note(self, action: actions.Action) -> None:
        """Take down one fact."""
        if self.over:
            self._begin()
        match action:
            case actions.Opened(white, black):
                self.dice = (max(white, black), min(white, black))
            case actions.Rolled(_, dice):
                self.dice = (dice.high, dice.low)
            case actions.Played(side, steps):
                self._play(side, tuple((step.source, step.target) for step in steps))
            case actions.ResignOffered(side, level):
                self.resigned = side, level
            case actions.ResignAccepted():
                self._resign(*self.resigned)
            case actions.ResignDeclined():
                pass
            case other:
                self._cube(other)

    def _cube(self, action: actions.Action) -> None:
        match action:
            case actions.Doubled(side):
                self._write(side, "double")
            case actions.Took(side):
                self._write(side, "take")
                self.cube *= 2
            case actions.Dropped(side):
                self._write(side, "drop")
                self._end(side.other, 1, "drop")
            case other:
                raise AssertionError(other)

    def _resign(self, side: Side, level: int) -> None:
        if self.dice != (0, 0):
            self._write(side, "left", self.dice)
        self._write(side, "resign")
        self._end(side.other, level, "resign")

    def _begin(self) -> None:
        length = self.rules.length
        now = length > 1 and length - 1 in self.score and not self.crawford_is_over
        self.crawford_is_over = self.crawford_is_over or now
        self.games.append(GameNotes((self.score[0], self.score[1]), now))
        start = self.rules.start
        self.checkers = [start.points(WHITE), start.points(BLACK)]
        self.cube, self.over, self.dice = 1, False, (0, 0)

    def _state(self, side: Side) -> State:
        return self.checkers[side], self.checkers[side.other]

    def _write(
        self, side: Side, word: str, dice: tuple[int, int] = (0, 0), steps: tuple[tuple[int, int], ...] = ()
    ) -> None:
        self.games[-1].notes.append(Note(side, word, self._state(side), dice, steps, self.cube))

    def _play(self, side: Side, steps: tuple[tuple[int, int], ...]) -> None:
        self._write(side, "roll", self.dice, steps)
        self.dice = (0, 0)
        state = self._state(side)
        for source, target in steps:
            state = after(state, source, target)
        self.checkers[side], self.checkers[side.other] = state
        if not any(state[0][1:]):
            self._end(side, self._level(state[1]), "bearoff")

    def _level(self, loser: Sequence[int]) -> int:
        if loser[0]:
            return 1
        return 3 if any(loser[19:]) else 2

    def _end(self, winner: Side, level: int, how: str) -> None:
        game = self.games[-1]
        game.winner, game.kind, game.how, game.cube = int(winner), KINDS[level - 1], how, self.cube
        # Jacoby: without a cube that was turned a gammon of unlimited play is a single game.
        game.points = self.cube * (1 if self.rules.jacoby and self.cube == 1 else level)
        self.score[winner] += game.points
        self.over = True


class Played(NamedTuple):
    """A match for the files, and the pencil's account of it."""

    record: Record
    scorer: Scorer


def play(bout: Bout, seed: str, names: BySide[str]) -> Played:
    """Return a whole match of two bots, the same for the same seed."""
    rng = random.Random(seed)
    state, scorer = Match.start(bout.rules), Scorer(bout.rules)
    facts: list[actions.Action] = []
    while not state.is_over and not (bout.games and scorer.over and len(scorer.games) == bout.games):
        for action in _next(state, bout, rng):
            state = apply(state, action)
            scorer.note(action)
            facts.append(action)
    return Played(Record(names, bout.rules, tuple(facts)), scorer)


def _next(state: Match, bout: Bout, rng: random.Random) -> Iterator[actions.Action]:
    game = state.game
    if game.phase is Phase.OPENING:
        yield actions.Opened(*rng.sample(range(1, 7), 2))
        return
    side = game.actor
    assert side is not None
    if game.phase is Phase.TO_ROLL and rng.random() < bout.resigns:
        yield actions.ResignOffered(side, rng.randint(1, state.rules.worst))
        return
    wants = game.phase is Phase.TO_ROLL and game.cube.value < 4 and rng.random() < bout.doubles
    if wants and game.why_no_double is None:
        yield actions.Doubled(side)
        return
    if game.phase is Phase.TO_PLAY and rng.random() < bout.wild:
        assert game.dice is not None
        yield actions.Played(side, rng.choice(list(legal_plays(game.board, side, game.dice))).steps)
        return
    yield _fact(brain.decide(state, side), side, rng)


def _fact(command: commands.Command | None, side: Side, rng: random.Random) -> actions.Action:
    match command:
        case commands.Roll():
            return actions.Rolled(side, Dice.from_numbers(rng.randint(1, 6), rng.randint(1, 6)))
        case commands.Move(steps):
            return actions.Played(side, steps)
        case commands.Double():
            return actions.Doubled(side)
        case commands.Take():
            return actions.Took(side)
        case commands.Drop():
            return actions.Dropped(side)
        case commands.AcceptResignation():
            return actions.ResignAccepted(side)
        case commands.DeclineResignation():
            return actions.ResignDeclined(side)
        case other:
            raise AssertionError(other)
