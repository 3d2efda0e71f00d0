"""Addresses for matches and tables, printed or shown as QR codes, for players without an account (ADR 90).

Packages above make the addresses. Slips and screens call these functions, and show no code if the result is "".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments import hooks

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime

    from tournaments.hooks import CodedMatch, TypedLetters


def build_match_address(match: CodedMatch, *, now: datetime) -> str:
    """Return the address for the two players of a match; "" without both, or if no package makes codes."""
    return "" if None in (match.a_id, match.b_id) else hooks.CODES.get().of_match(match, now)


def build_table_address(key: str, *, now: datetime, event_id: int | None = None) -> str:
    """Return the address of the match that is played at a table; "" if no event is open.

    *event_id*: only for matches of this event.
    """
    return hooks.CODES.get().of_table(key, now, event_id)


def shorten_addresses(
    addresses: Collection[str], *, begins: datetime, now: datetime
) -> Mapping[str, TypedLetters]:
    """Return the letters to type instead of each address; *begins* is the start of the event."""
    return hooks.CODES.get().shorten(addresses, begins, now) if addresses else {}
