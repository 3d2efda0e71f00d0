"""The engine for live play: one shared process, started on demand and closed when idle.

A player waits for the answer, so the time limit is some seconds. After a failure the engine is not used for a
while; the game continues without it.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Final, TypeVar

import structlog
from django.utils import timezone

from matches.bots.minds import CLUB, NoAnswer
from matches.journal import positions_in_play
from matches.models import Match
from opinion.analyses import availability
from opinion.judging import engine_process
from opinion.judging.oracle import NoOracle, OracleFailed
from opinion.judging.strengths import LEVELS
from opinion.models import StandIn
from opinion.practice import engine_mind

if TYPE_CHECKING:
    from collections.abc import Callable

    from matches.hooks import DecisionRequest
    from matches.state.commands import Command
    from opinion.judging.oracle import Oracle

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
            lambda oracle: engine_mind.decide(oracle, level, thought.match, thought.side, thought.key)
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
