"""What packages above ask of a player who enters an event by themselves: a list of ratings, perhaps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from players.models import Player
    from tournaments.models import Tournament

    # Raises a TournamentError where the player may not enter.
    Condition = Callable[[Tournament, Player], None]

_conditions: Final[list[Condition]] = []


def register(condition: Condition) -> None:
    """Have it asked of everybody who enters; the event is locked."""
    _conditions.append(condition)


def meet(event: Tournament, player: Player) -> None:
    """Let a player pass whom no condition refuses.

    :raises TournamentError: as the condition says.
    """
    for condition in _conditions:
        condition(event, player)
