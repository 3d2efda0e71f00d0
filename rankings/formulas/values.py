"""What goes into a rating and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def gettext_noop(said: str) -> str:
    """Mark a sentence that whoever shows it may translate; collectors of sentences know it by this name."""
    return said


class BadMatches(ValueError):
    """Matches, or parameters of a system, that cannot be rated."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished match: who met whom, how long it was, who won."""

    id: str | int
    # When it was finished, in seconds.
    at: float
    a: str
    b: str
    a_won: bool
    length: int
    # The rating period, counted from any: only Glicko-2 asks for it.
    period: int = 0

    @property
    def order(self) -> tuple[float, bool, str | int]:
        """Where it stands among all: by finish time, then by id, numbers before texts."""
        return self.at, isinstance(self.id, str), self.id


@dataclass(frozen=True, slots=True)
class Standing:
    """What a system knows of one player."""

    rating: float
    # Points of all matches rated so far.
    experience: int = 0
    # How unsure the rating is, and how unsteady the player: Glicko-2.
    deviation: float = 0.0
    volatility: float = 0.0
    # The period whose end this is; nothing where no period has been played.
    period: int | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """What one match did to one player: `change` is k x weight x (1 or 0 - expectancy)."""

    match: str | int
    player: str
    opponent: str
    won: bool
    before: float
    opponent_before: float
    expectancy: float
    weight: float
    k: float
    change: float
    after: Standing


@dataclass(frozen=True, slots=True)
class Ratings:
    """Where everybody stands, and each step on the way."""

    players: dict[str, Standing]
    steps: list[Step]


class System(Protocol):
    """A way to rate, and what it says of itself, in English."""

    # One line, for whoever chooses; then what it does, in a few sentences, for whoever is rated by it.
    summary: ClassVar[str]
    about: ClassVar[str]
    # What each of its parameters is called, and each value that is a word.
    words: ClassVar[dict[str, str]]
    # Whether it says how sure a rating is.
    has_deviation: ClassVar[bool]
    # Whether the matches of a period are rated together.
    by_period: ClassVar[bool]

    @property
    def start(self) -> float:
        """The rating of somebody who has played nothing."""
        ...

    def new(self) -> Standing:
        """Return the standing of somebody who has played nothing."""
        ...

    def chance(self, a: Standing, b: Standing, length: float) -> float:
        """Return how likely a is to win a match of so many points; half a point of length may be left of one."""
        ...

    def steps(self, outcomes: Iterable[Outcome], players: dict[str, Standing]) -> Iterator[Step]:
        """Rate outcomes that come in order, keep *players* up to date, and tell each match's two steps, a's first."""
        ...

    def at(self, standing: Standing, period: int) -> Standing:
        """Return what is left of a standing at the end of a later period in which nothing was played."""
        ...
