"""The code of a match or of a table: an address that is printed or shown as a QR code, for those who play there.

Whoever has such an address needs no account (ADR 90). The packages above make the addresses and know the tables; whoever prints
a slip or draws a screen asks here, and shows nothing where the answer is "".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments import hooks

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime

    from tournaments.hooks import CodedMatch, TypedLetters


def of_match(match: CodedMatch, *, now: datetime) -> str:
    """Return the address for the two of a match; "" where they are not known, or nobody makes one."""
    maker = hooks.CODES.get()
    if maker is None or match.a_id is None or match.b_id is None:
        return ""
    return maker.of_match(match, now)


def of_table(key: str, *, now: datetime, event_id: int | None = None) -> str:
    """Return the address that leads to whichever match is played at a table; "" where no event is open.

    *event_id*: it leads to matches of this event alone.
    """
    maker = hooks.CODES.get()
    return "" if maker is None else maker.of_table(key, now, event_id)


def shorten(addresses: Collection[str], *, begins: datetime, now: datetime) -> Mapping[str, TypedLetters]:
    """Return for each address the letters that can be typed in its place; *begins*: when the event does."""
    maker = hooks.CODES.get()
    return maker.shorten(addresses, begins, now) if maker is not None and addresses else {}


def match_at(table: str) -> int | None:
    """Return the row of the match that is played at a table now."""
    return hooks.TABLES.get().match_at(table)


def event_at(table: str) -> int | None:
    """Return the row of the event that is played at a table, or that is next."""
    return hooks.TABLES.get().event_at(table)


def table_label(club_id: int, table: str) -> str:
    """Return what is written on a table of a club; "" where it has no such table."""
    return hooks.TABLES.get().label(club_id, table)
