"""The table: every act by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tournaments.acts.before import BEFORE
from tournaments.acts.during import ABOUT_PLAYERS, ABOUT_THE_EVENT
from tournaments.acts.matches import MATCHES
from tournaments.acts.players import PLAYERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tournaments.acts.act import Act

EVERY: Final = (*PLAYERS, *BEFORE, *MATCHES, *ABOUT_PLAYERS, *ABOUT_THE_EVENT)
ACTS: Final[Mapping[str, Act]] = {act.name: act for act in EVERY}
# Those that a director finds on one page, which asks, shows what follows, and does it.
ON_PAGES: Final[Mapping[str, Act]] = {act.name: act for act in EVERY if act.page == "act"}
OF_MATCH: Final = tuple(act for act in ON_PAGES.values() if act.is_of_match)
OF_EVENT: Final = tuple(act for act in ON_PAGES.values() if not act.is_of_match)
