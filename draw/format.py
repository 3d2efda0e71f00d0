"""What a format is: a value that says everything about itself that anybody asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, Protocol

from draw.event import EntrantId, Field, Proposal

if TYPE_CHECKING:
    from draw.chance import Chance
    from draw.event import Entrant
    from draw.options import Option, Options, Specs

# How likely a beats b over so many points.
Odds = Callable[[EntrantId, EntrantId, int], float]
# Decides a match that its first player wins with this chance.
Decide = Callable[[float], bool]

MOST_PLAYERS: Final = 1_024
# Everybody meets everybody.
LARGEST_CIRCLE: Final = 64


class FormatKind(StrEnum):
    """How its matches come about."""

    ELIMINATION = "elimination"  # on a sheet of lines: whoever loses goes out, or falls
    ROUNDS = "rounds"  # paired round by round, by what was scored
    CIRCLES = "circles"  # everybody meets everybody of a circle


class DueFrom(StrEnum):
    """From when on the days of a round count."""

    OPENED = "opened"  # the match can be played
    PUBLISHED = "published"  # the draw was published: those of all rounds, one after the other (P80)


@dataclass(frozen=True, slots=True)
class Finishes:
    """What many simulated finishes came to."""

    runs: int
    ranks: Mapping[EntrantId, Mapping[int, int]]  # rank -> how often
    matches: Mapping[EntrantId, int]  # still to come, over all runs


class Playout(Protocol):
    """The undecided part of a stage, ready to be played many times; it has its odds."""

    # How many matches are open.
    open: int

    @property
    def work(self) -> int:
        """What was computed so far: one for each match that was decided, and as much for whatever takes as long."""
        ...

    def finishes(self, rng: Chance, runs: int) -> Finishes:
        """Play the rest so many times and count who came where."""
        ...

    def winners(self, rng: Chance, runs: int) -> Mapping[EntrantId, int]:
        """Play the rest so many times and count who came first; a shared first place counts for each."""
        ...

    def every_winner(self) -> Mapping[EntrantId, float]:
        """Return how likely each comes first, from every way to end.

        :raises TooManyWays: there are too many.
        """
        ...


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """One round of a structure before anybody is drawn."""

    bracket: str
    round: int
    letter: str  # as the drop notation calls it, "" beyond the alphabet
    slot: int  # when it is played, counted in rounds of the main draw
    drops: str  # who falls in before it
    survivors: int
    matches: int
    byes: int


@dataclass(frozen=True, slots=True)
class RoundCount:
    """How many rounds there will be, and of each how many matches and byes."""

    rounds: int
    matches: int
    byes: int


def every_round(options: Options, entrants: int) -> RoundCount:
    """Return the rounds of a format in which all play in each: as many as are announced, or all meet."""
    announced = options.get("rounds")
    all_meet = entrants if entrants % 2 else entrants - 1
    rounds = announced if isinstance(announced, int) and announced else all_meet
    return RoundCount(rounds, entrants // 2, entrants % 2)


def never_in_groups(options: Options, entrants: int) -> int:
    """Return how many are in a group, where nobody is: 0."""
    return 0


def at_any_time(options: Options) -> int:
    """Return every how many minutes those who are free are paired, where they do not wait for that: 0."""
    return 0


def pgettext(context: str, said: str) -> str:
    """Mark a name that whoever shows it may translate; collectors of sentences know it by this name."""
    return said


@dataclass(frozen=True, slots=True)
class Format:
    """A format: how it proposes, which options it knows, what its reasons say, and how it is played."""

    propose: Callable[[Field, Chance], Proposal]
    # What it is called in English; without, by its name.
    label: str = ""
    kind: FormatKind = FormatKind.ROUNDS
    # By name, in the order in which they are asked for.
    options: Specs = field(default_factory=dict[str, "Option[Any]"])
    # Reason code -> sentence with {figures}; {about} is the place or entrant.
    sentences: Mapping[str, str] = field(default_factory=dict[str, str])
    # Every place is there from the start (brackets, round robins), not made round by round.
    fixed: bool = False
    # What is left to play, ready to be played many times. Without it, or where it answers None, one proposes and decides.
    playout: Callable[[Field, Chance, Odds], Playout | None] | None = None
    # What the structure comes to for so many entrants.
    preview: Callable[[Options, int], tuple[RoundPlan, ...]] | None = None
    # Where there is no structure: how many rounds of how many matches; None where only play can tell.
    count: Callable[[Options, int], RoundCount | None] = every_round
    # By what it ranks, if the stage does not say; nothing where places say it all.
    ties: tuple[str, ...] = ()
    # The first round a newcomer is paired in, 0 if there is none. Without it, one proposes and looks.
    joins_from: Callable[[Field, Entrant], int] | None = None
    # The brackets beside the main draw.
    brackets: tuple[str, ...] = ()
    due_from: DueFrom = DueFrom.OPENED
    # What players stand on: "points", or "lives".
    counts_in: str = "points"
    # Without a number of rounds it goes on for as long as two are left (P50).
    is_endless: bool = False
    # How many are in a group, of so many entrants; 0 where there are no groups.
    group_size: Callable[[Options, int], int] = never_in_groups
    # So many can play. Work and places grow with their number, in circles with its square.
    most_players: int = MOST_PLAYERS
    largest_group: int = LARGEST_CIRCLE
    # How many places it makes for so many players at most; without it, as many as its rounds have.
    most_places: Callable[[Options, int], int] | None = None
    # Every how many minutes those who are free are paired; 0 where that is done at once, or they wait for a round.
    batch_minutes: Callable[[Options], int] = at_any_time

    def simulate(self, field: Field, rng: Chance, runs: int, odds: Odds) -> Finishes | None:
        """Play the rest so many times; None where the format cannot do that quickly."""
        found = self.playout and self.playout(field, rng, odds)
        return found.finishes(rng.child("runs"), runs) if found else None

    @property
    def is_elimination(self) -> bool:
        """Say whether it is drawn on lines, and whoever loses goes out, or falls."""
        return self.kind is FormatKind.ELIMINATION

    def is_fixed(self, options: Options) -> bool:
        """Say whether every place is there from the start, with these options."""
        return self.fixed and not options.get("redraw")

    def is_sheet(self, options: Options) -> bool:
        """Say whether it is a sheet of lines that stays as it is drawn, whose byes are places and not facts."""
        return self.is_elimination and not options.get("redraw")

    @property
    def has_groups(self) -> bool:
        """Say whether players are divided into groups."""
        return self.group_size is not never_in_groups

    @property
    def has_rounds(self) -> bool:
        """Say whether it is paired round by round, so that somebody may sit one out."""
        return self.kind is FormatKind.ROUNDS

    @property
    def can_be_extended(self) -> bool:
        """Say whether a round more than was announced can be played."""
        return "rounds" in self.options

    @property
    def has_playoffs(self) -> bool:
        """Say whether ties that count can be played off."""
        return "playoff" in self.options
