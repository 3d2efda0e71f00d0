"""Where a match waits for a table: told by whoever runs the rooms, so that an event can say it beside the match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime


class QueuePlace(NamedTuple):
    """The place of a match in the queue of a room."""

    # How many matches come before it.
    before: int
    # When it is likely to get a table; None where one is free for it, or nobody can know.
    likely_at: datetime | None


# Given the keys of event and match.
_finders: Final[list[Callable[[str, str, datetime], QueuePlace | None]]] = []


def register(find: Callable[[str, str, datetime], QueuePlace | None]) -> None:
    """Name who runs the rooms."""
    _finders[:] = [find]


def of(event: str, match: str, *, now: datetime) -> QueuePlace | None:
    """Return where a match waits for a table, None where it does not."""
    return _finders[0](event, match, now) if _finders else None
