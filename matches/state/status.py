"""Status of matches, and the allowed transitions."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Status(StrEnum):
    WAITING = "waiting"  # for both players and their dice
    LIVE = "live"
    PAUSED = "paused"  # by a director
    FINISHED = "finished"
    VOID = "void"


# Only a director reopens a finished or void match, by a takeback or a ruling.
FOLLOWING: Final = {
    Status.WAITING: frozenset({Status.LIVE, Status.PAUSED, Status.FINISHED, Status.VOID}),
    Status.LIVE: frozenset({Status.PAUSED, Status.FINISHED, Status.VOID}),
    Status.PAUSED: frozenset({Status.WAITING, Status.LIVE, Status.FINISHED, Status.VOID}),
    Status.FINISHED: frozenset({Status.LIVE, Status.PAUSED, Status.WAITING, Status.VOID}),
    Status.VOID: frozenset({Status.LIVE, Status.PAUSED, Status.WAITING, Status.FINISHED}),
}

OPEN: Final = frozenset({Status.WAITING, Status.LIVE, Status.PAUSED})
ENDED: Final = frozenset({Status.FINISHED, Status.VOID})


def may_follow(before: Status, after: Status) -> bool:
    """True if a match may change from one status to the other.

    >>> may_follow(Status.WAITING, Status.LIVE), may_follow(Status.LIVE, Status.WAITING)
    (True, False)
    """
    return before is after or after in FOLLOWING[before]
