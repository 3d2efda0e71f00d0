"""Where what a player has played is shown on the pages of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from careers import appearances as seen
from players.selectors import appearances
from players.services import exports
from runtime import lazy_imports, slots

if TYPE_CHECKING:
    from careers import head_to_head_views, results
else:
    # Nobody has come yet when a club opens.
    head_to_head_views, results = lazy_imports.modules("careers", "head_to_head_views", "results")

slots.register(
    "event.match", "meetings", template="careers/_met_before.html", show=head_to_head_views.part_of_match
)
slots.register(
    "match.side", "meetings", template="careers/_met_before.html", show=head_to_head_views.part_of_board
)
exports.register("events", results.own)
appearances.register("events", seen.collect)
