"""The places of an event by rules of a few lines, which share no code with the draw."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tournaments.models import Entry, Pairing

KNOCK_OUTS: Final = {"single-elimination": 1, "double-elimination": 2}
WIN_COUNTS: Final = {"round-robin", "league", "swiss"}
ENDS_WITH_A_LOSER: Final = {"played", "forfeit", "walkover", "no-show", "withdrawal"}


@dataclass(frozen=True)
class EventPlan:
    """What is announced: its stages as the API takes them, and who enters."""

    stages: list[dict[str, Any]]
    members: int
    guests: int
    # A worker makes the rounds, as it does for large events.
    is_paired_by_worker: bool
    # Nobody comes late, leaves or errs, so that places follow from wins and defeats alone.
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
    """A winner has played the match he won, with the better score; nobody plays himself."""
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
    """The first has lost less often than it takes, everybody else exactly as often."""
    lives = KNOCK_OUTS[plan.form]
    # Without a second final, whoever comes to it undefeated may lose it with one defeat.
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
    """Nobody stands above somebody with more points; a bye of a Swiss counts as the plan says."""
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


def describe_difference(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    """Describe the first differences of two mappings."""
    keys = [key for key in sorted(found.keys() | wanted.keys()) if found.get(key) != wanted.get(key)]
    return [f"{key}: {found.get(key)} for {wanted.get(key)}" for key in keys[:5]]
