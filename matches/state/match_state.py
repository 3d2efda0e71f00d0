"""The state of a match: game, clock, dice, and who has to act. `apply` adds a line.

Pure: the same lines always give the same state. Nothing here reads a clock or
rolls dice; times and shares are in the lines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from engine import match as matches
from engine import snapshot
from engine.actions import (
    Flagged,
    Opened,
    Paused,
    Penalised,
    ResignAccepted,
    ResignDeclined,
    ResignOffered,
    Resumed,
    Rolled,
    RuledPosition,
    TakenBack,
    TimeCredited,
)
from engine.clock import Clock
from engine.errors import IllegalAction
from engine.fair import ByParty, Party
from engine.game import Phase
from engine.match import Match
from engine.side import BySide, Side
from matches.state import lag
from matches.state.dicing import Dicing
from matches.state.facts import (
    Asked,
    DiceBegun,
    Excused,
    Forwent,
    Held,
    Line,
    PlaysOut,
    Promised,
    Readied,
    Unsealed,
)
from matches.state.status import Status
from matches.state.terms import Terms

# Version of the cache format. With a cache of another version the journal is replayed.
VERSION: Final = 1

BOTH: Final = (Side.WHITE, Side.BLACK)
FULL_QUOTA: Final = BySide(lag.START, lag.START)
NOTHING: Final = BySide(0, 0)


@dataclass(frozen=True, slots=True)
class MatchState:
    terms: Terms
    match: Match
    dicing: Dicing
    clock: Clock | None = None
    quota: BySide[int] = FULL_QUOTA
    # Both players' dice are sealed and opened, or they have none.
    begun: bool = False
    ready: frozenset[Side] = frozenset()
    asked: Asked | None = None
    # The side whose resignation was declined and that has not acted since.
    refused: Side | None = None
    # Outages and absences have been excluded up to this time.
    excused: int = 0
    # Time each side has used of its allowance for lost connections.
    held: BySide[int] = NOTHING
    # The time since which both have been awaited; else that of the last line not in `SIDE_STEPS`.
    idle: int = 0
    # The first line after which the present opening roll could be requested.
    opening: int = 0
    # Sides that agree to play out this race; it happens when both do.
    playing_out: frozenset[Side] = frozenset()
    head: int = 0
    at: int = 0

    @classmethod
    def start(cls, key: str, white: str, black: str, terms: Terms) -> MatchState:
        control = terms.control
        return cls(
            terms=terms,
            match=Match.start(terms.rules),
            dicing=Dicing(key, ByParty(white, black, "")),
            clock=Clock.set(control) if control else None,
        )

    @property
    def status(self) -> Status:
        outcome = self.match.outcome
        if outcome is not None:
            return Status.VOID if outcome.winner is None else Status.FINISHED
        if self.match.paused:
            return Status.PAUSED
        return Status.LIVE if self.begun else Status.WAITING

    @property
    def owing(self) -> tuple[Side, ...]:
        return () if self.match.paused else self.awaited

    @property
    def awaited(self) -> tuple[Side, ...]:
        if self.match.is_over:
            return ()
        if sealing := self.sealing:
            return sealing
        if self.asked is not None:
            return (self.asked.side.other,)
        game = self.match.game
        if game.phase is Phase.OPENING:
            return tuple(side for side in BOTH if side not in self.ready)
        return () if game.actor is None else (game.actor,)

    @property
    def sealing(self) -> tuple[Side, ...]:
        owing = self.dicing.owing
        return tuple(side for side in BOTH if Party.from_side(side) in owing)

    @property
    def is_between(self) -> bool:
        """True between games or while commitments are awaited; no side is on turn then."""
        return self.match.game.phase is Phase.OPENING or bool(self.sealing)

    @property
    def is_race(self) -> bool:
        game = self.match.game
        return (
            not self.match.is_over
            and game.phase in {Phase.TO_ROLL, Phase.TO_PLAY}
            and not game.board.has_contact
        )

    @property
    def plays_itself(self) -> bool:
        """True if both agreed to play out this race."""
        return len(self.playing_out) == len(BOTH) and self.is_race

    @property
    def doublers(self) -> tuple[Side, ...]:
        """The sides that may double before their next roll, given the current cube: to know it would help them.

        So the opponent's share may not be deposited on the server before the roll (docs/dice.md).
        """
        # A race being played out has no decisions.
        if self.match.is_over or self.plays_itself:
            return ()
        games = ((side, replace(self.match.game, phase=Phase.TO_ROLL, turn=side)) for side in BOTH)
        return tuple(side for side, game in games if game.why_no_double is None and not game.is_dead_double)

    @property
    def deadline(self) -> int | None:
        """The time at which the server intervenes without further acts; None if it does not."""
        if not self.begun or self.match.is_over or self.match.paused:
            return None
        if self.clock is None:
            return self.idle + self.terms.limit if self.terms.limit else None
        running = self.clock.deadline()
        return running if running is not None else self.idle + self.terms.patience

    @property
    def runs_for(self) -> Side | None:
        """The side whose clock should run, or is paused; None if not exactly one side has to act."""
        awaited = self.awaited
        return awaited[0] if self.begun and len(awaited) == 1 else None

    def is_flagged(self, at: int, lag_given: int = 0) -> bool:
        return (
            self.clock is not None and self.clock.since is not None and self.clock.is_flagged(at, lag_given)
        )

    def to_json(self) -> dict[str, Any]:
        """Return the cache content; terms and names are stored with the match."""
        return {
            "version": VERSION,
            "match": snapshot.to_json(self.match),
            "dicing": self.dicing.to_json(),
            "clock": None if self.clock is None else self.clock.to_json(),
            "quota": list(self.quota),
            "begun": self.begun,
            "ready": [side.word for side in BOTH if side in self.ready],
            "asked": self.asked
            and [self.asked.side.word, self.asked.number, self.asked.link and self.asked.link.hex()],
            "refused": None if self.refused is None else self.refused.word,
            "excused": self.excused,
            "held": list(self.held),
            "idle": self.idle,
            "opening": self.opening,
            "playing_out": [side.word for side in BOTH if side in self.playing_out],
            "head": self.head,
            "at": self.at,
        }

    @classmethod
    def from_json(cls, key: str, white: str, black: str, terms: Terms, data: Mapping[str, Any]) -> MatchState:
        asked = data["asked"]
        return cls(
            terms=terms,
            match=snapshot.from_json(terms.rules, data["match"]),
            dicing=Dicing.from_json(key, white, black, data["dicing"]),
            clock=None if data["clock"] is None else Clock.from_json(data["clock"]),
            quota=BySide(*data["quota"]),
            begun=data["begun"],
            ready=frozenset(SIDES[word] for word in data["ready"]),
            asked=asked and Asked(SIDES[asked[0]], asked[1], asked[2] and bytes.fromhex(asked[2])),
            refused=None if data["refused"] is None else SIDES[data["refused"]],
            excused=data["excused"],
            held=BySide(*data["held"]),
            idle=data["idle"],
            opening=data["opening"],
            # Missing in older caches.
            playing_out=frozenset(SIDES[word] for word in data.get("playing_out", ())),
            head=data["head"],
            at=data["at"],
        )


SIDES: Final = {"white": Side.WHITE, "black": Side.BLACK}


def apply(before: MatchState, line: Line) -> MatchState:
    """Return the state after *line*; raise IllegalAction if it cannot follow."""
    if line.seq != before.head + 1:
        raise IllegalAction("gap", f"Line {line.seq} cannot follow line {before.head}.")
    if line.at < before.at:
        raise IllegalAction("back-in-time", "A journal does not go back in time.")
    taken = SERVER_FACTS.get(type(line.fact), _apply_action)(before, line.fact, line)
    game = taken.match.game
    is_new_game = game.plies == 0 and game is not before.match.game
    is_unchanged = before.begun and taken.owing == before.owing
    is_still_idle = len(taken.owing) == len(BOTH) or isinstance(line.fact, SIDE_STEPS)
    after = replace(
        taken,
        head=line.seq,
        at=line.at,
        begun=taken.begun or (taken.dicing.length > 0 and not taken.dicing.owing),
        idle=before.idle if is_unchanged and is_still_idle else line.at,
        opening=line.seq if is_new_game or not before.begun else before.opening,
    )
    return _update_clock(before, after, line)


# The match does not wait for these, so they begin no turn and do not extend the time to act.
SIDE_STEPS: Final = (Forwent, PlaysOut, Held, Excused)


# -- effects of lines, except on the clock --------------------------------------------------------


def _apply_action(before: MatchState, fact: Any, line: Line) -> MatchState:
    match = matches.apply(before.match, fact)
    dicing = before.dicing if line.thrown is None else before.dicing.after_throw(line.thrown)
    if isinstance(fact, ASIDE) and match.game.phase is before.match.game.phase:
        return replace(before, match=match)
    refused = before.match.game.resigning if isinstance(fact, ResignDeclined) else None
    if isinstance(fact, ResignOffered):
        refused = before.refused
    after = replace(before, match=match, dicing=dicing, ready=frozenset(), asked=None, refused=refused)
    is_same = match.number == before.match.number and not isinstance(fact, OTHER_BOARD)
    return after if is_same else replace(after, playing_out=frozenset())


# An agreement to play out a race is for that race only.
OTHER_BOARD: Final = (TakenBack, RuledPosition)
# Facts that keep a requested roll and readiness.
ASIDE: Final = (TimeCredited, Paused, Resumed, Penalised, Flagged)


def _mark_ready(state: MatchState, fact: Readied, line: Line) -> MatchState:
    if state.match.game.phase is not Phase.OPENING:
        raise IllegalAction("roll-in-wrong-phase", "The game has begun.")
    return replace(state, ready=state.ready | {fact.side})


def _ask(state: MatchState, fact: Asked, line: Line) -> MatchState:
    game = state.match.game
    if game.phase is not Phase.TO_ROLL or game.turn is not fact.side or state.asked is not None:
        raise IllegalAction("roll-out-of-turn", "It is not the time for this roll.")
    dicing = state.dicing
    if fact.link is not None:
        dicing = dicing.heard(Party.from_side(fact.side), fact.number, fact.link)
    return replace(state, asked=fact, dicing=dicing, refused=None)


def _hold(state: MatchState, fact: Held, line: Line) -> MatchState:
    clock, held = state.clock, state.held[fact.side] + fact.milliseconds
    if clock is None or clock.since is None or clock.turn is not fact.side:
        raise IllegalAction("clock-stands", "This side's clock does not run.")
    if fact.milliseconds <= 0 or held > state.terms.absence:
        raise IllegalAction("absence-used-up", "That is more than the allowance for lost connections.")
    if fact.milliseconds > line.at - max(clock.since, state.excused):
        raise IllegalAction("absence-too-long", "This side's clock has not run for so long.")
    return replace(state, held=state.held.put(fact.side, held), excused=line.at)


def _play_out(state: MatchState, fact: PlaysOut, line: Line) -> MatchState:
    if fact.stops:
        if fact.side not in state.playing_out:
            raise IllegalAction("not-playing-out", "This side has not agreed to play the race out.")
        return replace(state, playing_out=state.playing_out - {fact.side})
    if not state.is_race:
        raise IllegalAction("no-race", "Only a race can be played out: here somebody may still be hit.")
    return replace(state, playing_out=state.playing_out | {fact.side})


SERVER_FACTS: Final[dict[type, Callable[[MatchState, Any, Line], MatchState]]] = {
    DiceBegun: lambda state, fact, _line: replace(state, dicing=state.dicing.begun(fact)),
    Promised: lambda state, fact, _line: replace(state, dicing=state.dicing.after_promise(fact)),
    Unsealed: lambda state, fact, _line: replace(state, dicing=state.dicing.after_unsealing(fact)),
    Forwent: lambda state, fact, _line: replace(state, dicing=state.dicing.after_forgoing(fact)),
    Readied: _mark_ready,
    Asked: _ask,
    Excused: lambda state, _fact, line: replace(state, excused=line.at),
    Held: _hold,
    PlaysOut: _play_out,
}


# -- the clock ------------------------------------------------------------------------------------

# These start a new turn, even of the same side.
NEW_TURN: Final = (TakenBack, RuledPosition, Opened, Flagged)
ANSWERS: Final = (ResignAccepted, ResignDeclined)


def _update_clock(before: MatchState, after: MatchState, line: Line) -> MatchState:
    clock = after.clock
    if clock is None:
        return after
    runner = clock.turn
    given = line.lag if runner is not None and line.by == runner.word else 0
    clock = _advance_clock(clock, before, after, line, given)
    quota = after.quota
    if runner is not None and clock.turn is not runner and line.by == runner.word:
        quota = quota.put(runner, lag.compute_quota_after(quota[runner], given))
    return replace(after, clock=clock, quota=quota)


def _advance_clock(clock: Clock, before: MatchState, after: MatchState, line: Line, given: int) -> Clock:
    # An answer to a resignation is free, or was given by the server.
    is_free_answer = isinstance(line.fact, ANSWERS) and (after.terms.free_answers or line.by == "server")
    if clock.lent is not None and is_free_answer:
        return _pass_clock(clock.take_back(at=line.at), before, after, line, 0)
    match line.fact:
        case Excused(milliseconds=milliseconds) | Held(milliseconds=milliseconds):
            return clock.excuse(milliseconds) if clock.since is not None else clock
        case TimeCredited(side=side, milliseconds=milliseconds):
            return clock.credit(side, milliseconds)
        case Paused():
            return clock.pause(at=line.at)
        case Resumed() if clock.turn is not None:
            return clock.resume(at=line.at)
        case Asked() | ResignOffered() if clock.lent is None and _passes_to_other_side(clock, after):
            return clock.lend(at=line.at, lag=given)
        case Rolled() | ResignDeclined() if clock.lent is not None and _passes_to_other_side(clock, after):
            return clock.give_back(at=line.at, lag=given)
        case _:
            return _pass_clock(clock, before, after, line, given)


def _passes_to_other_side(clock: Clock, after: MatchState) -> bool:
    return clock.turn is not None and after.runs_for is clock.turn.other


def _pass_clock(clock: Clock, before: MatchState, after: MatchState, line: Line, given: int) -> Clock:
    wanted, at = after.runs_for, line.at
    if clock.turn is not None:
        if wanted is clock.turn and not isinstance(line.fact, NEW_TURN):
            return clock
        if wanted is clock.turn.other and clock.lent is None and clock.since is not None:
            return clock.press(at=at, lag=given)
        side, had = clock.turn, clock.reserve
        clock = clock.spend(at=at, lag=given)
        if before.is_between:  # no turn was played, so nothing is added to the reserve
            clock = replace(clock, reserve=had.put(side, min(had[side], clock.reserve[side])))
    if wanted is None or after.match.paused:
        return clock
    # Between games a missing side has a pause before its clock runs.
    return clock.start(wanted, at=at + (after.terms.pause if after.is_between else 0))
