"""Numbers of won and lost matches, in total or by group."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable


class WonOrLost(Protocol):
    """A match from the point of view of one player."""

    @property
    def won(self) -> bool:
        """True if that player won it."""


R = TypeVar("R", bound=WonOrLost)


@dataclass(frozen=True, slots=True)
class Tally:
    """Numbers of won and lost matches."""

    won: int
    lost: int

    @property
    def played(self) -> int:
        return self.won + self.lost

    @property
    def share(self) -> int:
        """Won matches in percent."""
        return round(100 * self.won / self.played) if self.played else 0


def tally(matches: Collection[R]) -> Tally:
    won = sum(each.won for each in matches)
    return Tally(won, len(matches) - won)


def by(matches: Iterable[R], what: Callable[[R], Any]) -> dict[Any, Tally]:
    """Count matches by group, in the order of their first match."""
    won, lost = Counter[Any](), Counter[Any]()
    order: dict[Any, None] = {}
    for each in matches:
        key = what(each)
        order[key] = None
        (won if each.won else lost)[key] += 1
    return {key: Tally(won[key], lost[key]) for key in order}
