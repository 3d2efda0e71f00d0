"""The places of an event by rules of a few lines, which share no code with the draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from tournaments.models import Entry, Pairing


KNOCK_OUTS: Final = {"single-elimination": 1, "double-elimination": 2}
WIN_COUNTS: Final = {"round-robin", "league", "swiss"}
ENDS_WITH_A_LOSER: Final = {"played", "forfeit", "walkover", "no-show", "withdrawal"}


@dataclass(frozen=True)
class EventPlan:
    """An announced event: its stages as in the API, and its entrants."""

    stages: list[dict[str, Any]]
    members: int
    guests: int
    # A worker makes the rounds, as it does for large events.
    is_paired_by_worker: bool
    # Players are not late, do not leave and make no mistakes, so that places follow from wins and defeats
    # alone.
    is_quiet: bool

    @property
    def form(self) -> str:
        """The format, if there is one stage."""
        return str(self.stages[0]["format"]) if len(self.stages) == 1 else ""

    @property
    def options(self) -> dict[str, Any]:
        return dict(self.stages[0].get("options", {}))


def find_problems(plan: EventPlan, entries: Sequence[Entry], rows: Sequence[Pairing]) -> Iterator[str]:
    """Yield what is wrong with the places; after a night with incidents only what holds in any event."""
    places = {entry.number: entry.place for entry in entries if not entry.waits}
    yield from _check_places(places)
    yield from _check_matches(rows)
    if not plan.is_quiet or not plan.form:
        return
    wins, losses = Counter[int](), Counter[int]()
    for row in rows:
        if row.kind in ENDS_WITH_A_LOSER and row.winner and row.a and row.b and not row.is_cancelled:
            wins[row.winner.number] += 1
            losses[row.b.number if row.winner == row.a else row.a.number] += 1
    if plan.form in KNOCK_OUTS:
        yield from _check_knock_out(plan, places, losses, rows)
    elif plan.form in WIN_COUNTS and not plan.options.get("playoff"):
        yield from _check_wins(plan, places, wins, rows)


def _check_places(places: Mapping[int, int | None]) -> Iterator[str]:
    """Every place is taken once, or shared by as many as it spans."""
    if without := sorted(number for number, place in places.items() if place is None):
        yield f"no place: {without}"
        return
    taken = Counter(place for place in places.values() if place is not None)
    following = 1
    for place in sorted(taken):
        if place != following:
            yield f"place {place} follows, where {following} is free"
            return
        following += taken[place]


def _check_matches(rows: Sequence[Pairing]) -> Iterator[str]:
    """The winner is one of the two different players of the match, with the better score."""
    for row in rows:
        if row.a_id is not None and row.a_id == row.b_id:
            yield f"{row.key}: one against himself"
        if row.winner_id is not None and row.winner_id not in {row.a_id, row.b_id}:
            yield f"{row.key}: won by somebody else"
        if row.kind == "played" and row.score_a is not None and row.score_b is not None and row.winner_id:
            is_won_by_a = row.score_a > row.score_b
            if is_won_by_a != (row.winner_id == row.a_id):
                yield f"{row.key}: {row.score_a}-{row.score_b}, and the other one won"


def _check_knock_out(
    plan: EventPlan, places: Mapping[int, int | None], losses: Counter[int], rows: Sequence[Pairing]
) -> Iterator[str]:
    """The first player has fewer defeats than eliminate a player, all others exactly as many."""
    lives = KNOCK_OUTS[plan.form]
    # Without a second final, an undefeated finalist may lose the event with one defeat.
    has_one_final = plan.options.get("recharge") is False
    third = {row.id for row in rows if row.bracket not in {"main", "losers", "final", ""}}
    out = Counter(losses)
    for row in rows:
        if row.id in third and row.winner and row.a and row.b:
            out[row.b.number if row.winner == row.a else row.a.number] -= 1
    for number, place in places.items():
        if place == 1 and out[number] >= lives:
            yield f"{number} is first with {out[number]} defeats"
        if place != 1 and out[number] != lives and not (has_one_final and place == 2):
            yield f"{number} is on place {place} with {out[number]} defeats of {lives}"


def _check_wins(
    plan: EventPlan, places: Mapping[int, int | None], wins: Counter[int], rows: Sequence[Pairing]
) -> Iterator[str]:
    """A player with more points has the better place; a bye of a Swiss counts as the plan says."""
    points: dict[int, float] = {number: float(wins[number]) for number in places}
    if plan.form == "swiss":
        value = {"0": 0.0, "1/2": 0.5, "1": 1.0}[str(plan.options.get("bye_points", "1"))]
        played = Counter[int]()
        for row in rows:
            if row.kind and row.a and row.b:
                played.update((row.a.number, row.b.number))
        rounds = max((row.round.number for row in rows), default=0)
        for number in points:
            points[number] += value * (rounds - played[number])
    order = sorted(places, key=lambda number: places[number] or 0)
    for above, below in pairwise(order):
        if places[above] != places[below] and points[above] < points[below]:
            yield f"{above} with {points[above]} stands above {below} with {points[below]}"


class Turn(NamedTuple):
    """A player's round in a Swiss."""

    points: Fraction = Fraction(0)
    # Also one who did not come; None without a match, and while it is being played.
    opponent: int | None = None
    was_played: bool = False
    was_missed: bool = False


class SwissRank(NamedTuple):
    """A player's place in a Swiss, shared by so many, and the figures that decide it."""

    entry: int
    rank: int
    shared: int
    played: int
    figures: dict[str, Fraction]


class SwissTable:
    """Points and tie-breaks of a Swiss: head-to-head, Buchholz without the worst, Buchholz, Sonneborn-Berger.

    A bye counts one point; a round counts from its first result on. *away*: the rounds in which an entry was not there.
    """

    FIGURES: Final = ("buchholz-cut-1", "buchholz", "sonneborn-berger")

    def __init__(self, rows: Sequence[Pairing], away: Mapping[int, Collection[int]]) -> None:
        self.rounds = max((row.round.number for row in rows if row.kind), default=0)
        rows = [row for row in rows if row.round.number <= self.rounds]
        self.turns = {entry: [Turn(was_missed=True)] * self.rounds for entry in away}
        for entry, turns in self.turns.items():
            for number in range(1, self.rounds + 1):
                is_over = all(row.kind for row in rows if row.round.number == number)
                if number not in away[entry]:
                    # A bye, unless there is a match. It counts once its round is over.
                    turns[number - 1] = Turn(Fraction(is_over))
        for row in rows:
            for own, other in ((row.a, row.b), (row.b, row.a)):
                if own is not None and other is not None:
                    self.turns[own.number][row.round.number - 1] = _read_turn(row, own.number, other.number)
        self.points = {
            entry: sum((turn.points for turn in turns), Fraction(0)) for entry, turns in self.turns.items()
        }

    def list_byes(self, number: int) -> list[int]:
        """List the entries that were there in a round and had no match."""
        found = []
        for entry, turns in self.turns.items():
            turn = turns[number - 1]
            if turn.opponent is None and not turn.was_missed and turn.points:
                found.append(entry)
        return found

    def rank(self) -> list[SwissRank]:
        """Rank all entries; entries with the same place are in the order of their numbers."""
        figures = {
            entry: {"points": self.points[entry]} | dict(zip(self.FIGURES, self._measure(entry), strict=True))
            for entry in self.turns
        }
        groups = [
            group
            for level in _split(sorted(self.turns), self.points)
            for group in self._split_by_meetings(level)
        ]
        for name in self.FIGURES:
            values = {entry: row[name] for entry, row in figures.items()}
            groups = [part for group in groups for part in _split(group, values)]
        found: list[SwissRank] = []
        for group in groups:
            rank = len(found) + 1
            for entry in group:
                played = sum(turn.opponent is not None for turn in self.turns[entry])
                found.append(SwissRank(entry, rank, len(group), played, figures[entry]))
        return found

    def _split_by_meetings(self, level: list[int]) -> list[list[int]]:
        """Split players who are level by their matches with each other, if each two of them have met."""
        own = {
            entry: {
                turn.opponent: turn.points
                for turn in self.turns[entry]
                if turn.was_played and turn.opponent in level
            }
            for entry in level
        }
        if len(level) == 1 or any(len(met) < len(level) - 1 for met in own.values()):
            return [level]
        parts = _split(level, {entry: sum(met.values(), Fraction(0)) for entry, met in own.items()})
        if len(parts) == 1:
            return parts
        return [group for part in parts for group in self._split_by_meetings(part)]

    def _measure(self, entry: int) -> tuple[Fraction, Fraction, Fraction]:
        addends = [(turn, self._count_opponent(entry, turn)) for turn in self.turns[entry]]
        everything = sum((score for _turn, score in addends), Fraction(0))
        won = sum((score * turn.points for turn, score in addends), Fraction(0))
        missed = [score for turn, score in addends if turn.was_missed]
        least = min(missed or [score for _turn, score in addends], default=Fraction(0))
        return everything - least, everything, won

    def _count_opponent(self, entry: int, turn: Turn) -> Fraction:
        if turn.opponent is None:
            return min(self.points[entry], Fraction(self.rounds, 2))
        # For its opponents, an entry that has gone home counts half a point a round from then on.
        turns = self.turns[turn.opponent]
        present = max((number for number, each in enumerate(turns) if not each.was_missed), default=-1)
        gone = [each for each in turns[present + 1 :] if each.opponent is None]
        score = self.points[turn.opponent] + Fraction(len(gone), 2)
        return score if turn.was_played else min(score, self.points[entry])


def _read_turn(row: Pairing, own: int, other: int) -> Turn:
    if not row.kind:
        return Turn()
    has_won = row.winner is not None and row.winner.number == own
    was_played = row.kind == "played"
    return Turn(Fraction(has_won), other, was_played, was_missed=not has_won and not was_played)


def _split(entries: Sequence[int], values: Mapping[int, Fraction]) -> list[list[int]]:
    """Split entries into groups of equal value, the highest first."""
    ordered = sorted(entries, key=lambda entry: -values[entry])
    return [list(group) for _value, group in groupby(ordered, key=lambda entry: values[entry])]


class Seat(NamedTuple):
    """The source of a seat: an entry by the draw, or the winner or the loser of a match."""

    origin: str
    match: str = ""
    entry: int = 0


class Ending(NamedTuple):
    """How a match ended, and between whom."""

    pair: frozenset[int]
    kind: str
    winner: int


class Span(NamedTuple):
    """The places that an entry can still reach; what it has, if it is out."""

    first: int
    last: int
    is_open: bool


NOBODY: Final = 0


class ConsolationSheet:
    """A knock-out with a progressive consolation for each player's first defeat.

    *seats* are in the order in which they are fed, as published with the draw. *late* has the entries that
    take the seats of missing losers, by match and side. A result counts as long as its two players meet.
    Players who did not come, or have left, join no consolation.
    """

    def __init__(
        self,
        seats: Mapping[str, tuple[Seat, Seat]],
        endings: Mapping[str, Ending],
        gone: Collection[int] = (),
        late: Mapping[tuple[str, int], int] | None = None,
    ) -> None:
        self.seats, self.gone, self.late = seats, gone, late or {}
        # By match: its two (None: unknown yet), and what counts.
        self.sits: dict[str, tuple[int | None, int | None]] = {}
        self.counts: dict[str, Ending] = {}
        self._drops: dict[str, int | None] = {}
        self._wins: dict[str, int | None] = {}
        # Players who are out without a defeat in the consolation, with the round in which they would have
        # lost.
        self.absent: dict[int, int] = {}
        self.feeds = {
            (seat.origin, seat.match): key for key, both in seats.items() for seat in both if seat.match
        }
        for key in seats:
            self._walk(key, endings.get(key))

    def _walk(self, key: str, ending: Ending | None) -> None:
        a, b = (self._find_entry(key, side) for side in (0, 1))
        self.sits[key] = a, b
        self._wins[key] = self._drops[key] = None
        if a is None or b is None:
            return
        if NOBODY in {a, b}:
            self._wins[key], self._drops[key] = a or b, NOBODY
        elif ending is not None and ending.pair == {a, b}:
            loser = a if ending.winner == b else b
            self.counts[key], self._wins[key], self._drops[key] = ending, ending.winner, loser
            following = self.feeds.get(("loser", key))
            if following and (ending.kind == "no-show" or loser in self.gone):
                self._drops[key] = NOBODY
                self.absent[loser] = _read_round(following)

    def _find_entry(self, key: str, side: int) -> int | None:
        seat = self.seats[key][side]
        if seat.origin == "draw":
            return seat.entry
        found = (self._wins if seat.origin == "winner" else self._drops)[seat.match]
        return self.late.get((key, side), found) if found == NOBODY else found

    def list_spans(self) -> dict[int, Span]:
        """The places of all entries.

        The first two are from the main final, all others from the round of the consolation in which they
        lose.
        """
        sides = [key for key in self.seats if key.startswith("consolation/")]
        final = max((key for key in self.seats if key.startswith("main/")), key=_read_round)
        sizes = Counter(self.absent.values())
        # Each match of the consolation has a loser, unless it has only one player.
        sizes.update(_read_round(key) for key in sides if NOBODY not in self.sits[key])
        levels: dict[int, tuple[int, int]] = {}
        first = 4
        for number in sorted(sizes, reverse=True):
            levels[number] = first, first + sizes[number] - 1
            first += sizes[number]
        spans = {entry: Span(*levels[number], is_open=False) for entry, number in self.absent.items()}
        last_side = max(sides, key=_read_round)
        for key in self.seats:
            is_side = key in sides
            for entry in self.sits[key]:
                if not entry or entry in self.absent:
                    continue
                if self._wins[key] is None:
                    lost = (2, 2) if key == final else levels[self._find_level(key)]
                    spans[entry] = Span(3 if is_side else 1, lost[1], is_open=True)
                elif self._wins[key] == entry:
                    won = {final: 1, last_side: 3}.get(key)
                    if won:
                        spans[entry] = Span(won, won, is_open=False)
                elif key == final:
                    spans[entry] = Span(2, 2, is_open=False)
                elif is_side:
                    spans[entry] = Span(*levels[_read_round(key)], is_open=False)
        return spans

    def _find_level(self, key: str) -> int:
        """Return the round of the consolation that ends the night of a player who loses from this match on."""
        if key.startswith("consolation/"):
            return _read_round(key)
        following = self.feeds["loser", key]
        while NOBODY in self.sits[following]:
            following = self.feeds["winner", following]
        return _read_round(following)


def _read_round(key: str) -> int:
    return int(key.partition("/")[2].partition(".")[0])


def describe_difference(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    """Describe the first differences of two mappings."""
    keys = [key for key in sorted(found.keys() | wanted.keys()) if found.get(key) != wanted.get(key)]
    return [f"{key}: {found.get(key)} for {wanted.get(key)}" for key in keys[:5]]
