"""The room of a new event: the package that runs the rooms registers which there are and how an event gets one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from players.models import Club, User
    from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class WantedRoom:
    """Where an event is to be played: in a room of the club, in a new one with so many tables, or in none."""

    key: str = ""
    tables: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """What the package of the rooms does."""

    # The key and the name of each room of a club.
    list_rooms: Callable[[Club], list[tuple[str, str]]]
    # The key of the room in which one event is played or, without one, in which the club played last; "" for none.
    find_usual: Callable[[Club, Tournament | None], str]
    # Has a new event played there, within a transaction: event, wanted, by, now.
    assign: Callable[[Tournament, WantedRoom, User, datetime], None]


_providers: Final[list[Provider]] = []


def register(provider: Provider) -> None:
    """Register the provider for all clubs."""
    _providers[:] = [provider]


def get_provider() -> Provider | None:
    """Return the provider, None if no package runs rooms."""
    return _providers[0] if _providers else None


def assign(event: Tournament, wanted: WantedRoom, *, by: User, now: datetime) -> None:
    """Have a new event played there; within a transaction.

    :raises Refusal: the room cannot be used or made.
    """
    if (provider := get_provider()) is not None:
        provider.assign(event, wanted, by, now)
