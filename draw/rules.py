"""The match rules of a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draw.event import MatchRules

if TYPE_CHECKING:
    from draw.event import Stage


def rules_for(stage: Stage, bracket: str, number: int, last: int) -> MatchRules:
    """The rules of a bracket's round; the last matching entry wins (P11)."""
    found = MatchRules()
    for entry in stage.rules:
        first = entry.round if entry.round > 0 else last + 1 + entry.round
        if number >= first and entry.bracket in ("", bracket):
            found = entry.rules
    return found
