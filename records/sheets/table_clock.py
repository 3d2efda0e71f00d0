"""The clock of a match at a table, computed from its taps. Pure.

`engine.clock` measures the time; this maps taps to its methods, and stores the times at the end of each game.
`static/js/sheet/clock.js` has the same rules for phones without network.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from engine.clock import Clock, TimeControl
from engine.errors import EngineError
from engine.side import Side
from records.base.errors import ClockMoved, FlagFallen

START: Final = "start"
PRESS: Final = "press"
PAUSE: Final = "pause"
RESUME: Final = "resume"
# A side ran out of time, and the event's rules give some of it back.
RENEW: Final = "renew"
# Undo the last tap.
TAKE_BACK: Final = "take-back"
CLOCK_TAPS: Final = (START, PRESS, PAUSE, RESUME, RENEW, TAKE_BACK)
# Taps that need a side.
SIDED: Final = (START, PRESS, RENEW)
# The year 9999, in milliseconds.
LATEST: Final = 253_402_300_799_000
SIDES: Final = {"a": Side.WHITE, "b": Side.BLACK}


@dataclass(frozen=True, slots=True)
class ClockSnapshot:
    """The clock before a tap, and whether it was running."""

    clock: Clock
    ran: bool


@dataclass(frozen=True, slots=True)
class TableClock:
    """The clock of a match: a is White, b Black."""

    clock: Clock
    # Milliseconds given back to a side that ran out of time; 0: the match is lost.
    credit: int = 0
    taps: int = 0
    # Time of the last tap; times never decrease.
    last: int = 0
    # The clock when each game was written, and both sides' times at that game's end.
    before: tuple[Clock, ...] = ()
    left: tuple[tuple[int, int], ...] = ()
    # State before the last tap, for undo; None after a game, an adjournment or an undo.
    prior: ClockSnapshot | None = None

    @classmethod
    def set(cls, control: TimeControl, credit: int = 0) -> TableClock:
        """Build the clock before the first turn."""
        return cls(Clock.set(control), credit)

    @property
    def turn(self) -> str:
        """The side whose turn it is, "" between games."""
        return next((side for side, of in SIDES.items() if self.clock.turn is of), "")

    @property
    def is_running(self) -> bool:
        return self.clock.since is not None

    def fallen(self, at: int) -> str:
        """Return the side whose flag has fallen by then, "" if none."""
        return self.turn if self.clock.is_flagged(max(at, self.last)) else ""

    def shown(self, side: str, at: int) -> tuple[int, int]:
        """Return reserve and delay of a side at that time, in milliseconds."""
        left = self.clock.left(SIDES[side], at=max(at, self.last))
        return left.reserve, left.delay

    def tap(self, do: str, side: str, at: int) -> TableClock:
        """Apply a tap.

        :raises FlagFallen: the time has run out.
        :raises ClockMoved: the clock is in another state.
        """
        at = max(at, self.last)
        if do == TAKE_BACK:
            return self._undo_tap(at)
        if do in (PRESS, RENEW) and side != self.turn:
            raise ClockMoved
        if do == PRESS and self.fallen(at):
            raise FlagFallen
        try:
            moved = self._move(do, side, at)
        except EngineError as error:
            raise ClockMoved from error
        prior = ClockSnapshot(self.clock.pause(at=at), self.is_running)
        return replace(self, clock=moved, taps=self.taps + 1, last=at, prior=prior)

    def _move(self, do: str, side: str, at: int) -> Clock:
        is_possible = {
            START: True,
            PRESS: True,
            PAUSE: self.is_running,
            RESUME: bool(self.turn) and not self.is_running,
            RENEW: bool(self.credit and self.fallen(at)),
        }
        if not is_possible.get(do):
            raise ClockMoved
        if do == START:
            return self.clock.start(SIDES[side], at=at)
        if do == PRESS:
            return self.clock.press(at=at)
        if do == PAUSE:
            return self.clock.pause(at=at)
        if do == RESUME:
            return self.clock.resume(at=at)
        # The turn continues with the credit of the event's rules.
        reserve = self.clock.reserve.put(SIDES[side], self.credit)
        return Clock(self.clock.control, reserve).start(SIDES[side], at=at)

    def _undo_tap(self, at: int) -> TableClock:
        """Undo the last tap; a clock that was running continues from now, without the time in between."""
        if self.prior is None:
            raise ClockMoved
        clock = self.prior.clock.resume(at=at) if self.prior.ran else self.prior.clock
        return replace(self, clock=clock, taps=self.taps + 1, last=at, prior=None)

    def stop(self, at: int) -> TableClock:
        """Return the clock for an adjournment: paused, with the turn kept."""
        at = max(at, self.last)
        return replace(self, clock=self.clock.pause(at=at), last=at, prior=None)

    def game_over(self, at: int) -> TableClock:
        """Return the clock after a game: stopped."""
        at = max(at, self.last)
        before = self.clock.pause(at=at)
        after = self.clock if self.clock.turn is None else self.clock.spend(at=at)
        left = (*self.left, (after.reserve.white, after.reserve.black))
        return replace(self, clock=after, last=at, before=(*self.before, before), left=left, prior=None)

    def game_back(self) -> TableClock:
        """Return the clock at the time the last game was written, paused."""
        return replace(self, clock=self.before[-1], before=self.before[:-1], left=self.left[:-1], prior=None)

    def to_json(self) -> dict[str, Any]:
        """Serialize the clock for the page's script."""
        return {
            "clock": self.clock.to_json(),
            "control": {
                "timing": self.clock.control.timing.value,
                "reserve": self.clock.control.reserve,
                "delay": self.clock.control.delay,
            },
            "credit": self.credit,
            "taps": self.taps,
            "last": self.last,
            "before": [one.to_json() for one in self.before],
            "left": [list(one) for one in self.left],
            "prior": self.prior and {"clock": self.prior.clock.to_json(), "ran": self.prior.ran},
        }
