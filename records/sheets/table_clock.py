"""The clock of a match at a table, as its taps have left it. Pure.

`engine.clock` keeps the time; this says which of its acts a tap is, and what stood on both sides when a game ended.
`static/js/sheet/clock.js` says the same to a phone without network.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from engine.clock import Clock, Control
from engine.errors import EngineError
from engine.side import BySide, Side
from records.base.errors import ClockMoved, FlagFallen

if TYPE_CHECKING:
    from collections.abc import Callable

START: Final = "start"
PRESS: Final = "press"
PAUSE: Final = "pause"
RESUME: Final = "resume"
# Time ran out, and by the event's rules some of it is given back.
RENEW: Final = "renew"
# The last tap was a mistake.
TAKE_BACK: Final = "take-back"
CLOCK_TAPS: Final = (START, PRESS, PAUSE, RESUME, RENEW, TAKE_BACK)
# These say whose turn they are about.
SIDED: Final = (START, PRESS, RENEW)
# No watch says more: the year 9999, in milliseconds.
LATEST: Final = 253_402_300_799_000
SIDES: Final = {"a": Side.WHITE, "b": Side.BLACK}


@dataclass(frozen=True, slots=True)
class BeforeTap:
    """How a clock stood when it was tapped: its turn so far, and whether it ran."""

    clock: Clock
    ran: bool


@dataclass(frozen=True, slots=True)
class TableClock:
    """The clock of one match: a is White, b Black."""

    clock: Clock
    # What is given back to a side whose time ran out; 0: nothing, the match is lost.
    credit: int = 0
    taps: int = 0
    # When the last tap was: no later one is earlier.
    last: int = 0
    # As it stood when each game was written, and what both had left when that game was over.
    before: tuple[Clock, ...] = ()
    left: tuple[tuple[int, int], ...] = ()
    # What taking the last tap back returns to; None where that was a game, or was taken back already.
    prior: BeforeTap | None = None

    @classmethod
    def set(cls, control: Control, credit: int = 0) -> TableClock:
        """Return the clock before the match."""
        return cls(Clock.set(control), credit)

    @property
    def turn(self) -> str:
        """Whose turn it is, "" between games."""
        return next((side for side, of in SIDES.items() if self.clock.turn is of), "")

    @property
    def is_running(self) -> bool:
        """Say whether anybody's time runs now."""
        return self.clock.since is not None

    def fallen(self, at: int) -> str:
        """Return whose flag has fallen by then, "" if nobody's."""
        return self.turn if self.clock.is_flagged(max(at, self.last)) else ""

    def shown(self, side: str, at: int) -> tuple[int, int]:
        """Return reserve and free time of a side as they are then, in milliseconds."""
        left = self.clock.left(SIDES[side], at=max(at, self.last))
        return left.reserve, left.delay

    def tap(self, do: str, side: str, at: int) -> TableClock:
        """Return the clock after a tap.

        :raises FlagFallen: the time had run out.
        :raises ClockMoved: it does not stand so that this could be done.
        """
        at = max(at, self.last)
        if do == TAKE_BACK:
            return self._tap_back(at)
        if do in (PRESS, RENEW) and side != self.turn:
            raise ClockMoved
        if do == PRESS and self.fallen(at):
            raise FlagFallen
        try:
            moved = _ACTS[do](self, side, at)
        except EngineError as error:
            raise ClockMoved from error
        prior = BeforeTap(self.clock.pause(at=at), self.is_running)
        return replace(self, clock=moved, taps=self.taps + 1, last=at, prior=prior)

    def _tap_back(self, at: int) -> TableClock:
        """Return the clock as it stood at the last tap, running on from now if it ran: what passed since counts for nobody."""
        if self.prior is None:
            raise ClockMoved
        clock = self.prior.clock.resume(at=at) if self.prior.ran else self.prior.clock
        return replace(self, clock=clock, taps=self.taps + 1, last=at, prior=None)

    def stop(self, at: int) -> TableClock:
        """Return the clock as it stands while the match is adjourned: whose turn it was is kept, nobody's time runs."""
        at = max(at, self.last)
        return replace(self, clock=self.clock.pause(at=at), last=at, prior=None)

    def game_over(self, at: int) -> TableClock:
        """Return the clock after a game: it runs for nobody."""
        at = max(at, self.last)
        before = self.clock.pause(at=at)
        after = self.clock if self.clock.turn is None else self.clock.spend(at=at)
        left = (*self.left, (after.reserve.white, after.reserve.black))
        return replace(self, clock=after, last=at, before=(*self.before, before), left=left, prior=None)

    def game_back(self) -> TableClock:
        """Return the clock as it stood when the last game was written, paused."""
        return replace(self, clock=self.before[-1], before=self.before[:-1], left=self.left[:-1], prior=None)

    def to_json(self) -> dict[str, Any]:
        """Write it down for a page's script."""
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


def _start(now: TableClock, side: str, at: int) -> Clock:
    return now.clock.start(SIDES[side], at=at)


def _press(now: TableClock, _side: str, at: int) -> Clock:
    return now.clock.press(at=at)


def _pause(now: TableClock, _side: str, at: int) -> Clock:
    if not now.is_running:
        raise ClockMoved
    return now.clock.pause(at=at)


def _resume(now: TableClock, _side: str, at: int) -> Clock:
    if now.clock.turn is None or now.is_running:
        raise ClockMoved
    return now.clock.resume(at=at)


def _renew(now: TableClock, side: str, at: int) -> Clock:
    """Give back what the event's rules give, and let the turn go on."""
    if not now.credit or not now.fallen(at):
        raise ClockMoved
    reserve = BySide(now.clock.reserve.white, now.clock.reserve.black).put(SIDES[side], now.credit)
    return Clock(now.clock.control, reserve).start(SIDES[side], at=at)


_ACTS: Final[dict[str, Callable[[TableClock, str, int], Clock]]] = {
    START: _start,
    PRESS: _press,
    PAUSE: _pause,
    RESUME: _resume,
    RENEW: _renew,
}
