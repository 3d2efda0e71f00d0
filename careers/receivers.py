"""Where what a player has played is shown on the pages of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from careers import appearances as seen
from players import hooks as player_hooks
from runtime import lazy_imports
from runtime.http import slots

if TYPE_CHECKING:
    from careers import head_to_head_views, results
else:
    # They are not needed for the start.
    head_to_head_views, results = lazy_imports.modules("careers", "head_to_head_views", "results")

slots.register(
    "event.match", "meetings", template="careers/_met_before.html", show=head_to_head_views.part_of_match
)
slots.register(
    "match.side", "meetings", template="careers/_met_before.html", show=head_to_head_views.part_of_board
)
player_hooks.EXPORTS.add("events", results.own)
player_hooks.APPEARANCES.add("events", seen.collect)
