"""The life of an event, as one table: what is not in it cannot happen."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


class Status(StrEnum):
    """Where an event stands."""

    DRAFT = "DRAFT"
    PUBLISHED = "PUBLISHED"
    RUNNING = "RUNNING"
    FINISHED = "FINISHED"
    CANCELLED = "CANCELLED"


MOVES: Final[Mapping[Status, frozenset[Status]]] = {
    Status.DRAFT: frozenset({Status.PUBLISHED}),
    Status.PUBLISHED: frozenset({Status.RUNNING, Status.CANCELLED}),
    Status.RUNNING: frozenset({Status.FINISHED, Status.CANCELLED}),
    # A wrong result and a hasty cancellation can both be taken back, with a reason.
    Status.FINISHED: frozenset({Status.RUNNING}),
    Status.CANCELLED: frozenset({Status.PUBLISHED, Status.RUNNING}),
}

# No match exists yet.
BEFORE_START: Final = frozenset({Status.DRAFT, Status.PUBLISHED})
# A director may change who plays for as long as there is no result.
ADMITTING: Final = frozenset({Status.DRAFT, Status.PUBLISHED, Status.RUNNING})
# What the club sees as ahead of it or under way.
OPEN: Final = frozenset({Status.PUBLISHED, Status.RUNNING})


def may_move(here: Status, there: Status) -> bool:
    """Say whether an event may go from one status to another."""
    return there in MOVES[here]


def reopened(here: Status, *, has_started: bool) -> Status | None:
    """Return where reopening leads from here, or None where there is nothing to reopen."""
    match here:
        case Status.FINISHED:
            return Status.RUNNING
        case Status.CANCELLED:
            return Status.RUNNING if has_started else Status.PUBLISHED
        case Status.DRAFT | Status.PUBLISHED | Status.RUNNING:
            return None
