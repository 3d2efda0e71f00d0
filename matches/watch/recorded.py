"""Matches that were not played on a board of ours and of which a package above keeps the facts: records that were handed in.

Whoever reads facts, for an analysis say, reads theirs, too, without knowing where they are kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import datetime

    from django.contrib.auth.models import AnonymousUser
    from django.db.models import QuerySet

    from engine.record import Record
    from engine.side import BySide, Side
    from matches.journal.replays import Replay
    from players.models import User

    Viewer = User | AnonymousUser


@dataclass(frozen=True, slots=True)
class RecordedMatch:
    """A match of which there is a record that stands."""

    key: str
    # Hash of what determines its facts: its bytes, and what the part of the match before it proves.
    sha256: str
    names: BySide[str]
    # 0 in unlimited play.
    length: int
    winner: Side | None


class PlayedRecord(NamedTuple):
    """A recorded match of a player of ours, which ended as the result that stands, or a part of it."""

    key: str
    sha256: str
    side: Side
    # When the match was over, and since when its record stands.
    played_at: datetime | None
    kept_at: datetime
    # Which match it tells of: a match in two files has two of these.
    match: str


class Keeper(NamedTuple):
    """Who keeps such matches."""

    # None where there is none of this key, or its record does not stand.
    find: Callable[[str], RecordedMatch | None]
    facts: Callable[[str], Record]
    replay: Callable[[str], Replay]
    # Where this person watches it again; "" where they may not.
    address: Callable[[Viewer, str], str]
    # The rows of those that stand, with their `key`: all of them, or those since then.
    standing: Callable[[Any], QuerySet[Any]]
    # Of these players' matches, the parts of one match after each other; with a viewer, those that this person may see.
    of_players: Callable[[Collection[int], Viewer | None], list[PlayedRecord]]


_kept: list[Keeper] = []


def register(keeper: Keeper) -> None:
    """Let somebody keep recorded matches."""
    _kept[:] = [keeper]


def keeper() -> Keeper | None:
    """Return who keeps them; None where nobody does."""
    return _kept[0] if _kept else None


def find(key: str) -> RecordedMatch | None:
    """Return a recorded match that stands; None where there is none."""
    kept = keeper()
    return None if kept is None else kept.find(key)


def find_for(user: Viewer, key: str) -> RecordedMatch | None:
    """Return a recorded match whose facts this person may see."""
    kept = keeper()
    return kept.find(key) if kept is not None and kept.address(user, key) else None


def address(user: Viewer, key: str) -> str:
    """Return where this person watches a recorded match again; "" where they may not."""
    kept = keeper()
    return "" if kept is None else kept.address(user, key)


def of_players(players: Collection[int], viewer: Viewer | None = None) -> list[PlayedRecord]:
    """Return the recorded matches of these players, with a viewer those that this person may see."""
    kept = keeper()
    return [] if kept is None or not players else kept.of_players(players, viewer)
