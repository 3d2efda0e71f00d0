"""A format as a value: how it proposes, its options, and its properties."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Protocol

from draw.event import Entrant, EntrantId, Field, Proposal
from draw.options import Option, Options, Specs
from draw.random_stream import RandomStream

# The probability that a beats b in a match to so many points.
Odds = Callable[[EntrantId, EntrantId, int], float]
# Decides a match that its first player wins with this chance.
Decide = Callable[[float], bool]

MOST_PLAYERS: Final = 1_024
# The largest group in which all players meet.
LARGEST_CIRCLE: Final = 64


class FormatKind(StrEnum):
    """The way in which matches come about."""

    ELIMINATION = "elimination"  # on a sheet of lines: losers are out, or drop
    ROUNDS = "rounds"  # paired round by round, by score
    CIRCLES = "circles"  # all players of a circle meet each other


class DueFrom(StrEnum):
    """The moment from which a round's days count."""

    OPENED = "opened"  # when the match can be played
    PUBLISHED = "published"  # when the draw was published, all rounds in sequence (P80)


@dataclass(frozen=True, slots=True)
class Finishes:
    runs: int
    ranks: Mapping[EntrantId, Mapping[int, int]]  # rank -> how often
    matches: Mapping[EntrantId, int]  # still to come, over all runs


class Playout(Protocol):
    """The undecided part of a stage, prepared for many simulations with given odds."""

    # The number of open matches.
    open: int

    @property
    def work(self) -> int:
        """Work so far, in units of one decided match."""
        ...

    def finishes(self, rng: RandomStream, runs: int) -> Finishes:
        """Simulate the rest this many times and count final ranks."""
        ...

    def winners(self, rng: RandomStream, runs: int) -> Mapping[EntrantId, int]:
        """Simulate the rest this many times and count winners; a shared first place counts for each."""
        ...

    def every_winner(self) -> Mapping[EntrantId, float]:
        """Compute the exact winning probability of each entrant, from all outcomes.

        :raises TooManyOutcomes: there are too many outcomes.
        """
        ...


@dataclass(frozen=True, slots=True)
class RoundPlan:
    bracket: str
    round: int
    letter: str  # its letter in the drop notation, "" beyond the alphabet
    slot: int  # when it is played, counted in rounds of the main draw
    drops: str  # the drops before it
    survivors: int
    matches: int
    byes: int


@dataclass(frozen=True, slots=True)
class RoundCount:
    rounds: int
    matches: int
    byes: int


def count_full_rounds(options: Options, entrants: int) -> RoundCount:
    """Count the rounds of a format in which all play every round: as announced, or until all have met."""
    announced = options.get("rounds")
    all_meet = entrants if entrants % 2 else entrants - 1
    rounds = announced if isinstance(announced, int) and announced else all_meet
    return RoundCount(rounds, entrants // 2, entrants % 2)


def get_no_group_size(options: Options, entrants: int) -> int:
    """Return 0, the group size of a format without groups."""
    return 0


def pgettext(context: str, text: str) -> str:
    """Mark a name for translation; the message extraction looks for this function."""
    return text


@dataclass(frozen=True, slots=True)
class Format:
    """A format: how it proposes, its options, its sentences, and how it is played."""

    propose: Callable[[Field, RandomStream], Proposal]
    # English label; defaults to its name.
    label: str = ""
    kind: FormatKind = FormatKind.ROUNDS
    # By name, in display order.
    options: Specs = field(default_factory=dict[str, "Option[Any]"])
    # Reason code -> sentence with {figures}; {about} is the place or entrant.
    sentences: Mapping[str, str] = field(default_factory=dict[str, str])
    # All places exist from the start (brackets, round robins).
    fixed: bool = False
    # Prepares the rest for simulation. If missing or returning None, matches are proposed and decided one by one.
    playout: Callable[[Field, RandomStream, Odds], Playout | None] | None = None
    # Plans the structure for so many entrants.
    preview: Callable[[Options, int], tuple[RoundPlan, ...]] | None = None
    # Without a structure: the number of rounds and matches; None if it depends on results.
    count: Callable[[Options, int], RoundCount | None] = count_full_rounds
    # Default tie-breaks; empty if places determine the ranking.
    ties: tuple[str, ...] = ()
    # A newcomer's first round, 0 if there is none. If missing, openings are found by proposing.
    joins_from: Callable[[Field, Entrant], int] | None = None
    # The brackets beside the main draw.
    brackets: tuple[str, ...] = ()
    # The brackets and groups that match rules can name, with these options.
    list_brackets: Callable[[Options], tuple[str, ...]] = lambda _options: ()
    due_from: DueFrom = DueFrom.OPENED
    # The unit of scores: "points" or "lives".
    counts_in: str = "points"
    # Without a number of rounds it continues while two players are left (P50).
    is_endless: bool = False
    # The group size for so many entrants; 0 without groups.
    group_size: Callable[[Options, int], int] = get_no_group_size
    # Limit on players. Work and places grow with their number, in circles with its square.
    most_players: int = MOST_PLAYERS
    # The maximum number of places for so many players; if missing, those of its rounds.
    most_places: Callable[[Options, int], int] | None = None
    # Minutes between pairings of free players; 0 if paired at once, or by rounds.
    batch_minutes: Callable[[Options], int] = lambda _options: 0

    def simulate(self, field: Field, rng: RandomStream, runs: int, odds: Odds) -> Finishes | None:
        """Simulate the rest this many times; None if the format has no fast simulation."""
        found = self.playout and self.playout(field, rng, odds)
        return found.finishes(rng.child("runs"), runs) if found else None

    @property
    def is_elimination(self) -> bool:
        return self.kind is FormatKind.ELIMINATION

    def is_fixed(self, options: Options) -> bool:
        """True if all places exist from the start, with these options."""
        return self.fixed and not options.get("redraw")

    def is_sheet(self, options: Options) -> bool:
        """True if matches are on a sheet that is drawn once; its byes are places, not facts."""
        return self.is_elimination and not options.get("redraw")

    @property
    def has_groups(self) -> bool:
        return self.group_size is not get_no_group_size

    @property
    def keeps_draw(self) -> bool:
        """True if players keep the lines or numbers they drew when earlier results are corrected."""
        return self.is_elimination or self.has_groups

    @property
    def has_rounds(self) -> bool:
        """True if matches are paired round by round, so that a player may sit one out."""
        return self.kind is FormatKind.ROUNDS

    @property
    def can_be_extended(self) -> bool:
        """True if a round can be added to those announced."""
        return "rounds" in self.options

    @property
    def has_playoffs(self) -> bool:
        """True if ties that count can be played off."""
        return "playoff" in self.options
