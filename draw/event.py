"""Facts and proposals as values. No decisions are made here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, NewType

from draw.options import Options
from draw.rules_of_play import USUAL, RulesOfPlay

EntrantId = NewType("EntrantId", str)
# A permanent address of a place: "main/2.1", "swiss/r2.1", "cup/consolation/4.1".
Key = NewType("Key", str)
# Exact, because half-point byes must not be sums of floats.
Points = Fraction

WIN = Points(1)
NOTHING = Points(0)
HALF = Points(1, 2)


class Kind(StrEnum):
    """The way in which a pairing ended. Each counts differently in results, ratings and draws (P10)."""

    PLAYED = "played"
    DRAWN = "drawn"  # played, without a winner: teams and consultation events only
    WALKOVER = "walkover"  # the loser gave notice and stays in the event
    FORFEIT = "forfeit"  # lost by rule: lateness, the clock, conduct; the loser stays in the event
    DOUBLE_FORFEIT = "double forfeit"  # both lost: neither advances nor drops
    NO_SHOW = "no-show"  # the loser never came
    WITHDRAWAL = "withdrawal"  # the loser has left the event
    VOID = "void"  # declared not to have been played


CONTESTED = frozenset({Kind.PLAYED, Kind.DRAWN})
WON = frozenset({Kind.PLAYED, Kind.WALKOVER, Kind.FORFEIT, Kind.NO_SHOW, Kind.WITHDRAWAL})


class LeaveTime(StrEnum):
    NOW = "now"  # their open match is lost as well
    AFTER = "after the current match"


class ReportingRule(StrEnum):
    """The people whose report of a result counts."""

    WINNER = "winner"
    BOTH = "both"
    DIRECTOR = "director"
    OPEN = "open"


class State(StrEnum):
    WAITING = "waiting"  # a player is unknown or away, or the match is not due yet
    READY = "ready"  # both players are known: to be played now
    DECIDED = "decided"
    BYE = "bye"  # one seat is empty; the other player advances
    VACANT = "vacant"  # both seats are empty: players never see the place


UNDECIDED = (State.READY, State.WAITING)


class From(StrEnum):
    """The origin of a seat's occupant."""

    DRAW = "draw"  # number = line of the draw, from 1
    WINNER = "winner"  # key = place won
    LOSER = "loser"  # key = place lost
    PAIRED = "paired"  # by a round's pairing
    LATE = "late"  # joined here; key = the source that sends no player
    RANK = "rank"  # number = rank, key = the stage or group
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class RequestedBye:
    round: int
    points: Points = NOTHING


@dataclass(frozen=True, slots=True)
class Entrant:
    """A participant. The order of entrants in an event breaks the last ties, never the id."""

    id: EntrantId
    rating: float | None = None
    club: str = ""
    family: str = ""
    seed: int | None = None  # by the director's hand
    pot: int | None = None
    arrived: int = 1  # the first round they can play; 1 = from the start
    head_start: Points = NOTHING  # initial points of a latecomer, for rounds missed
    left: LeaveTime | None = None
    left_as: int = 0  # order of leaving: of two who left, the first loses
    left_after_draws: tuple[str, ...] = ()  # the stages that had been drawn when they left
    asked: tuple[RequestedBye, ...] = ()
    # A latecomer's seat in a side bracket, "consolation/1.2/b"; "" = a line of the draw (P16).
    joins: str = ""


@dataclass(frozen=True, slots=True)
class PairingExclusion:
    """Entrants who must not (hard) or should not (soft) be paired."""

    members: frozenset[EntrantId]
    hard: bool = True
    why: str = ""


@dataclass(frozen=True, slots=True)
class Clock:
    minutes_a_point: Fraction = Fraction(2)
    delay_seconds: int = 12


@dataclass(frozen=True, slots=True)
class MatchRules:
    length: int = 5
    clock: Clock | None = None
    ruleset: str = ""
    reporting: ReportingRule = ReportingRule.WINNER
    days: int | None = None  # for a round; its deadline follows from them (P80)
    play: RulesOfPlay = USUAL


@dataclass(frozen=True, slots=True)
class RoundRules:
    """Match rules of a bracket ("" = any) from a round on; -1 is the last round, -2 the one before (P11)."""

    rules: MatchRules
    bracket: str = ""
    round: int = 1


@dataclass(frozen=True, slots=True)
class Result:
    kind: Kind
    winner: EntrantId | None = None
    score: tuple[int, int] | None = None  # points of a, points of b

    @property
    def contested(self) -> bool:
        """True if the players met at the board."""
        return self.kind in CONTESTED


@dataclass(frozen=True, slots=True)
class Pairing:
    """A recorded pairing. Without a result it is open."""

    key: Key
    a: EntrantId
    b: EntrantId
    result: Result | None = None
    # The result by which players move if a correction left later matches in place (P39).
    stands: Result | None = None

    @property
    def moves(self) -> Result | None:
        """The result by which players move on a sheet."""
        return self.result and (self.stands or self.result)

    @property
    def loser(self) -> EntrantId | None:
        if self.result is None or self.result.winner is None:
            return None
        return self.b if self.result.winner == self.a else self.a


@dataclass(frozen=True, slots=True)
class Bye:
    entrant: EntrantId
    points: Points = WIN
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Round:
    """Pairings made together. In brackets merely a batch, since every place has its key."""

    number: int
    pairings: tuple[Pairing, ...] = ()
    byes: tuple[Bye, ...] = ()
    absent: tuple[EntrantId, ...] = ()
    stage: str = ""


@dataclass(frozen=True, slots=True)
class Take:
    """The entrants a stage takes from an earlier one: ranks first to last, overall or of each group (P12)."""

    stage: str
    first: int = 1
    last: int | None = None
    each_group: bool = False


@dataclass(frozen=True, slots=True)
class Stage:
    """An announced stage: format, options, match rules, and its sources (none = all entrants)."""

    name: str
    format: str
    options: Options = field(default_factory=Options)
    takes: tuple[Take, ...] = ()
    rules: tuple[RoundRules, ...] = ()


@dataclass(frozen=True, slots=True)
class Draw:
    """A published draw: the lines of a stage from top to bottom, None if empty. Never redrawn (P05)."""

    stage: str
    lines: tuple[EntrantId | None, ...]
    method: str
    late: tuple[tuple[int, EntrantId], ...] = ()  # (line from 1, late entrant who took its bye)
    commitment: str = ""
    witnesses: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    stages: tuple[Stage, ...]
    entrants: tuple[Entrant, ...]
    seed: str = ""
    rounds: tuple[Round, ...] = ()
    absent: frozenset[EntrantId] = frozenset()  # temporarily away, not withdrawn
    apart: tuple[PairingExclusion, ...] = ()
    draws: tuple[Draw, ...] = ()
    # Overrides what the rounds add up to (P13).
    scores: tuple[tuple[EntrantId, Points], ...] = ()


@dataclass(frozen=True, slots=True)
class Field:
    """The input of a format: one stage and its entrants."""

    stage: Stage
    entrants: tuple[Entrant, ...]  # in the order the stage took them: all of them as entered, or by rank
    seed: str = ""
    rounds: tuple[Round, ...] = ()  # of this stage only, in order
    absent: frozenset[EntrantId] = frozenset()
    apart: tuple[PairingExclusion, ...] = ()
    draw: Draw | None = None
    scores: Mapping[EntrantId, Points] = field(default_factory=dict[EntrantId, Points])
    intake: tuple[Ranked, ...] = ()  # their ranking in the stages before, in the order of `entrants`
    takes: tuple[Take, ...] = ()  # what later stages take from this one

    @property
    def options(self) -> Options:
        return self.stage.options


@dataclass(frozen=True, slots=True)
class Seat:
    """One side of a place: the origin of its occupant, and the occupant if known."""

    origin: From
    key: Key | None = None
    number: int = 0
    entrant: EntrantId | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A match slot with a permanent key. It exists before its players are known."""

    key: Key
    a: Seat
    b: Seat
    state: State
    round: int
    number: int  # within the round, from 1
    bracket: str = ""
    stage: str = ""  # filled in by stages.py
    winner: EntrantId | None = None
    loser: EntrantId | None = None
    result: Result | None = None
    rules: MatchRules = field(default_factory=MatchRules)

    @property
    def entrants(self) -> tuple[EntrantId, ...]:
        """The known occupants."""
        return tuple(seat.entrant for seat in (self.a, self.b) if seat.entrant is not None)


Figure = int | float | str | Fraction | None


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason why something is proposed: a code, its subject, and the figures that decided."""

    code: str
    about: str  # a key, or an entrant
    figures: tuple[tuple[str, Figure], ...] = ()
    format: str = ""  # the format that has its sentence; filled in by stages.py

    def to_json(self) -> dict[str, Any]:
        """Return the reason as stored with its subject."""
        return {"code": self.code, "figures": serialize_figures(self.figures)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], about: str, form: str) -> Reason:
        return cls(data["code"], about, tuple(data["figures"].items()), form)


def serialize_figures(figures: Iterable[tuple[str, Figure]]) -> dict[str, Any]:
    """Return JSON values; fractions as text, so that they stay exact."""
    return {name: str(value) if isinstance(value, Fraction) else value for name, value in figures}


@dataclass(frozen=True, slots=True)
class Ranked:
    """A place in the order: rank 3 shared by two is third and fourth.

    On a sheet, entrants still in (`is_open`) have the places within reach: rank 3, shared 4 is "3-6".
    """

    entrant: EntrantId
    rank: int
    shared: int = 1
    group: str = ""
    figures: tuple[tuple[str, Figure], ...] = ()
    is_open: bool = False
    # The tie-break that put the one above first; "" if none was needed or none could.
    decided_by: str = ""

    @property
    def last(self) -> int:
        """The last of the shared places."""
        return self.rank + self.shared - 1

    @property
    def places(self) -> str:
        return format_places(self.rank, self.shared)


def format_places(place: int, holders: int) -> str:
    """Format a place, or shared places: "3", or "3-4" with an en dash."""
    return str(place) if holders < 2 else f"{place}–{place + holders - 1}"  # noqa: RUF001


@dataclass(frozen=True, slots=True)
class StalePairing:
    """A recorded pairing whose two players do not meet at that place, or no longer do."""

    pairing: Pairing
    stage: str
    now: tuple[EntrantId, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """Everything that should exist now, with the reasons."""

    places: tuple[Place, ...] = ()
    byes: tuple[Bye, ...] = ()  # entrants who advance or score without playing now
    ranking: tuple[Ranked, ...] = ()
    finished: bool = False
    why: tuple[Reason, ...] = ()
    stale: tuple[StalePairing, ...] = ()

    @property
    def ready(self) -> tuple[Place, ...]:
        """The places to be played now, including matches in progress."""
        return tuple(place for place in self.places if place.state is State.READY)

    @property
    def pairs(self) -> tuple[tuple[EntrantId, EntrantId], ...]:
        return tuple(
            (place.a.entrant, place.b.entrant)
            for place in self.ready
            if place.a.entrant is not None and place.b.entrant is not None
        )


def get_match_rules(stage: Stage, bracket: str, number: int, last: int) -> MatchRules:
    """Return the rules of a bracket's round; the last matching entry wins (P11)."""
    found = MatchRules()
    for entry in stage.rules:
        if entry.round < 0 and not last:
            continue  # it is not known which round is the last
        first = entry.round if entry.round > 0 else last + 1 + entry.round
        if number >= first and entry.bracket in ("", bracket):
            found = entry.rules
    return found
