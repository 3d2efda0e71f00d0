"""The tables, breaks and pauses of an event: the package that runs the rooms registers them, so that the forecast counts them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from draw.forecast.room import Room

if TYPE_CHECKING:
    from collections.abc import Callable

    from tournaments.base.pauses import Pause
    from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class MatchPace:
    """How long a match takes, from its opening to its result."""

    minutes_a_point: float
    # How many matches of this event say so; none where it is taken as usual.
    matches: int = 0

    @property
    def rounded(self) -> int:
        """The minutes as they are told."""
        return max(1, round(self.minutes_a_point))


class EventSpace(NamedTuple):
    """What the play of an event has to fit into."""

    # Its tables and breaks, and since when matches are at tables.
    room: Room = Room()
    # How long matches take at its tables; None while that is not known, or where there are none.
    pace: MatchPace | None = None
    # When it was paused.
    pauses: tuple[Pause, ...] = ()


UNLIMITED: Final = EventSpace()
_finders: Final[list[Callable[[Tournament], EventSpace | None]]] = []


def register(find: Callable[[Tournament], EventSpace | None]) -> None:
    """Register the function that answers for every event."""
    _finders[:] = [find]


def of(event: Tournament) -> EventSpace | None:
    """Return the space of an event, None where all tables of its room are taken or broken."""
    return _finders[0](event) if _finders else UNLIMITED
