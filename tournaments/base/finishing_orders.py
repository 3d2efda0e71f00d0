"""Finishing orders: what a valid one looks like."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Gap:
    """The first place that does not follow from those above it."""

    after: int
    due: int
    found: int


def find_gap(places: Iterable[int]) -> Gap | None:
    """Return where a finishing order breaks the usual count, or None.

    >>> find_gap([1, 2, 3, 3, 5])
    >>> find_gap([1, 2, 3, 3, 4])
    Gap(after=3, due=5, found=4)
    """
    due, after = 1, 0
    for place, holders in sorted(Counter(places).items()):
        if place != due:
            return Gap(after=after, due=due, found=place)
        after, due = place, due + holders
    return None
