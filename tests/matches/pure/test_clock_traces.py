"""Random clocks and lag: after every act the times add up to the millisecond, and no player gains by lying.

A trace is one clock and its events: turns, lent turns, pauses, outages, credits, a system clock that is set
back, a slow network, and players who report more lag than there was. The test computes the expected times
from the rules of the four timings, without `engine.clock`. A second clock that forgives no lag shows what a
player gains by lying.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable
from typing import TypeAlias

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

from engine.clock import Clock, DelayMethod, TimeControl
from engine.side import BLACK, WHITE, Side
from matches.state.lag import SLACK
from tests.matches.pure import clock_books
from tests.matches.pure.clock_books import Books

Draw: TypeAlias = Callable[[], float]


# -- traces from a seed -------------------------------------------------------------------------------


def trace(seed: int) -> Books:
    """Return the books of one random trace."""
    rng = random.Random(seed)
    r = rng.random
    # Seconds on the board, or the days of correspondence.
    scale = 10_000 if r() < 0.1 else 1
    timing = TIMINGS[int(r() * 4)]
    reserve = 1 + int(r() ** 2 * 600_000) * scale
    delay = 0 if timing is DelayMethod.PLAIN else int(r() * 20_000) * scale
    books = Books(TimeControl(timing, reserve, delay))
    for _ in range(8 + int(r() * 34)):
        step = int(r() ** 5 * 60_000) * scale
        books.wait(-step if r() < 0.04 else step)
        state = OPEN if books.running is None else PAUSED if books.paused else LENT if books.is_lent else RUNS
        state[int(r() * len(state))](books, r, scale)
    books.look()
    return books


def _side(r: Draw) -> Side:
    return WHITE if r() < 0.5 else BLACK


def _claim(books: Books, r: Draw) -> int:
    """The lag that the browser reports: the truth, nothing, the whole turn, or nonsense."""
    kind = r()
    if kind < 0.4:
        return int(r() * 400)
    if kind < 0.7:
        return books.clock.elapsed(books.now)
    return 0 if kind < 0.8 else int((r() - 0.1) * 10**7)


def _measure(books: Books, r: Draw, scale: int) -> None:
    books.measure(_side(r), int(r() ** 3 * 6_000) - 20)


def _start(books: Books, r: Draw, scale: int) -> None:
    side = _side(r)
    if not books.reserve[side] and r() < 0.8:  # a player who flagged mostly gets more time
        books.credit(side, 1 + int(r() * 200_000) * scale)
    books.start(side, int(r() * 3_000) if r() < 0.3 else 0)


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
    lasted = int(r() ** 3 * 60_000) * scale
    kind = r()
    books.outage(lasted, 1 + (lasted if kind < 0.6 else int(2 * kind * lasted)))


def _refuse(books: Books, r: Draw, scale: int) -> None:
    if books.running is None or books.paused:
        books.refuse(("press", "lend", "give_back")[int(r() * 3)])
    else:
        books.refuse(("press" if r() < 0.5 else "lend") if books.is_lent else "give_back")


TIMINGS = tuple(DelayMethod)
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
    """Run the traces of these numbers and count their events."""
    tally: Counter[str] = Counter()
    for number in numbers:
        try:
            books = trace(number)
        except Exception as error:
            raise AssertionError(f"the books of trace({number}) do not balance") from error
        tally.update(books.tally)
        tally["forgiven ms"] += sum(books.forgiven)
        tally["never flagged without lag"] += books.unforgiving is not None
    return tally


@pytest.mark.long
def test_thousands_of_traces() -> None:
    tally = run(range(2_000))
    assert set(tally) >= ACTS
    assert min(tally[act] for act in ACTS) > 300
    assert tally["never flagged without lag"] > 600
    assert tally["forgiven ms"] > 600_000


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


@pytest.mark.parametrize(
    "gullible",
    [
        lambda quota, *, claimed, trusted: max(0, min(claimed, quota)),
        lambda quota, *, claimed, trusted: max(0, min(claimed, (trusted or 0) + SLACK)),
        lambda quota, *, claimed, trusted: min(claimed, quota, (trusted or 0) + SLACK),
    ],
    ids=["no measurement", "no quota", "negative lag"],
)
def test_the_books_notice_a_liar(gullible, monkeypatch) -> None:
    monkeypatch.setattr(clock_books, "compute_allowed", gullible)
    with pytest.raises(AssertionError, match="do not balance"):
        run(range(200))


# -- and from Hypothesis, which finds the short ones ---------------------------------------------------

milliseconds, sides = some.integers(0, 30_000), some.sampled_from(Side)
claims = some.integers(-100, 40_000)


@some.composite
def controls(draw) -> TimeControl:
    timing = draw(some.sampled_from(DelayMethod))
    delay = 0 if timing is DelayMethod.PLAIN else draw(some.integers(0, 15_000))
    return TimeControl(timing, draw(some.integers(1, 60_000)), delay)


class Traces(RuleBasedStateMachine):
    """The same books, with acts and figures drawn by Hypothesis."""

    def __init__(self) -> None:
        super().__init__()
        self.books = Books(TimeControl(DelayMethod.PLAIN, 1))

    def when(*states: str) -> Callable[..., object]:  # type: ignore[misc]
        return precondition(lambda self: self.state in states)

    @property
    def state(self) -> str:
        books = self.books
        if books.running is None:
            return "stands"
        return "paused" if books.paused else "lent" if books.is_lent else "runs"

    @initialize(control=controls())
    def begin(self, control: TimeControl) -> None:
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


@pytest.mark.long
def test_traces_by_hypothesis() -> None:
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        Traces, settings=settings(max_examples=60, stateful_step_count=40, deadline=None)
    )
