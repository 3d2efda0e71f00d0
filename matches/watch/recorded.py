"""Matches that were not played on a board of ours and of which a package above keeps the facts: records that were handed in.

Whoever reads facts, for an analysis say, reads theirs, too, without knowing where they are kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches import hooks

if TYPE_CHECKING:
    from collections.abc import Collection

    from matches.hooks import PlayedRecord, RecordedMatch, Viewer


def find(key: str) -> RecordedMatch | None:
    """Return a recorded match that stands; None where there is none."""
    kept = hooks.RECORDS.get()
    return None if kept is None else kept.find(key)


def find_for(user: Viewer, key: str) -> RecordedMatch | None:
    """Return a recorded match whose facts this person may see."""
    kept = hooks.RECORDS.get()
    return kept.find(key) if kept is not None and kept.address(user, key) else None


def address(user: Viewer, key: str) -> str:
    """Return where this person watches a recorded match again; "" where they may not."""
    kept = hooks.RECORDS.get()
    return "" if kept is None else kept.address(user, key)


def of_players(players: Collection[int], viewer: Viewer | None = None) -> list[PlayedRecord]:
    """Return the recorded matches of these players, with a viewer those that this person may see."""
    kept = hooks.RECORDS.get()
    return [] if kept is None or not players else kept.of_players(players, viewer)
