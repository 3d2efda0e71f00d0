"""Eligibility by a dated list: a lowest or highest rating, or a number of first places.

>>> rule = Limits(at_least=1500.0, first=20)
>>> judge_player(rule, ListedPlayer(place=3, rating=1612.4))
'eligible'
>>> judge_player(rule, ListedPlayer(place=21, rating=1612.4)), judge_player(rule, ListedPlayer(place=3, rating=1499.99)), judge_player(rule, None)
('not_among_first', 'too_low', 'not_listed')
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

ELIGIBLE: Final = "eligible"
NOT_LISTED, TOO_LOW, TOO_HIGH, NOT_AMONG_FIRST = ("not_listed", "too_low", "too_high", "not_among_first")
# Lists show two decimals, and the limit applies to the figure shown.
DIGITS: Final = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a requirement; None if there is no such limit."""

    at_least: float | None = None
    at_most: float | None = None
    # Among the first so many places; players who share the last of these places are included.
    first: int | None = None


@dataclass(frozen=True, slots=True)
class ListedPlayer:
    """The place and rating of a player in the list of the day."""

    place: int
    rating: float


def round_rating(figure: float) -> Decimal:
    """Round a rating as lists and pages display it.

    >>> str(round_rating(1499.995)), str(round_rating(1499.994))
    ('1500.00', '1499.99')
    """
    return Decimal(repr(figure)).quantize(DIGITS, ROUND_HALF_UP)


def judge_player(limits: Limits, listed: ListedPlayer | None) -> str:
    """Judge a player. A player who is not in the list is not eligible."""
    if listed is None:
        return NOT_LISTED
    figure = round_rating(listed.rating)
    if limits.at_least is not None and figure < round_rating(limits.at_least):
        return TOO_LOW
    if limits.at_most is not None and figure > round_rating(limits.at_most):
        return TOO_HIGH
    if limits.first is not None and listed.place > limits.first:
        return NOT_AMONG_FIRST
    return ELIGIBLE
