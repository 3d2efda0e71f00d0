"""Clocks and lag at random: after every act the books balance to the millisecond, and nobody cheats.

A trace is one clock and what happens to it: turns, turns that are lent, pauses, outages, credits, a watch
that is put back, a network that is slow and players who say it was slower. Beside the clock the books are
kept by hand, from the rules of the four timings and nothing of `engine.clock`; and beside both runs a
clock that forgives no lag, to see what lying brings.
"""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from hypothesis import strategies as some
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from engine.clock import Clock, Control, Timing
from engine.errors import IllegalAction
from engine.side import BLACK, WHITE, Side
from matches.lag import GAIN, MOST, SLACK, START, after, allowed, grace, smoothed

if TYPE_CHECKING:
    from collections.abc import Callable


class Books:
    """A clock, its books, and the watch: every act is done to the clock and written down by hand.

    All time that passes on the watch is in one of these accounts: what went out of the reserves, what was
    free, forgiven, excused, late (after a flag had fallen), in a turn that is not over, or outside of all
    turns. Where the watch was put back during a turn, the turn took nothing: that is `back`.
    """

    def __init__(self, control: Control) -> None:
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
        """Let the watch go on, or put it back."""
        self.now += milliseconds

    def measure(self, side: Side, sample: int) -> None:
        self.trip[side] = smoothed(self.trip[side], sample)

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
        self._settle(side)
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
                self.unforgiving = None  # without its lag it has lost; so it tells no more

    def _lag(self, claim: int) -> int:
        side = self.running
        assert side is not None
        quota, trip = self.quota[side], self.trip[side]
        lag = allowed(quota, claimed=claim, trusted=trip)
        assert 0 <= lag <= quota <= MOST
        assert lag == 0 or lag <= trip + SLACK
        assert grace(quota) >= min(lag, 2_000)
        self.quota[side] = after(quota, lag)
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

    def _settle(self, side: Side) -> bool:
        """Take the cost of a turn that is over out of its reserve; say whether the flag fell."""
        taken, self.open[side] = self.open[side], None
        if taken < 0:  # more was excused than it took
            self.excused += taken
            taken = 0
        reserve, delay, timing = self.reserve[side], self.control.delay, self.control.timing
        free = min(taken, delay) if timing is Timing.SIMPLE else 0
        if taken - free >= reserve and (free == delay or timing is not Timing.SIMPLE):
            self.reserve[side] = 0
            self.free += free
            self.late += taken - free - reserve
            return True
        if timing is Timing.BRONSTEIN:
            free = min(taken, delay)
        gift = delay if timing is Timing.FISCHER else 0
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
        fallen = self._settle(side)
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
        """What is shown and stored: the deadline, the display, the JSON."""
        clock, deadline = self.clock, self.clock.deadline()
        if deadline is not None:
            assert clock.is_flagged(deadline)
            assert deadline == clock.since or not clock.is_flagged(deadline - 1)
            assert clock.left(clock.turn, at=deadline) == (0, 0)
        for side in Side:
            assert 0 <= clock.left(side, at=self.now).reserve <= self.reserve[side]
        assert Clock.from_json(json.loads(json.dumps(clock.to_json()))) == clock


# -- traces from a seed -------------------------------------------------------------------------------


def trace(seed: int) -> Books:
    """Return the books of one random trace."""
    rng = random.Random(seed)
    r = rng.random
    # Seconds on the board, or the days of correspondence.
    scale = 10_000 if r() < 0.1 else 1
    timing = TIMINGS[int(r() * 4)]
    reserve = 1 + int(r() ** 2 * 200_000) * scale
    delay = 0 if timing is Timing.PLAIN else int(r() * 20_000) * scale
    books = Books(Control(timing, reserve, delay))
    for _ in range(6 + int(r() * 34)):
        step = int(r() ** 4 * 40_000) * scale
        books.wait(-step if r() < 0.04 else step)
        state = OPEN if books.running is None else PAUSED if books.paused else LENT if books.is_lent else RUNS
        state[int(r() * len(state))](books, r, scale)
    books.look()
    return books


Draw = "Callable[[], float]"


def _side(r: Draw) -> Side:
    return WHITE if r() < 0.5 else BLACK


def _claim(books: Books, r: Draw) -> int:
    """What the browser says the network took: the truth, nothing, the whole turn, nonsense."""
    kind = r()
    if kind < 0.4:
        return int(r() * 400)
    if kind < 0.7:
        return books.clock.elapsed(books.now)
    return 0 if kind < 0.8 else int((r() - 0.1) * 10**7)


def _measure(books: Books, r: Draw, scale: int) -> None:
    books.measure(_side(r), int(r() ** 3 * 6_000) - 20)


def _start(books: Books, r: Draw, scale: int) -> None:
    books.start(_side(r), int(r() * 3_000) if r() < 0.3 else 0)


def _press(books: Books, r: Draw, scale: int) -> None:
    books.press(_claim(books, r))


def _lend(books: Books, r: Draw, scale: int) -> None:
    books.lend(_claim(books, r))


def _give_back(books: Books, r: Draw, scale: int) -> None:
    books.give_back(_claim(books, r))


def _stop(books: Books, r: Draw, scale: int) -> None:
    books.stop(_claim(books, r))


def _pause(books: Books, r: Draw, scale: int) -> None:
    books.pause()


def _resume(books: Books, r: Draw, scale: int) -> None:
    books.resume()


def _credit(books: Books, r: Draw, scale: int) -> None:
    books.credit(_side(r), 1 + int(r() * 60_000) * scale)


def _outage(books: Books, r: Draw, scale: int) -> None:
    lasted = int(r() ** 2 * 90_000) * scale
    kind = r()
    books.outage(lasted, 1 + (lasted if kind < 0.6 else int(2 * kind * lasted)))


def _refuse(books: Books, r: Draw, scale: int) -> None:
    if books.running is None or books.paused:
        books.refuse(("press", "lend", "give_back")[int(r() * 3)])
    else:
        books.refuse(("press" if r() < 0.5 else "lend") if books.is_lent else "give_back")


TIMINGS = tuple(Timing)
OPEN = (_start,) * 12 + (_measure, _credit, _outage, _refuse, _pause, _resume)
RUNS = (_press,) * 18 + (_lend,) * 7 + (_measure,) * 5 + (_outage,) * 3 + (_pause,) * 3
RUNS += (_credit, _stop, _refuse, _resume)
LENT = (
    (_give_back,) * 18 + (_measure,) * 4 + (_outage,) * 3 + (_pause,) * 3 + (_credit, _stop, _refuse, _resume)
)
PAUSED = (_resume,) * 8 + (_measure, _outage, _credit, _stop, _refuse, _pause)
ACTS = {
    "start",
    "press",
    "lend",
    "give back",
    "stop",
    "pause",
    "resume",
    "credit",
    "outage",
    "refused",
    "flag",
}


def run(numbers: range) -> Counter[str]:
    """Run the traces of these numbers; tell what was in them."""
    tally: Counter[str] = Counter()
    for number in numbers:
        try:
            books = trace(number)
        except Exception as error:
            raise AssertionError(f"the books of trace({number}) do not balance") from error
        tally.update(books.tally)
        tally["forgiven ms"] += sum(books.forgiven)
        tally["lies seen to the end"] += books.unforgiving is not None
    return tally


def test_thousands_of_traces() -> None:
    tally = run(range(3_000))
    assert set(tally) >= ACTS
    assert min(tally[act] for act in ACTS) > 500
    assert tally["lies seen to the end"] > 1_000
    assert tally["forgiven ms"] > 10**6


@pytest.mark.slow
def test_many_traces() -> None:
    """With BARPOINT_TRACES=1000000 in the environment it is a million."""
    number = int(os.environ.get("BARPOINT_TRACES", "20000"))
    tally = run(range(10_000, 10_000 + number))
    print(f"\n{number} traces:", ", ".join(f"{count} {act}" for act, count in sorted(tally.items())))
    assert set(tally) >= ACTS


@pytest.mark.parametrize(
    "spoil",
    [
        # An act that loses a millisecond, makes one, or forgives what it should not.
        ("press", lambda act: lambda self, *, at, lag=0: act(self, at=at + 1, lag=lag)),
        ("pause", lambda act: lambda self, *, at: act(self, at=at - 1)),
        ("give_back", lambda act: lambda self, *, at, lag=0: act(self, at=at, lag=lag + 1)),
        ("lend", lambda act: lambda self, *, at, lag=0: act(self, at=at, lag=0)),
        ("excuse", lambda act: lambda self, ms: act(self, ms + 1)),
        ("credit", lambda act: lambda self, side, ms: act(self, side.other, ms)),
        ("spend", lambda act: lambda self, *, at, lag=0: act(self, at=at).credit(WHITE, 1)),
    ],
    ids=lambda spoil: spoil[0],
)
def test_the_books_notice_a_millisecond(spoil, monkeypatch) -> None:
    name, spoilt = spoil
    monkeypatch.setattr(Clock, name, spoilt(getattr(Clock, name)))
    with pytest.raises(AssertionError, match="do not balance"):
        run(range(200))


# -- and from Hypothesis, which finds the short ones ---------------------------------------------------

milliseconds, sides = some.integers(0, 30_000), some.sampled_from(Side)
claims = some.integers(-100, 40_000)


@some.composite
def controls(draw) -> Control:
    timing = draw(some.sampled_from(Timing))
    delay = 0 if timing is Timing.PLAIN else draw(some.integers(0, 15_000))
    return Control(timing, draw(some.integers(1, 60_000)), delay)


class Traces(RuleBasedStateMachine):
    """The same books, with acts and figures drawn by Hypothesis."""

    def __init__(self) -> None:
        super().__init__()
        self.books = Books(Control(Timing.PLAIN, 1))

    def when(*states: str) -> Callable[..., object]:  # type: ignore[misc]
        return precondition(lambda self: self.state in states)

    @property
    def state(self) -> str:
        books = self.books
        if books.running is None:
            return "stands"
        return "paused" if books.paused else "lent" if books.is_lent else "runs"

    @initialize(control=controls())
    def begin(self, control: Control) -> None:
        self.books = Books(control)

    @rule(by=milliseconds | some.integers(-20_000, 0))
    def wait(self, by: int) -> None:
        self.books.wait(by)

    @rule(side=sides, sample=some.integers(-10, 6_000))
    def measure(self, side: Side, sample: int) -> None:
        self.books.measure(side, sample)

    @when("stands")
    @rule(side=sides, later=some.integers(0, 3_000))
    def start(self, side: Side, later: int) -> None:
        self.books.start(side, later)

    @when("runs")
    @rule(claim=claims, by=milliseconds)
    def press(self, claim: int, by: int) -> None:
        self.books.wait(by)
        self.books.press(claim)

    @when("runs")
    @rule(claim=claims, by=milliseconds)
    def lend(self, claim: int, by: int) -> None:
        self.books.wait(by)
        self.books.lend(claim)

    @when("lent")
    @rule(claim=claims, by=milliseconds)
    def give_back(self, claim: int, by: int) -> None:
        self.books.wait(by)
        self.books.give_back(claim)

    @when("runs", "lent", "paused")
    @rule(claim=claims)
    def stop(self, claim: int) -> None:
        self.books.stop(claim)

    @rule()
    def pause(self) -> None:
        self.books.pause()

    @rule()
    def resume(self) -> None:
        self.books.resume()

    @rule(side=sides, much=some.integers(1, 60_000))
    def credit(self, side: Side, much: int) -> None:
        self.books.credit(side, much)

    @rule(lasted=milliseconds, excused=some.integers(1, 40_000))
    def outage(self, lasted: int, excused: int) -> None:
        self.books.outage(lasted, excused)

    @when("stands", "paused")
    @rule(act=some.sampled_from(["press", "lend", "give_back"]))
    def refuse(self, act: str) -> None:
        self.books.refuse(act)

    @when("lent")
    @rule(act=some.sampled_from(["press", "lend"]))
    def refuse_while_lent(self, act: str) -> None:
        self.books.refuse(act)

    @invariant()
    def looks_right(self) -> None:
        self.books.look()


def test_traces_by_hypothesis() -> None:
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        Traces, settings=settings(max_examples=60, stateful_step_count=40, deadline=None)
    )
