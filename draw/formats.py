"""The table of formats: each is one module and one line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draw import groups, lives, round_robin, swiss
from draw.brackets import knockout

if TYPE_CHECKING:
    from draw.format import Format

# In display order.
FORMATS: dict[str, Format] = {
    "single-elimination": knockout.SINGLE,
    "consolation": knockout.CONSOLATION,
    "progressive-consolation": knockout.PROGRESSIVE,
    "last-chance": knockout.LAST_CHANCE,
    "feed-in": knockout.FEED_IN,
    "first-match-losers": knockout.FIRST_MATCH,
    "double-elimination": knockout.DOUBLE,
    "swiss": swiss.FORMAT,
    "lives": lives.FORMAT,
    "round-robin": round_robin.FORMAT,
    "league": round_robin.LEAGUE,
    "groups": groups.FORMAT,
}
