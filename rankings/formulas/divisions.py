"""Promotion and relegation at the end of a season, with the reason for each move.

The order of a division: players who took part in an event first; then by points; then by first places, second
places, and so on. Players who are equal in all of these share the place. If the line between two divisions
falls within a shared place, a reproducible lot decides: SHA-256 of "lot:player", the lower goes first.

>>> first = Division("First", 0, 1, (Member("Ann", 20), Member("Bob", 9)))
>>> second = Division("Second", 1, 0, (Member("Cyd", 12), Member("Dan", 3)))
>>> [(move.player, move.goes, move.to) for move in list_moves([first, second], "s1")]
[('Ann', 'stays', 0), ('Bob', 'down', 1), ('Cyd', 'up', 0), ('Dan', 'stays', 1)]
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from rankings.formulas.values import BadMatches

UP, STAYS, DOWN = GOES = ("up", "stays", "down")
# The reasons: by place; by a lot between players who share a place; because the player took part in no event.
BY_PLACE, BY_LOT, ABSENT = ("place", "lot", "absent")
MOST_DIVISIONS: Final = 20
MOST_MOVES: Final = 64
# Sorts after every place.
NO_PLACE: Final = 1 << 31


@dataclass(frozen=True, slots=True)
class Member:
    """A player of a division: their points in the season, and their place in each event they took part in."""

    player: str
    points: Fraction | int = 0
    # None for an event in which they were not placed.
    places: tuple[int | None, ...] = (1,)


@dataclass(frozen=True, slots=True)
class Division:
    """A division, with how many players are promoted and relegated."""

    name: str
    up: int
    down: int
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class DivisionMove:
    """The move of a player from one division to another, both counted from the top, and the reason."""

    player: str
    division: int
    place: int
    points: Fraction | int
    events: int
    goes: str
    to: int
    why: str


def list_moves(divisions: Sequence[Division], lot: str) -> list[DivisionMove]:
    """Return the moves of all players, division by division from the top, each in its order.

    There is no promotion from the first division and no relegation from the last. A player who took part in
    no event is not promoted. If a division is smaller than its moves, promotion takes precedence.

    :raises BadMatches: a player is in two divisions, or there are too many divisions.
    """
    if len(divisions) > MOST_DIVISIONS:
        raise BadMatches(f"divisions: at most {MOST_DIVISIONS} are expected, not {len(divisions)}")
    everybody = Counter(member.player for division in divisions for member in division.members)
    for player, times in everybody.items():
        if times > 1:
            raise BadMatches(f"divisions: {player} is in two of them")
    last = len(divisions) - 1
    return [
        move
        for at, division in enumerate(divisions)
        for move in _list_division_moves(division, at, lot, may_rise=at > 0, may_fall=at < last)
    ]


def draw_lot(lot: str, player: str) -> str:
    """Return a player's lot: the lower goes first."""
    return hashlib.sha256(f"{lot}:{player}".encode()).hexdigest()


def _list_division_moves(
    division: Division, at: int, lot: str, *, may_rise: bool, may_fall: bool
) -> list[DivisionMove]:
    members = sorted(
        division.members, key=lambda one: (_build_sort_key(one), draw_lot(lot, one.player), one.player)
    )
    ranks = [_build_sort_key(one) for one in members]
    shared = Counter(ranks)
    first = {rank: index for index, rank in reversed(list(enumerate(ranks)))}
    present = sum(bool(one.places) for one in members)
    rising = min(division.up, present) if may_rise else 0
    falling = min(division.down, len(members) - rising) if may_fall else 0
    staying_to = len(members) - falling
    found: list[DivisionMove] = []
    for index, one in enumerate(members):
        begins = first[ranks[index]]
        is_cut = any(begins < line < begins + shared[ranks[index]] for line in (rising, staying_to))
        step = -1 if index < rising else 1 if index >= staying_to else 0
        found.append(
            DivisionMove(
                player=one.player,
                division=at,
                place=begins + 1,
                points=one.points,
                events=len(one.places),
                goes=GOES[step + 1],
                to=at + step,
                why=BY_LOT if is_cut else BY_PLACE if one.places else ABSENT,
            )
        )
    return found


def _build_sort_key(one: Member) -> tuple[object, ...]:
    """Return the sort key of a member: the lower, the better."""
    counted = Counter(place for place in one.places if place is not None)
    best = tuple((place, -counted[place]) for place in sorted(counted))
    # A player with no further places to compare sorts behind one who has them.
    return not one.places, -one.points, (*best, (NO_PLACE, 0))
