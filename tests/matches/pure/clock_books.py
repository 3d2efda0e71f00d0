"""The books of one clock, kept by hand beside it: what the traces of clocks are checked against."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable

import pytest

from engine.clock import Clock, DelayMethod, TimeControl
from engine.errors import IllegalAction
from engine.side import BLACK, WHITE, Side
from matches.state.lag import (
    GAIN,
    MOST,
    SLACK,
    START,
    compute_allowed,
    compute_grace,
    compute_quota_after,
    smooth_trip,
)


class Books:
    """A clock, its books, and the watch: every act is done to the clock and written down by hand.

    All time that passes on the watch is in one of these accounts: what went out of the reserves, what was
    free, forgiven, excused, late (after a flag had fallen), in a turn that is not over, or outside of all
    turns. Where the watch was put back during a turn, the turn took nothing: that is `back`.
    """

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.clock = Clock.set(control)
        self.unforgiving: Clock | None = self.clock
        self.now = 0
        # When the stretch began that is in no account yet; a turn runs in it, or nothing does.
        self.since = 0
        self.running: Side | None = None
        self.paused = False
        self.reserve = [control.reserve, control.reserve]
        self.granted = [control.reserve, control.reserve]
        self.open: list[int | None] = [None, None]
        self.free = self.excused = self.late = self.outside = self.back = 0
        self.forgiven = [0, 0]
        # What each side may have been forgiven by now at the very most.
        self.budget = [START - GAIN, START - GAIN]
        self.quota = [START, START]
        self.trip: list[int | None] = [None, None]
        # By how much a reserve may rise in this act.
        self.named = [0, 0]
        self.seen = self.clock.reserve
        self.tally: Counter[str] = Counter()

    @property
    def is_lent(self) -> bool:
        return self.open[WHITE] is not None and self.open[BLACK] is not None

    # -- what happens -----------------------------------------------------------------------------

    def wait(self, milliseconds: int) -> None:
        """Advance the system clock, or set it back."""
        self.now += milliseconds

    def measure(self, side: Side, sample: int) -> None:
        self.trip[side] = smooth_trip(self.trip[side], sample)

    def start(self, side: Side, later: int = 0) -> None:
        self._both(lambda clock, _: clock.start(side, at=self.now + later))
        self.outside += self.now + later - self.since
        self._run(side, self.now + later)
        self.open[side] = 0
        self.check("start")

    def press(self, claim: int) -> None:
        lag = self._lag(claim)
        if self._flag_falls(lag):
            return
        side = self.clock.turn
        self._both(lambda clock, lag: clock.press(at=self.now, lag=lag), lag)
        self._close(lag)
        self._settle(side)
        self._run(side.other, self.now)
        self.open[side.other] = 0
        self.check("press")

    def lend(self, claim: int) -> None:
        lag = self._lag(claim)
        if self._flag_falls(lag):
            return
        side = self.clock.turn
        self._both(lambda clock, lag: clock.lend(at=self.now, lag=lag), lag)
        self._close(lag)
        self._run(side.other, self.now)
        self.open[side.other] = 0
        self.check("lend")

    def give_back(self, claim: int) -> None:
        lag = self._lag(claim)
        if self._flag_falls(lag):
            return
        side = self.clock.turn
        self._both(lambda clock, lag: clock.give_back(at=self.now, lag=lag), lag)
        self._close(lag)
        self._settle(side, is_answer=True)
        self._run(side.other, self.now)
        self.check("give back")

    def stop(self, claim: int) -> None:
        """End the game with the turn; or the match, where the flag has fallen."""
        lag = 0 if self.paused else self._lag(claim)
        self._stop(lag)
        self.check("stop")

    def pause(self) -> None:
        self._both(lambda clock, _: clock.pause(at=self.now))
        if self.running is not None and not self.paused:
            self._close(0)
            self.paused = True
        self.check("pause")

    def resume(self) -> None:
        self._both(lambda clock, _: clock.resume(at=self.now))
        if self.paused:
            self.outside += self.now - self.since
            self._run(self.running, self.now)
        self.check("resume")

    def credit(self, side: Side, milliseconds: int) -> None:
        self._both(lambda clock, _: clock.credit(side, milliseconds))
        self.reserve[side] += milliseconds
        self.granted[side] += milliseconds
        self.named[side] = milliseconds
        self.check("credit")

    def outage(self, lasted: int, excused: int) -> None:
        """Nothing reaches us for a while; then as much as that, or more or less, is excused."""
        self.now += lasted
        self._both(lambda clock, _: clock.excuse(excused))
        if self.running is not None:
            self.open[self.running] -= excused
            self.excused += excused
        self.check("outage")

    def refuse(self, act: str) -> None:
        """Try what cannot be now: nothing changes, and the refusal says why."""
        before = self.clock
        if self.running is None:
            code = "clock-stands"
        elif self.paused:
            code = "clock-paused"
        elif before.is_flagged(self.now):
            code = "flag-fallen"
        elif act == "give_back":
            code = "clock-not-lent"
        else:
            code = "clock-lent"
        with pytest.raises(IllegalAction) as caught:
            getattr(before, act)(at=self.now)
        assert caught.value.code == code
        self.check("refused")

    # -- the books --------------------------------------------------------------------------------

    def _both(self, act: Callable[[Clock, int], Clock], lag: int = 0) -> None:
        self.clock = act(self.clock, lag)
        if self.unforgiving is not None:
            try:
                self.unforgiving = act(self.unforgiving, 0)
            except IllegalAction as refusal:
                if refusal.code != "flag-fallen":
                    raise
                self.unforgiving = None  # without its lag it has flagged, and is no longer compared

    def _lag(self, claim: int) -> int:
        side = self.running
        assert side is not None
        quota, trip = self.quota[side], self.trip[side]
        lag = compute_allowed(quota, claimed=claim, trusted=trip)
        assert 0 <= lag <= quota <= MOST
        assert lag == 0 or lag <= trip + SLACK
        assert compute_grace(quota) >= min(lag, 2_000)
        self.quota[side] = compute_quota_after(quota, lag)
        self.budget[side] += GAIN
        return lag

    def _run(self, side: Side, since: int) -> None:
        self.running, self.since, self.paused = side, since, False

    def _close(self, lag: int) -> None:
        """Book the stretch that ends now on the turn that runs, and what is forgiven of the turn."""
        side, took = self.running, self.now - self.since
        if took < 0:
            self.back -= took
            took = 0
        taken = self.open[side] + took
        forgiven = min(lag, max(0, taken))
        self.open[side] = taken - forgiven
        self.forgiven[side] += forgiven
        self.since = self.now

    def _settle(self, side: Side, *, is_answer: bool = False) -> bool:
        """Take the cost of a turn that is over out of its reserve; say whether the flag fell."""
        taken, self.open[side] = self.open[side], None
        if taken < 0:  # more was excused than it took
            self.excused += taken
            taken = 0
        reserve, delay, timing = self.reserve[side], self.control.delay, self.control.timing
        free = min(taken, delay) if timing is DelayMethod.SIMPLE else 0
        if taken - free >= reserve and (free == delay or timing is not DelayMethod.SIMPLE):
            self.reserve[side] = 0
            self.free += free
            self.late += taken - free - reserve
            return True
        if timing is DelayMethod.BRONSTEIN:
            free = min(taken, delay)
        gift = delay if timing is DelayMethod.FISCHER and not is_answer else 0
        self.reserve[side] += gift + free - taken
        self.granted[side] += gift
        self.free += free
        self.named[side] = max(0, gift - taken)
        return False

    def _flag_falls(self, lag: int) -> bool:
        if not self.clock.is_flagged(self.now, lag):
            return False
        with pytest.raises(IllegalAction, match="run out"):
            (self.clock.press if self.clock.lent is None else self.clock.give_back)(at=self.now, lag=lag)
        assert self._stop(lag)
        self.check("flag")
        return True

    def _stop(self, lag: int) -> bool:
        side = self.running
        if self.unforgiving is not None and self.unforgiving.is_flagged(self.now):
            self.unforgiving = None
        self._both(lambda clock, lag: clock.spend(at=self.now, lag=lag), lag)
        if self.paused:
            self.outside += self.now - self.since
            self.since = self.now
        else:
            self._close(lag)
        lent = self.is_lent
        fallen = self._settle(side, is_answer=lent)
        if lent:
            assert not self._settle(side.other)  # it was in time when it asked
        self.running, self.paused = None, False
        return fallen

    def check(self, act: str) -> None:
        """The clock says what the books say, and the books are complete."""
        self.tally[act] += 1
        clock = self.clock
        white, black = clock.reserve
        assert white == self.reserve[WHITE] >= 0
        assert black == self.reserve[BLACK] >= 0
        assert white - self.seen.white <= self.named[WHITE]
        assert black - self.seen.black <= self.named[BLACK]
        self.seen, self.named = clock.reserve, [0, 0]
        turn = self.running
        assert clock.turn is turn
        pending = 0
        if turn is not None:
            pending = self.open[turn]
            assert clock.used == pending
            assert clock.lent == self.open[turn.other]
            pending += clock.lent or 0
        assert clock.since == (self.since if turn is not None and not self.paused else None)
        charged = self.granted[WHITE] - white + self.granted[BLACK] - black
        lag = self.forgiven[WHITE] + self.forgiven[BLACK]
        assert self.forgiven[WHITE] <= max(0, self.budget[WHITE])
        assert self.forgiven[BLACK] <= max(0, self.budget[BLACK])
        in_turns = charged + self.free + lag + self.excused + self.late + pending
        assert in_turns + self.outside - self.back + self.now - self.since == self.now
        plain = self.unforgiving
        if plain is not None:
            assert 0 <= white - plain.reserve.white <= self.forgiven[WHITE]
            assert 0 <= black - plain.reserve.black <= self.forgiven[BLACK]

    def look(self) -> None:
        """Compare the deadline, the display and the JSON with the books."""
        clock, deadline = self.clock, self.clock.deadline()
        if deadline is not None:
            assert clock.is_flagged(deadline)
            assert deadline == clock.since or not clock.is_flagged(deadline - 1)
            assert clock.left(clock.turn, at=deadline) == (0, 0)
        for side in Side:
            assert 0 <= clock.left(side, at=self.now).reserve <= self.reserve[side]
        assert Clock.from_json(json.loads(json.dumps(clock.to_json()))) == clock
