"""Where what a player has played is shown on the pages of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from careers import appearances as seen
from matches import hooks as match_hooks
from players import hooks as player_hooks
from runtime import lazy_imports
from runtime.hooks import SlotPart
from tournaments import hooks as event_hooks

if TYPE_CHECKING:
    from careers import head_to_head_views, results
else:
    # They are not needed for the start.
    head_to_head_views, results = lazy_imports.modules("careers", "head_to_head_views", "results")

event_hooks.EVENT_MATCH.add(
    "meetings", SlotPart("careers/_met_before.html", head_to_head_views.part_of_match)
)
match_hooks.MATCH_SIDE.add("meetings", SlotPart("careers/_met_before.html", head_to_head_views.part_of_board))
player_hooks.EXPORTS.add("events", results.own)
player_hooks.APPEARANCES.add("events", seen.collect)
