"""The room of a new event: the package that runs the rooms registers how to list and assign them."""

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
    """The room for an event: one of the club's by its key, a new one with so many tables, or none."""

    key: str = ""
    tables: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """The functions of the package that runs the rooms."""

    # The key and the name of each room of a club.
    list_rooms: Callable[[Club], list[tuple[str, str]]]
    # The key of an event's room, without an event that of the club's last one; "" if there is none.
    find_usual: Callable[[Club, Tournament | None], str]
    # Called as assign(event, wanted, by, now), within a transaction.
    assign: Callable[[Tournament, WantedRoom, User, datetime], None]


_providers: Final[list[Provider]] = []


def register(provider: Provider) -> None:
    """Register the provider for all clubs."""
    _providers[:] = [provider]


def get_provider() -> Provider | None:
    """Return the provider, None if no package runs rooms."""
    return _providers[0] if _providers else None


def assign(event: Tournament, wanted: WantedRoom, *, by: User, now: datetime) -> None:
    """Assign a room to a new event. The caller holds a transaction.

    :raises Refusal: the room cannot be used or made.
    """
    if (provider := get_provider()) is not None:
        provider.assign(event, wanted, by, now)
