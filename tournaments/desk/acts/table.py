"""The table of all acts by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tournaments.desk.acts.before import BEFORE
from tournaments.desk.acts.during import ABOUT_PLAYERS, ABOUT_THE_EVENT
from tournaments.desk.acts.matches import MATCHES
from tournaments.desk.acts.players import PLAYERS

if TYPE_CHECKING:
    from tournaments.desk.acts.act import Act

ACTS: Final[dict[str, Act]] = {
    act.name: act for act in (*PLAYERS, *BEFORE, *MATCHES, *ABOUT_PLAYERS, *ABOUT_THE_EVENT)
}


def on_pages() -> dict[str, Act]:
    """Acts on the page of all acts, which previews and runs them."""
    return {name: act for name, act in ACTS.items() if act.page == "act"}


def of_match() -> list[Act]:
    return [act for act in on_pages().values() if act.is_of_match]


def of_event() -> list[Act]:
    """Acts on the event and its players."""
    return [act for act in on_pages().values() if not act.is_of_match]
