"""Access to recorded matches, stored by a package above (`hooks.RECORDS`).

Callers read the facts without knowing where they are stored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches import hooks

if TYPE_CHECKING:
    from collections.abc import Collection

    from matches.hooks import PlayedRecord, RecordedMatch, Viewer


def find_recorded(key: str) -> RecordedMatch | None:
    """Return a match with an accepted record, if any."""
    kept = hooks.RECORDS.get()
    return None if kept is None else kept.find(key)


def find_visible(user: Viewer, key: str) -> RecordedMatch | None:
    """Return a recorded match visible to this user."""
    kept = hooks.RECORDS.get()
    return kept.find(key) if kept is not None and kept.address(user, key) else None


def build_replay_url(user: Viewer, key: str) -> str:
    """Return the URL of a recorded match's replay for this user; "" if they may not see it."""
    kept = hooks.RECORDS.get()
    return "" if kept is None else kept.address(user, key)


def list_recorded(players: Collection[int], viewer: Viewer | None = None) -> list[PlayedRecord]:
    """Return the recorded matches of these players; with a viewer, only those visible to them."""
    kept = hooks.RECORDS.get()
    return [] if kept is None or not players else kept.of_players(players, viewer)
