"""The match clock as a value: what is left to each side, whose turn runs, when a flag falls.

It never looks at a watch; the caller says what time it is. Times are whole milliseconds of any one
epoch, since the accounts have to balance to the last one: floats do not add up, and a `timedelta` is
such an integer in a coat that neither JSON nor a database column wears.

Reserve and delay are two figures. The reserve is what a side has for the match; the delay belongs to
one turn, and how it is given is the `Timing`. A press ends a turn: a play, a double, a take. Between
games and for the opening roll nobody's clock runs.

Where a side needs something of the other in the middle of its turn, it lends the clock: its own turn
waits, one of the other's runs, and when the clock is given back the first turn runs on where it was.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from engine.errors import IllegalAction, Impossible, Unreadable
from engine.side import BySide, Side

if TYPE_CHECKING:
    from collections.abc import Mapping

SECOND: Final = 1_000
MINUTE: Final = 60 * SECOND
DAY: Final = 24 * 60 * MINUTE
VERSION: Final = 1
LOVE_ALL: Final = BySide(0, 0)


class Timing(StrEnum):
    """What a turn's delay does. None of the first three can ever add to a reserve."""

    PLAIN = "plain"  # there is none
    SIMPLE = "simple"  # the reserve begins to run when the delay is used up
    BRONSTEIN = "bronstein"  # the reserve runs at once; what a turn took is given back, up to the delay
    FISCHER = "fischer"  # the reserve runs at once; the delay is added after every turn


@dataclass(frozen=True, slots=True)
class Control:
    """A time control: what each side begins with, and what each turn gives.

    With days instead of seconds, simple delay is the clock of correspondence play: so many days a turn
    are free, and what is taken beyond them comes out of a pool.

    >>> Control(Timing.SIMPLE, reserve=5_000, delay=12_000).allowance(5_000)
    17000
    >>> Control(Timing.BRONSTEIN, reserve=5_000, delay=12_000).allowance(5_000)
    5000
    """

    timing: Timing
    reserve: int
    delay: int = 0

    def __post_init__(self) -> None:
        if self.reserve < 0 or self.delay < 0 or (self.timing is Timing.PLAIN and self.delay):
            raise Impossible("bad-clock", "A clock has no negative times, and a plain one no delay.")
        if self.allowance(self.reserve) == 0:
            raise Impossible("bad-clock", "With this clock the flag would fall before the first turn.")

    def allowance(self, reserve: int) -> int:
        """Return how long a turn may last until the flag falls."""
        return reserve + self.delay if self.timing is Timing.SIMPLE else reserve

    def after(self, reserve: int, elapsed: int, *, is_answer: bool = False) -> int:
        """Return the reserve after a turn of that length; nothing once the flag has fallen.

        An answer in the middle of the other side's turn earns no Fischer seconds: nobody has moved.
        """
        if elapsed >= self.allowance(reserve):
            return 0
        if self.timing is Timing.FISCHER:
            return reserve - elapsed + (0 if is_answer else self.delay)
        return reserve - elapsed + min(self.delay, elapsed)


class Left(NamedTuple):
    """What the display shows: a side's reserve, and what is left of its turn's free time."""

    reserve: int
    delay: int


@dataclass(frozen=True, slots=True)
class Clock:
    """One moment of a clock. Every act returns the next one.

    It runs when there is a turn and a time since when; it is paused when there is only a turn. A time
    that is yet to come is no mistake: until then the turn takes nothing.

    >>> clock = Clock.set(Control(Timing.SIMPLE, reserve=2 * MINUTE, delay=12 * SECOND))
    >>> clock = clock.start(Side.WHITE, at=0).press(at=15 * SECOND)
    >>> clock.reserve, clock.turn
    (BySide(white=117000, black=120000), <Side.BLACK: 1>)
    """

    control: Control
    reserve: BySide[int]
    turn: Side | None = None
    since: int | None = None
    # What the running turn took before the last pause, less what was excused.
    used: int = 0
    # The same of the other side's turn, which waits for this one; None where none waits.
    lent: int | None = None

    @classmethod
    def set(cls, control: Control) -> Clock:
        """Return the clock as it stands before the match, running for nobody."""
        return cls(control, BySide(control.reserve, control.reserve))

    def start(self, side: Side, *, at: int) -> Clock:
        """Begin a turn of *side*."""
        if self.turn is not None:
            raise IllegalAction("clock-runs", f"The clock runs already, for {self.turn.word}.")
        return replace(self, turn=side, since=at, used=0, lent=None)

    def spend(self, *, at: int, lag: int = 0) -> Clock:
        """End the turn, and the one that waits for it, and start nobody's: game over, or flag fallen.

        *lag* is what the network took and the player is not charged with.
        """
        side = self._player()
        clock = Clock(self.control, self._charged(side, self.elapsed(at, lag)))
        if self.lent is None:
            return clock
        return replace(clock, reserve=clock._charged(side.other, max(0, self.lent)))

    def press(self, *, at: int, lag: int = 0) -> Clock:
        """End the turn and start the opponent's; refused where the flag fell first."""
        side = self._player_in_time(at, lag)
        self._refuse_if_lent()
        return self.spend(at=at, lag=lag).start(side.other, at=at)

    def lend(self, *, at: int, lag: int = 0) -> Clock:
        """Ask something of the other side: one's own turn waits, and one of the other's begins.

        >>> clock = Clock.set(Control(Timing.SIMPLE, 60_000, 12_000)).start(Side.WHITE, at=0)
        >>> clock = clock.lend(at=5_000).give_back(at=9_000).press(at=19_000)
        >>> clock.reserve  # white took 5 + 10 seconds, black 4
        BySide(white=57000, black=60000)
        """
        side = self._player_in_time(at, lag)
        self._refuse_if_lent()
        return replace(self, turn=side.other, since=at, used=0, lent=self._taken(at, lag))

    def give_back(self, *, at: int, lag: int = 0) -> Clock:
        """Charge the side that was asked for its answer, and let the turn that waited run on."""
        side = self._player_in_time(at, lag)
        if self.lent is None:
            raise IllegalAction("clock-not-lent", "No turn waits for this one.")
        reserve = self._charged(side, self.elapsed(at, lag))
        return Clock(self.control, reserve, side.other, since=at, used=self.lent)

    def take_back(self, *, at: int) -> Clock:
        """Let the turn that waited run on, and charge nobody for what it was lent for.

        >>> clock = Clock.set(Control(Timing.PLAIN, 60_000)).start(Side.WHITE, at=0)
        >>> clock = clock.lend(at=5_000).take_back(at=90_000)
        >>> clock.turn, clock.elapsed(90_000), clock.reserve
        (<Side.WHITE: 0>, 5000, BySide(white=60000, black=60000))
        """
        side = self._player()
        if self.lent is None:
            raise IllegalAction("clock-not-lent", "No turn waits for this one.")
        return Clock(self.control, self.reserve, side.other, since=at, used=self.lent)

    def pause(self, *, at: int) -> Clock:
        """Stop the turn where it is; a clock that does not run stays as it is."""
        if self.since is None:
            return self
        return replace(self, since=None, used=self.used + max(0, at - self.since))

    def resume(self, *, at: int) -> Clock:
        """Let a paused turn run on."""
        return replace(self, since=at) if self.turn is not None and self.since is None else self

    def credit(self, side: Side, milliseconds: int) -> Clock:
        """Add to a reserve: the only way time comes into being, and always somebody's act."""
        if milliseconds <= 0:
            raise Impossible("bad-credit", "A credit of time is more than nothing.")
        return replace(self, reserve=self.reserve.put(side, self.reserve[side] + milliseconds))

    def excuse(self, milliseconds: int) -> Clock:
        """Take an outage of ours out of the turn it fell into."""
        if milliseconds <= 0:
            raise Impossible("bad-credit", "An outage lasts longer than nothing.")
        return replace(self, used=self.used - milliseconds) if self.turn is not None else self

    def elapsed(self, at: int, lag: int = 0) -> int:
        """Return how long the turn has taken; a watch that was put back takes nothing back."""
        return max(0, self._taken(at, lag))

    def deadline(self) -> int | None:
        """Return the first instant at which the running flag is down; none while no clock runs."""
        if self.turn is None or self.since is None:
            return None
        allowance = self.control.allowance(self.reserve[self.turn])
        # Who has nothing left is flagged as the turn begins; no outage after that gives them anything.
        return self.since + (max(0, allowance - self.used) if allowance else 0)

    def is_flagged(self, at: int, lag: int = 0) -> bool:
        """Has the flag of the side to play fallen?"""
        if self.turn is None:
            return False
        return self.elapsed(at, lag) >= self.control.allowance(self.reserve[self.turn])

    def left(self, side: Side, *, at: int) -> Left:
        """Return the two figures of one side's display.

        >>> clock = Clock.set(Control(Timing.SIMPLE, 60_000, 12_000)).start(Side.WHITE, at=0)
        >>> clock.left(Side.WHITE, at=5_000), clock.left(Side.WHITE, at=20_000)
        (Left(reserve=60000, delay=7000), Left(reserve=52000, delay=0))
        """
        taken = self.elapsed(at) if side is self.turn else max(0, self.lent or 0)
        free = self.control.delay if self.control.timing is Timing.SIMPLE else 0
        return Left(max(0, self.reserve[side] - max(0, taken - free)), max(0, free - taken))

    def _player(self) -> Side:
        if self.turn is None:
            raise IllegalAction("clock-stands", "No clock is running.")
        return self.turn

    def _player_in_time(self, at: int, lag: int) -> Side:
        side = self._player()
        if self.since is None:
            raise IllegalAction("clock-paused", "The clock is paused.")
        if self.is_flagged(at, lag):
            raise IllegalAction("flag-fallen", f"The time of {side.word} had run out.")
        return side

    def _refuse_if_lent(self) -> None:
        if self.lent is not None:
            raise IllegalAction("clock-lent", "A turn waits for this one: the clock is given back first.")

    def _charged(self, side: Side, elapsed: int) -> BySide[int]:
        is_answer = self.lent is not None
        return self.reserve.put(side, self.control.after(self.reserve[side], elapsed, is_answer=is_answer))

    def _taken(self, at: int, lag: int) -> int:
        running = max(0, at - self.since) if self.since is not None else 0
        taken = self.used + running
        # Lag is never more than the turn took: what a network may yet take is not saved up.
        return taken - min(lag, max(0, taken))

    def to_json(self) -> dict[str, Any]:
        """Return the clock as JSON's plain values."""
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
        """Read what `to_json` wrote."""
        try:
            return _clock(cast("Mapping[str, Any]", data))
        except (KeyError, TypeError, ValueError, AttributeError, Impossible) as error:
            raise Unreadable("bad-clock", f"This is no clock: {error}.") from error


def _clock(data: Mapping[str, Any]) -> Clock:
    if data["v"] != VERSION:
        raise ValueError(f"version {data['v']!r} is not known here")
    white, black = data["reserve"]
    turn = {None: None, "white": Side.WHITE, "black": Side.BLACK}[data["turn"]]
    since = None if data["since"] is None else _whole(data["since"])
    lent = data.get("lent")  # clocks were written before one could be lent
    if turn is None and (since is not None or lent is not None):
        raise ValueError("it runs for nobody")
    control = Control(Timing(data["timing"]), _whole(data["start"]), _whole(data["delay"]))
    reserve = BySide(_whole(white), _whole(black))
    if min(reserve) < 0:
        raise ValueError("a reserve is below nothing")
    return Clock(control, reserve, turn, since, _whole(data["used"]), None if lent is None else _whole(lent))


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is no whole number of milliseconds")
    return value


@dataclass(frozen=True, slots=True)
class Preset:
    """A time control by the length of the match: so much, so much a point, less for points already won."""

    name: str
    timing: Timing
    base: int = 0
    a_point: int = 0
    less_a_point_won: int = 0
    delay: int = 0

    def control(self, length: int, score: BySide[int] = LOVE_ALL) -> Control:
        """Return the control of a match of *length* points when the clock is set at *score*.

        >>> PRESETS["us-2013"].control(11).reserve // MINUTE
        22
        >>> PRESETS["us-2013"].control(11, BySide(6, 3)).reserve // MINUTE
        13
        """
        if self.a_point and not length:
            raise Impossible("clock-needs-length", f"The clock '{self.name}' needs a match with a length.")
        won = score.white + score.black
        reserve = self.base + self.a_point * length - self.less_a_point_won * won
        return Control(self.timing, reserve, self.delay)


_SIMPLE, _PLAIN = Timing.SIMPLE, Timing.PLAIN

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
