"""Columns of a roster's file that packages above know about: who is ticked there, and what a tick means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import datetime

    from django_stubs_ext import StrPromise

    from players.models import User
    from tournaments.models import Tournament


class Tick(Protocol):
    """A service that writes down what a tick says of entries; it may be told twice."""

    def __call__(self, *, tournament_id: int, entries: Collection[int], by: User, now: datetime) -> None: ...


@dataclass(frozen=True, slots=True)
class ExtraColumn:
    """A column with a tick for each player."""

    title: StrPromise
    # What stands at the head of such a column, folded.
    heads: frozenset[str]
    is_there: Callable[[Tournament], bool]
    # The entries that are ticked, by number.
    ticked: Callable[[Tournament], Collection[int]]
    tick: Tick


_columns: Final[dict[str, ExtraColumn]] = {}


def register(name: str, column: ExtraColumn) -> None:
    """Add a column; they stand in the order of their names."""
    _columns[name] = column


def of(event: Tournament) -> dict[str, ExtraColumn]:
    """Return the columns that the roster of this event has beside its own."""
    return {name: column for name, column in sorted(_columns.items()) if column.is_there(event)}
