"""The engine for live play, and the decisions of its bots: one shared process, started on demand and closed when idle.

A player waits for the answer, so the time limit is some seconds. After a failure the engine is not used for a
while; the game continues without it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final, TypeVar

import structlog
from django.utils import timezone

from engine.game import Phase
from engine.match import Match as EngineMatch
from engine.plays import legal_plays
from engine.side import Side
from matches.bots.minds import CLUB, NoAnswer
from matches.hooks import DecisionRequest
from matches.journal import positions_in_play
from matches.models import Match
from matches.state.commands import Command, Double, Drop, Move, Roll, Take
from opinion.analyses import availability
from opinion.judging import bot_decisions, engine_process
from opinion.judging.bot_decisions import LEVELS, Level
from opinion.judging.oracle import NoOracle, Oracle, OracleFailed
from opinion.judging.spots import Spot, Throw, explain_unsupported, to_numbers
from opinion.models import StandIn

log = structlog.get_logger(__name__)

Answer = TypeVar("Answer")

# Time limit. A play at 2 ply takes a sixth of a second, but more at the lowest priority on a busy machine.
SECONDS: Final = 4.0
TO_START: Final = 15.0
IDLE: Final = 300.0
REST: Final = 60.0
BY_NAME: Final = {level.name: level for level in LEVELS}


def open_engine() -> engine_process.EngineProcess:
    return engine_process.EngineProcess(seconds=SECONDS, to_start=TO_START)


class SharedEngine:
    """An engine that is started on demand; one question at a time."""

    def __init__(self, opening: Callable[[], Oracle], *, watch: Callable[[], float] = time.monotonic) -> None:
        self._opening, self._watch = opening, watch
        self._lock = threading.Lock()
        self._oracle: Oracle | None = None
        self._rests_until: float | None = None
        self._idle: threading.Timer | None = None

    def run_question(self, question: Callable[[Oracle], Answer]) -> Answer:
        """Put a question to the engine.

        :raises NoAnswer: it failed, now or recently.
        """
        with self._lock:
            if self._rests_until is not None and self._watch() < self._rests_until:
                raise NoAnswer("the engine failed a moment ago")
            try:
                if self._oracle is None:
                    self._oracle = self._opening()
                found = question(self._oracle)
            except Exception as problem:
                # Catch everything: a player waits for the bot, and the game goes on without the engine.
                if not isinstance(problem, NoOracle | OracleFailed):
                    log.exception("engine.failed")
                self._stop()
                self._rests_until = self._watch() + REST
                raise NoAnswer(str(problem)) from problem
            self._rests_until = None
            self._close_later()
            return found

    def close(self) -> None:
        """Stop the process; the next question starts a new one."""
        with self._lock:
            self._stop()

    def _stop(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        oracle, self._oracle = self._oracle, None
        if isinstance(oracle, engine_process.EngineProcess):
            oracle.close()

    def _close_later(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        self._idle = threading.Timer(IDLE, self.close)
        self._idle.daemon = True
        self._idle.start()


ENGINE: Final = SharedEngine(open_engine)


def decide(name: str, thought: DecisionRequest) -> Command | None:
    """Return the command of the bot of level *name*; the built-in bot makes unsupported decisions.

    The built-in bot also decides in positions that occur in a match between people, because the engine must
    not reveal anything about them (ADR 73).

    :raises NoAnswer: no engine, or no answer; recorded as a `StandIn`.
    """
    if positions_in_play.is_in_play(thought.match.game.board):
        return CLUB.decide(thought)
    level = BY_NAME[name]
    try:
        if not availability.is_available():
            raise NoAnswer("there is no engine on this machine")
        found = ENGINE.run_question(
            lambda oracle: decide_by_oracle(oracle, level, thought.match, thought.side, thought.key)
        )
    except NoAnswer as problem:
        _record_stand_in(thought, str(problem))
        raise
    return CLUB.decide(thought) if found is None else found


def _record_stand_in(thought: DecisionRequest, why: str) -> None:
    row = Match.objects.only("pk").get(key=thought.key)
    now = timezone.now()  # noqa: TID251 - decisions get no `now`
    note = StandIn(match=row, head=thought.head, why=why[:300], at=now)
    StandIn.objects.bulk_create([note], ignore_conflicts=True)


def decide_by_oracle(
    oracle: Oracle, level: Level, match: EngineMatch, side: Side, seed: str
) -> Command | None:
    """Return the command of a bot of *level*; None for decisions that the engine does not support.

    These are resignations, beavers, and all decisions with unsupported rules.

    :raises LookupError: the oracle's board is not the result of a legal play.
    """
    game = match.game
    if explain_unsupported(match.rules) or game.actor is not side:
        return None
    seed = f"{seed}|{match.number}|{game.plies}"
    if game.phase is Phase.DOUBLED and game.offer == 2 * game.cube.value and not game.is_dead_double:
        return (
            Take()
            if bot_decisions.should_take(oracle, Spot.from_match(match, side.other), level, seed)
            else Drop()
        )
    if game.phase is Phase.TO_ROLL:
        if game.why_no_double is not None or game.is_dead_double:
            return Roll()
        return (
            Double()
            if bot_decisions.should_double(oracle, Spot.from_match(match, side), level, seed)
            else Roll()
        )
    if game.phase is not Phase.TO_PLAY or game.dice is None:
        return None
    plays = legal_plays(game.board, side, game.dice)
    if len(plays) == 1:
        return Move(plays[0].steps)
    board = bot_decisions.choose_play(oracle, Throw(Spot.from_match(match, side), game.dice), level, seed)
    for play in plays:
        if to_numbers(play.board, side) == board:
            return Move(play.steps)
    raise LookupError(f"the oracle plays to {board}, which {game.dice} does not reach")
