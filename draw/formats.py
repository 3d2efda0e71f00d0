"""The formats that exist: a format is one module, and one line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draw import groups, lives, round_robin, swiss
from draw.brackets import knockout

if TYPE_CHECKING:
    from draw.format import Format

FORMATS: dict[str, Format] = {
    "consolation": knockout.CONSOLATION,
    "double-elimination": knockout.DOUBLE,
    "feed-in": knockout.FEED_IN,
    "first-match-losers": knockout.FIRST_MATCH,
    "groups": groups.FORMAT,
    "last-chance": knockout.LAST_CHANCE,
    "league": round_robin.LEAGUE,
    "lives": lives.FORMAT,
    "progressive-consolation": knockout.PROGRESSIVE,
    "round-robin": round_robin.FORMAT,
    "single-elimination": knockout.SINGLE,
    "swiss": swiss.FORMAT,
}
