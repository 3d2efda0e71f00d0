"""A score sheet: taps, the state of the match, and the possible ends of the next game. Pure.

Taps are facts in order; everything else is computed from them. `static/js/sheet/rules.js` has the same rules
for phones without network.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from draw.rules_of_play import USUAL, RulesOfPlay
from matches.state.rule_words import cap_score
from records.base import errors
from records.sheets.table_clock import CLOCK_TAPS, TableClock
from tournaments.base import scores
from tournaments.base.scores import ENDS, Game

# A cube: value and owner.
CubeAt = tuple[int, str | None]

SIDES: Final = ("a", "b")
GAME: Final = "game"
UNDO: Final = "undo"
# The match is adjourned, and resumed later.
ADJOURN: Final = "adjourn"
TAKE_UP: Final = "take-up"


@dataclass(frozen=True, slots=True)
class Tap:
    """A tap on the sheet: a game is written or undone, the match adjourned or resumed, or the clock tapped."""

    do: str
    # The number of the game, or of the clock tap, from 1; other numbers are refused as conflicts.
    number: int
    winner: str = ""
    end: str = "single"
    cube: int = 1
    # For the clock: the side whose turn begins or ends.
    side: str = ""
    # With a clock: time of the tap in milliseconds since 1970; 0 if unknown.
    at: int = 0
    # For an adjournment: the position as XGID, "" if none was given.
    position: str = ""
    # For a game: the penalty points at its time, None if unknown; they are not stored with the tap.
    begun: tuple[int, int] | None = None

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Tap:
        return cls(**data)

    def to_json(self) -> dict[str, Any]:
        about: dict[str, Any] = {"do": self.do, "number": self.number}
        if self.do == GAME:
            about |= {"winner": self.winner, "end": self.end, "cube": self.cube}
        if self.side:
            about["side"] = self.side
        if self.position:
            about["position"] = self.position
        return about | {"at": self.at} if self.at else about

    @property
    def is_of_clock(self) -> bool:
        return self.do in CLOCK_TAPS


@dataclass(frozen=True, slots=True)
class SheetState:
    length: int
    begun: tuple[int, int] = (0, 0)
    play: RulesOfPlay = USUAL
    games: tuple[Game, ...] = ()
    clock: TableClock | None = None
    is_adjourned: bool = False
    # The position as XGID, until the game is over; "" if unknown.
    position: str = ""

    @property
    def won(self) -> tuple[int, int]:
        a, b = (sum(game.points for game in self.games if game.winner == side) for side in SIDES)
        return a, b

    @property
    def points(self) -> tuple[int, int]:
        """The points of each side with penalty points, which can exceed the length after the last game."""
        a, b = self.won
        return self.begun[0] + a, self.begun[1] + b

    @property
    def score(self) -> tuple[int, int]:
        """The score, capped at the length."""
        return cap_score(self.points, self.length)

    @property
    def scores(self) -> tuple[tuple[int, int], ...]:
        """All scores so far; undoing games returns to an earlier one."""
        states = (replace(self, games=self.games[:count]) for count in range(len(self.games) + 1))
        return tuple(state.score for state in states if not state.is_over)

    @property
    def number(self) -> int:
        """The current game, from 1."""
        return len(self.games) + 1

    @property
    def is_over(self) -> bool:
        """True if a side has won the match."""
        return max(self.points) >= self.length

    @property
    def is_crawford(self) -> bool:
        """True if the current game is the Crawford game (R51)."""
        if self.is_over or not scores.has_crawford(self.play):
            return False
        was = any(
            step.is_crawford
            for step in scores.list_game_steps(self.games, self.begun, self.length, self.play)
        )
        return not was and scores.is_crawford_at(self.score, self.length)

    def cubes(self, winner: str, end: str) -> tuple[int, ...]:
        """Return the possible cube values at this end of the game; for a drop, the value before the double."""
        if self.is_over or winner not in SIDES or end not in scores.list_game_ends(self.play):
            return ()
        has_cube = self.play.cube and not self.is_crawford
        found = set()
        for value, owner in self._list_cubes() if has_cube else [(1, None)]:
            if end == "drop":
                is_so = has_cube and owner in (None, winner) and self._may_double(winner, value)
            else:
                # Jacoby rule: gammons count only after a double.
                is_so = not (self.play.jacoby and value == 1 and ENDS[end] > 1)
            if is_so:
                found.add(value)
        return tuple(sorted(found))

    def _may_double(self, side: str, value: int) -> bool:
        """True if a double can change the match for a side: a cube that suffices to win is dead (R48)."""
        return self.length - self.points[SIDES.index(side)] > value

    def _list_cubes(self) -> Iterator[CubeAt]:
        yield 1, None
        for first in SIDES:
            value, doubler = 1, first
            while self._may_double(doubler, value):
                value, doubler = 2 * value, "b" if doubler == "a" else "a"
                yield value, doubler


def apply_tap(state: SheetState, tap: Tap) -> SheetState:
    """Apply a tap.

    :raises OtherGame: the sheet changed since the caller last saw it.
    :raises MatchWon, NotOffered: the game is not possible.
    :raises NothingToUndo: there is no game yet.
    :raises Adjourned, NotAdjourned: the match is adjourned, or not.
    :raises NoClock, ClockMoved, FlagFallen: the tap does not fit the clock.
    """
    if tap.do == TAKE_UP:
        return _resume(state, tap)
    if state.is_adjourned:
        raise errors.Adjourned
    if tap.do != GAME:
        return _tap_clock(state, tap) if tap.is_of_clock else OTHERS[tap.do](state, tap)
    if tap.number != state.number:
        raise errors.OtherGame(number=state.number)
    if state.is_over:
        raise errors.MatchWon
    if tap.cube not in state.cubes(tap.winner, tap.end):
        raise errors.NotOffered(number=tap.number)
    game = Game(tap.winner, tap.cube * ENDS[tap.end], tap.cube, tap.end, tap.begun)
    clock = state.clock
    return replace(state, games=(*state.games, game), clock=clock and clock.game_over(tap.at), position="")


def _undo(state: SheetState, tap: Tap) -> SheetState:
    if not state.games:
        raise errors.NothingToUndo
    if tap.number != len(state.games):
        raise errors.OtherGame(number=state.number)
    clock = state.clock and state.clock.game_back()
    return replace(state, games=state.games[:-1], clock=clock, position="")


def _adjourn(state: SheetState, tap: Tap) -> SheetState:
    if state.is_over:
        raise errors.MatchWon
    if tap.number != state.number:
        raise errors.OtherGame(number=state.number)
    clock = state.clock and state.clock.stop(tap.at)
    return replace(state, is_adjourned=True, position=tap.position, clock=clock)


def _resume(state: SheetState, tap: Tap) -> SheetState:
    if not state.is_adjourned:
        raise errors.NotAdjourned
    if tap.number != state.number:
        raise errors.OtherGame(number=state.number)
    return replace(state, is_adjourned=False)


OTHERS: Final = {UNDO: _undo, ADJOURN: _adjourn}


def _tap_clock(state: SheetState, tap: Tap) -> SheetState:
    if state.clock is None:
        raise errors.NoClock
    if state.is_over:
        raise errors.MatchWon
    if tap.number != state.clock.taps + 1:
        raise errors.ClockMoved
    return replace(state, clock=state.clock.tap(tap.do, tap.side, tap.at))


def replay_taps(state: SheetState, taps: Iterable[Tap]) -> SheetState:
    for tap in taps:
        state = apply_tap(state, tap)
    return state
