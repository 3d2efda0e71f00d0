"""Input and output values of a rating computation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Protocol


def gettext_noop(text: str) -> str:
    """Mark a sentence for translation at display time; message extraction looks for this name."""
    return text


class BadMatches(ValueError):
    """Matches, or parameters of a system, that cannot be rated."""


def require_integer(value: object, where: str, *, least: int = 0, most: int) -> int:
    """Require a whole number between bounds.

    :raises BadMatches: the value is something else.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadMatches(f"{where}: a whole number from {least} to {most} is expected, not {value!r}")
    return value


@dataclass(frozen=True, slots=True)
class Outcome:
    id: str | int
    # The finish time, in seconds.
    at: float
    a: str
    b: str
    a_won: bool
    length: int
    # A running number of the rating period; used by Glicko-2 only.
    period: int = 0

    @property
    def order(self) -> tuple[float, bool, str | int]:
        """The sort key: finish time, then id, numbers before texts."""
        return self.at, isinstance(self.id, str), self.id


@dataclass(frozen=True, slots=True)
class Standing:
    rating: float
    # Points of all matches rated so far.
    experience: int = 0
    # Uncertainty of the rating, and how much the player's strength varies: Glicko-2 only.
    deviation: float = 0.0
    volatility: float = 0.0
    # The period at whose end this applies; None if no period has been played.
    period: int | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """The effect of one match on one player: `change` is k x weight x (1 or 0 - expectancy)."""

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
    """The standings of all players, and the steps that lead there."""

    players: dict[str, Standing]
    steps: list[Step]


class System(Protocol):
    """A rating system, with its descriptions in English."""

    # One line, for choosing a system; then a description in a few sentences, for the players.
    summary: ClassVar[str]
    about: ClassVar[str]
    # Labels of the parameters, and of values that are words.
    words: ClassVar[dict[str, str]]
    # True if the system states how certain a rating is.
    has_deviation: ClassVar[bool]
    # True if the matches of a period are rated together.
    by_period: ClassVar[bool]

    @property
    def start(self) -> float:
        """The rating of a player without matches."""
        ...

    def new(self) -> Standing: ...

    def chance(self, a: Standing, b: Standing, length: float) -> float:
        """Return the chance that a wins a match of *length* points.

        The length left of a match that has begun can end in a half.
        """
        ...

    def steps(self, outcomes: Iterable[Outcome], players: dict[str, Standing]) -> Iterator[Step]:
        """Rate sorted outcomes, update *players*, and yield two steps for each match, a's first."""
        ...

    def at(self, standing: Standing, period: int) -> Standing:
        """Return the standing at the end of a later period if nothing was played in between."""
        ...
