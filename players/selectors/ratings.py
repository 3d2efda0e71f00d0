"""What the players of a club are rated, by whatever package keeps ratings; nothing where none does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from players.models import Club

    Ask = Callable[[Club], "Listed | None"]


class Listed(NamedTuple):
    """A list of ratings as it stands."""

    name: str
    # By the player's primary key.
    ratings: Mapping[int, float]


_asked: Final[list[Ask]] = []


def register(ask: Ask) -> None:
    """Name who knows."""
    _asked[:] = [ask]


def of_club(club: Club) -> Listed | None:
    """Return the list of a club that rates most players; None where it has none."""
    return _asked[0](club) if _asked else None
