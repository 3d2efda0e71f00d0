"""How likely somebody is to win a match, by whatever package keeps ratings; even where none does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from players.models import Club, Player

    Ask = Callable[[Club, Player, Player, int, datetime], float | None]

EVEN: Final = 0.5
_asked: Final[list[Ask]] = []


def register(ask: Ask) -> None:
    """Name who knows: *ask* is given the club, the two, the length and the time, and answers for the first of the two."""
    _asked[:] = [ask]


def chance(club: Club, one: Player, other: Player, length: int, *, now: datetime) -> float:
    """Return the chance of the first of two players in a match of this length."""
    said = _asked[0](club, one, other, length, now) if _asked else None
    return EVEN if said is None else said
