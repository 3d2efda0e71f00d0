"""The table of acts."""

from __future__ import annotations

from typing import Final

from tournaments.desk.acts.act import Act
from tournaments.desk.acts.event_acts import ABOUT_PLAYERS, ABOUT_THE_EVENT
from tournaments.desk.acts.matches import MATCHES
from tournaments.desk.acts.players import PLAYERS
from tournaments.desk.acts.preparation import BEFORE

ACTS: Final[dict[str, Act]] = {
    act.name: act for act in (*PLAYERS, *BEFORE, *MATCHES, *ABOUT_PLAYERS, *ABOUT_THE_EVENT)
}


def map_page_acts() -> dict[str, Act]:
    """Return the acts of the shared page, which previews and runs them, by name."""
    return {name: act for name, act in ACTS.items() if act.title}


def list_match_acts() -> list[Act]:
    return [act for act in map_page_acts().values() if act.is_of_match]


def list_event_acts() -> list[Act]:
    """List the acts of the shared page on the event and its players."""
    return [act for act in map_page_acts().values() if not act.is_of_match]
