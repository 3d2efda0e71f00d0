"""The status of an event and its possible transitions."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class Status(StrEnum):
    DRAFT = "DRAFT"
    PUBLISHED = "PUBLISHED"
    RUNNING = "RUNNING"
    FINISHED = "FINISHED"
    CANCELLED = "CANCELLED"


MOVES: Final[Mapping[Status, frozenset[Status]]] = {
    Status.DRAFT: frozenset({Status.PUBLISHED}),
    Status.PUBLISHED: frozenset({Status.RUNNING, Status.CANCELLED}),
    Status.RUNNING: frozenset({Status.FINISHED, Status.CANCELLED}),
    # A wrong result and a cancellation can be undone, with a reason.
    Status.FINISHED: frozenset({Status.RUNNING}),
    Status.CANCELLED: frozenset({Status.PUBLISHED, Status.RUNNING}),
}

# No match exists yet.
BEFORE_START: Final = frozenset({Status.DRAFT, Status.PUBLISHED})
# Directors can change the players until the event is over.
ADMITTING: Final = frozenset({Status.DRAFT, Status.PUBLISHED, Status.RUNNING})
OPEN: Final = frozenset({Status.PUBLISHED, Status.RUNNING})


def may_move(here: Status, there: Status) -> bool:
    return there in MOVES[here]


def find_reopened_status(here: Status, *, has_started: bool) -> Status | None:
    """Return the status after reopening, or None if the event cannot be reopened."""
    match here:
        case Status.FINISHED:
            return Status.RUNNING
        case Status.CANCELLED:
            return Status.RUNNING if has_started else Status.PUBLISHED
        case Status.DRAFT | Status.PUBLISHED | Status.RUNNING:
            return None
