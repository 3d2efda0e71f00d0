"""The match clock as a value: the time each side has left, the running turn, the deadline of the flag.

It never reads a system clock; the caller passes the time. Times are whole milliseconds, instants counted from
any fixed epoch: sums must be exact, which floats are not, and a `timedelta` is no JSON or database type.

Reserve and delay are two figures. The reserve is a side's time for the match; the delay belongs to one turn,
and `DelayMethod` says how it is applied. A press ends a turn: a play, a double, a take. Between games and for
the opening roll no clock runs.

A side that needs an answer from the opponent in the middle of its turn lends the clock: its own turn is
suspended, a turn of the opponent's runs, and the first turn continues when the clock is given back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, NamedTuple, cast

from engine.errors import IllegalAction, Impossible, Unreadable
from engine.side import SIDES_OR_NONE, BySide, Side

SECOND: Final = 1_000
MINUTE: Final = 60 * SECOND
DAY: Final = 24 * 60 * MINUTE
VERSION: Final = 1
LOVE_ALL: Final = BySide(0, 0)


class DelayMethod(StrEnum):
    """A way of applying a turn's delay. The first three never increase the reserve."""

    PLAIN = "plain"  # no delay
    SIMPLE = "simple"  # the reserve starts running when the delay is used up
    BRONSTEIN = "bronstein"  # the reserve runs at once; the time of the turn is given back, up to the delay
    FISCHER = "fischer"  # the reserve runs at once; the delay is added after every turn


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A time control: the initial reserve and the time added for each turn.

    With days instead of seconds, simple delay is the clock of correspondence play: some days are free in each
    turn, and any time beyond them comes out of the reserve.

    >>> TimeControl(DelayMethod.SIMPLE, reserve=5_000, delay=12_000).allowance(5_000)
    17000
    >>> TimeControl(DelayMethod.BRONSTEIN, reserve=5_000, delay=12_000).allowance(5_000)
    5000
    """

    timing: DelayMethod
    reserve: int
    delay: int = 0

    def __post_init__(self) -> None:
        if self.reserve < 0 or self.delay < 0 or (self.timing is DelayMethod.PLAIN and self.delay):
            raise Impossible("bad-clock", "A clock has no negative times, and a plain one no delay.")
        if self.allowance(self.reserve) == 0:
            raise Impossible("bad-clock", "With this clock the flag would fall before the first turn.")

    def allowance(self, reserve: int) -> int:
        """Return the time a turn may last until the flag falls."""
        return reserve + self.delay if self.timing is DelayMethod.SIMPLE else reserve

    def after(self, reserve: int, elapsed: int, *, is_answer: bool = False) -> int:
        """Return the reserve after a turn of *elapsed* milliseconds; 0 if the flag has fallen.

        An answer in the middle of the opponent's turn earns no Fischer increment, since no move was made.
        """
        if elapsed >= self.allowance(reserve):
            return 0
        if self.timing is DelayMethod.FISCHER:
            return reserve - elapsed + (0 if is_answer else self.delay)
        return reserve - elapsed + min(self.delay, elapsed)


class TimeLeft(NamedTuple):
    """The two figures on a side's display: its reserve, and what is left of a simple delay in its turn."""

    reserve: int
    delay: int


@dataclass(frozen=True, slots=True)
class Clock:
    """One state of a clock. Methods that change the state return the next one.

    It runs if ``turn`` and ``since`` are set; with ``turn`` alone it is paused. ``since`` may be in the
    future: until then the turn uses no time.

    >>> clock = Clock.set(TimeControl(DelayMethod.SIMPLE, reserve=2 * MINUTE, delay=12 * SECOND))
    >>> clock = clock.start(Side.WHITE, at=0).press(at=15 * SECOND)
    >>> clock.reserve, clock.turn
    (BySide(white=117000, black=120000), <Side.BLACK: 1>)
    """

    control: TimeControl
    reserve: BySide[int]
    turn: Side | None = None
    since: int | None = None
    # Time the running turn used before the last pause, less what was excused.
    used: int = 0
    # The same for the opponent's suspended turn; None if no turn is suspended.
    lent: int | None = None

    @classmethod
    def set(cls, control: TimeControl) -> Clock:
        """Return the clock before the match, not running."""
        return cls(control, BySide(control.reserve, control.reserve))

    def start(self, side: Side, *, at: int) -> Clock:
        if self.turn is not None:
            raise IllegalAction("clock-runs", f"The clock runs already, for {self.turn.word}.")
        return replace(self, turn=side, since=at, used=0, lent=None)

    def spend(self, *, at: int, lag: int = 0) -> Clock:
        """End the turn and any suspended turn, and start none: game over, or flag fallen.

        *lag* is network time that the player is not charged for.
        """
        side = self._require_player()
        clock = Clock(self.control, self._charge(side, self.elapsed(at, lag)))
        if self.lent is None:
            return clock
        return replace(clock, reserve=clock._charge(side.other, max(0, self.lent)))

    def press(self, *, at: int, lag: int = 0) -> Clock:
        """End the turn and start the opponent's; raises IllegalAction if the flag fell first."""
        side = self._require_player_in_time(at, lag)
        self._refuse_if_lent()
        return self.spend(at=at, lag=lag).start(side.other, at=at)

    def lend(self, *, at: int, lag: int = 0) -> Clock:
        """Suspend the running turn and start one of the opponent, who has to answer something.

        >>> clock = Clock.set(TimeControl(DelayMethod.SIMPLE, 60_000, 12_000)).start(Side.WHITE, at=0)
        >>> clock = clock.lend(at=5_000).give_back(at=9_000).press(at=19_000)
        >>> clock.reserve  # white took 5 + 10 seconds, black 4
        BySide(white=57000, black=60000)
        """
        side = self._require_player_in_time(at, lag)
        self._refuse_if_lent()
        return replace(self, turn=side.other, since=at, used=0, lent=self._compute_time_taken(at, lag))

    def give_back(self, *, at: int, lag: int = 0) -> Clock:
        """Charge the answering side for its answer and continue the suspended turn."""
        side = self._require_player_in_time(at, lag)
        if self.lent is None:
            raise IllegalAction("clock-not-lent", "No turn waits for this one.")
        reserve = self._charge(side, self.elapsed(at, lag))
        return Clock(self.control, reserve, side.other, since=at, used=self.lent)

    def take_back(self, *, at: int) -> Clock:
        """Continue the suspended turn without charging either side for the time in between.

        >>> clock = Clock.set(TimeControl(DelayMethod.PLAIN, 60_000)).start(Side.WHITE, at=0)
        >>> clock = clock.lend(at=5_000).take_back(at=90_000)
        >>> clock.turn, clock.elapsed(90_000), clock.reserve
        (<Side.WHITE: 0>, 5000, BySide(white=60000, black=60000))
        """
        side = self._require_player()
        if self.lent is None:
            raise IllegalAction("clock-not-lent", "No turn waits for this one.")
        return Clock(self.control, self.reserve, side.other, since=at, used=self.lent)

    def pause(self, *, at: int) -> Clock:
        """Pause the turn; has no effect on a clock that does not run."""
        if self.since is None:
            return self
        return replace(self, since=None, used=self.used + max(0, at - self.since))

    def resume(self, *, at: int) -> Clock:
        """Continue a paused turn; has no effect otherwise."""
        return replace(self, since=at) if self.turn is not None and self.since is None else self

    def credit(self, side: Side, milliseconds: int) -> Clock:
        if milliseconds <= 0:
            raise Impossible("bad-credit", "A credit of time is more than nothing.")
        return replace(self, reserve=self.reserve.put(side, self.reserve[side] + milliseconds))

    def excuse(self, milliseconds: int) -> Clock:
        """Subtract a server outage from the time of the running turn."""
        if milliseconds <= 0:
            raise Impossible("bad-credit", "An outage lasts longer than nothing.")
        return replace(self, used=self.used - milliseconds) if self.turn is not None else self

    def elapsed(self, at: int, lag: int = 0) -> int:
        """Return the time that the turn has taken so far; never negative."""
        return max(0, self._compute_time_taken(at, lag))

    def deadline(self) -> int | None:
        """Return the first instant at which the running side's flag is down; None while no clock runs."""
        if self.turn is None or self.since is None:
            return None
        allowance = self.control.allowance(self.reserve[self.turn])
        # A side without any time left is flagged as its turn begins; a later outage does not give it time.
        return self.since + (max(0, allowance - self.used) if allowance else 0)

    def is_flagged(self, at: int, lag: int = 0) -> bool:
        if self.turn is None:
            return False
        return self.elapsed(at, lag) >= self.control.allowance(self.reserve[self.turn])

    def left(self, side: Side, *, at: int) -> TimeLeft:
        """Return the two figures of one side's display.

        >>> clock = Clock.set(TimeControl(DelayMethod.SIMPLE, 60_000, 12_000)).start(Side.WHITE, at=0)
        >>> clock.left(Side.WHITE, at=5_000), clock.left(Side.WHITE, at=20_000)
        (TimeLeft(reserve=60000, delay=7000), TimeLeft(reserve=52000, delay=0))
        """
        taken = self.elapsed(at) if side is self.turn else max(0, self.lent or 0)
        free = self.control.delay if self.control.timing is DelayMethod.SIMPLE else 0
        return TimeLeft(max(0, self.reserve[side] - max(0, taken - free)), max(0, free - taken))

    def _require_player(self) -> Side:
        if self.turn is None:
            raise IllegalAction("clock-stands", "No clock is running.")
        return self.turn

    def _require_player_in_time(self, at: int, lag: int) -> Side:
        side = self._require_player()
        if self.since is None:
            raise IllegalAction("clock-paused", "The clock is paused.")
        if self.is_flagged(at, lag):
            raise IllegalAction("flag-fallen", f"The time of {side.word} had run out.")
        return side

    def _refuse_if_lent(self) -> None:
        if self.lent is not None:
            raise IllegalAction("clock-lent", "A turn waits for this one: the clock is given back first.")

    def _charge(self, side: Side, elapsed: int) -> BySide[int]:
        is_answer = self.lent is not None
        return self.reserve.put(side, self.control.after(self.reserve[side], elapsed, is_answer=is_answer))

    def _compute_time_taken(self, at: int, lag: int) -> int:
        running = max(0, at - self.since) if self.since is not None else 0
        taken = self.used + running
        # Lag is at most the time the turn took: unused lag is not saved for later turns.
        return taken - min(lag, max(0, taken))

    def to_json(self) -> dict[str, Any]:
        return {
            "v": VERSION,
            "timing": self.control.timing.value,
            "start": self.control.reserve,
            "delay": self.control.delay,
            "reserve": list(self.reserve),
            "turn": None if self.turn is None else self.turn.word,
            "since": self.since,
            "used": self.used,
            "lent": self.lent,
        }

    @classmethod
    def from_json(cls, data: object) -> Clock:
        try:
            return _read_clock(cast("Mapping[str, Any]", data))
        except (KeyError, TypeError, ValueError, AttributeError, Impossible) as error:
            raise Unreadable("bad-clock", f"This is no clock: {error}.") from error


def _read_clock(data: Mapping[str, Any]) -> Clock:
    if data["v"] != VERSION:
        raise ValueError(f"version {data['v']!r} is not known here")
    white, black = data["reserve"]
    turn = SIDES_OR_NONE[data["turn"]]
    since = None if data["since"] is None else _read_number(data["since"])
    lent = data.get("lent")  # missing in clocks that were written before lending existed
    if turn is None and (since is not None or lent is not None):
        raise ValueError("it runs for nobody")
    control = TimeControl(
        DelayMethod(data["timing"]), _read_number(data["start"]), _read_number(data["delay"])
    )
    reserve = BySide(_read_number(white), _read_number(black))
    if min(reserve) < 0:
        raise ValueError("a reserve is below nothing")
    return Clock(
        control,
        reserve,
        turn,
        since,
        _read_number(data["used"]),
        None if lent is None else _read_number(lent),
    )


def _read_number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is no whole number of milliseconds")
    return value


@dataclass(frozen=True, slots=True)
class Preset:
    """A time control by match length: a base, an amount per point, less an amount per point already won."""

    name: str
    timing: DelayMethod
    base: int = 0
    a_point: int = 0
    less_a_point_won: int = 0
    delay: int = 0

    def control(self, length: int, score: BySide[int] = LOVE_ALL) -> TimeControl:
        """Return the control for a match of *length* points if the clock is set at *score*.

        >>> PRESETS["us-2013"].control(11).reserve // MINUTE
        22
        >>> PRESETS["us-2013"].control(11, BySide(6, 3)).reserve // MINUTE
        13
        """
        if self.a_point and not length:
            raise Impossible("clock-needs-length", f"The clock '{self.name}' needs a match with a length.")
        won = score.white + score.black
        reserve = self.base + self.a_point * length - self.less_a_point_won * won
        return TimeControl(self.timing, reserve, self.delay)


_SIMPLE, _PLAIN = DelayMethod.SIMPLE, DelayMethod.PLAIN

PRESETS: Final = {
    preset.name: preset
    for preset in (
        Preset("club", _SIMPLE, a_point=2 * MINUTE, delay=12 * SECOND),
        Preset("fast", _SIMPLE, a_point=MINUTE, delay=10 * SECOND),
        Preset("blitz", _SIMPLE, a_point=20 * SECOND, delay=8 * SECOND),
        Preset("slow", _SIMPLE, a_point=3 * MINUTE, delay=15 * SECOND),
        # The American rules of 2013: minutes = 2 N - (a + b), and more for consulting pairs.
        Preset("us-2013", _SIMPLE, a_point=2 * MINUTE, less_a_point_won=MINUTE, delay=12 * SECOND),
        Preset(
            "us-2013-doubles", _SIMPLE, a_point=150 * SECOND, less_a_point_won=75 * SECOND, delay=18 * SECOND
        ),
        # The unified rules of 2001: minutes = 3 (points A needs + points B needs) = 6 N - 3 (a + b).
        Preset("unified-2001", _PLAIN, a_point=6 * MINUTE, less_a_point_won=3 * MINUTE),
        Preset("correspondence", _SIMPLE, base=10 * DAY, delay=2 * DAY),
    )
}
