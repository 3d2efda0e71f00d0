"""Seats of a drafted round, and exchanges of two players in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from runtime.rows import hash_values
from tournaments.base.errors import NotInRound, SameEntryTwice, SamePairing
from tournaments.models import Pairing, PairingState, Round

Exchange = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Seats:
    key: str
    number: int
    a: int
    b: int | None = None


def load_seats(batch: Round) -> tuple[Seats, ...]:
    """Return the drafted pairings of a round in the order of its tables, then its byes."""
    rows = (
        Pairing.objects.filter(
            round=batch, state__in=[PairingState.READY, PairingState.BYE], opened_at__isnull=True
        )
        .select_related("a", "b")
        .order_by("position", "pk")
    )
    found = [_build_seats(row) for row in rows]
    # In some formats a bye has no number: it follows the tables.
    return tuple(one for one in found if one.b is not None) + tuple(one for one in found if one.b is None)


def exchange_seats(drafted: Sequence[Seats], exchanges: Iterable[Exchange]) -> tuple[Seats, ...]:
    """Return the round after exchanging these pairs of players, one pair after the other.

    :raises SameEntryTwice, NotInRound, SamePairing: an exchange is not possible.
    """
    now = tuple(drafted)
    for one, other in exchanges:
        _check_exchange(now, one, other)
        places = {one: other, other: one}
        now = tuple(
            replace(
                each, a=places.get(each.a, each.a), b=None if each.b is None else places.get(each.b, each.b)
            )
            for each in now
        )
    return now


def hash_seats(drafted: Sequence[Seats]) -> str:
    return hash_values(*((each.key, each.a, each.b) for each in drafted))


def _build_seats(row: Pairing) -> Seats:
    first, second = (row.a, row.b) if row.a is not None else (row.b, row.a)
    if first is None:
        raise AssertionError(f"{row.key} is drafted for nobody")
    return Seats(row.key, row.number, first.number, None if second is None else second.number)


def _check_exchange(drafted: Sequence[Seats], one: int, other: int) -> None:
    if one == other:
        raise SameEntryTwice
    where = {who: each for each in drafted for who in (each.a, each.b) if who is not None}
    for number in (one, other):
        if number not in where:
            raise NotInRound(number=number)
    both_pass = where[one].b is None and where[other].b is None
    if where[one] == where[other] or both_pass:
        raise SamePairing
