"""The code of a match or of a table: an address that is printed or shown as a QR code, for those who play there.

Whoever has such an address needs no account (ADR 90). The packages above make the addresses and know the tables; whoever prints
a slip or draws a screen asks here, and shows nothing where the answer is "".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from datetime import datetime


class CodedMatch(Protocol):
    """A match between two: a row, or what stands for it."""

    @property
    def pk(self) -> int: ...
    @property
    def a_id(self) -> int | None: ...
    @property
    def b_id(self) -> int | None: ...
    @property
    def deadline_at(self) -> datetime | None: ...


class TypedLetters(NamedTuple):
    """Letters to type in place of an address, and until when they are good."""

    letters: str
    until: datetime


class Addresses(NamedTuple):
    """Who makes the addresses."""

    of_match: Callable[[CodedMatch, datetime], str]
    of_table: Callable[[str, datetime, int | None], str]
    until: Callable[[str], datetime]
    shorten: Callable[[Collection[str], datetime, datetime], Mapping[str, TypedLetters]]


class Tables(NamedTuple):
    """Who knows the tables, by their keys."""

    # The row of the match that is played there now.
    match_at: Callable[[str], int | None]
    # What is written on a table of a club, by the club's row; "" where it has no such table.
    label: Callable[[int, str], str]
    # The row of the event that is played there, or that is next; the code of the table lasts as long as that.
    event_at: Callable[[str], int | None]


_addresses: Final[list[Addresses]] = []
_tables: Final[list[Tables]] = []


def register(
    *,
    of_match: Callable[[CodedMatch, datetime], str],
    of_table: Callable[[str, datetime, int | None], str],
    until: Callable[[str], datetime],
    shorten: Callable[[Collection[str], datetime, datetime], Mapping[str, TypedLetters]],
) -> None:
    """Name who makes the addresses: each is a path of this site, is good until some time, and can be typed as letters."""
    _addresses[:] = [Addresses(of_match, of_table, until, shorten)]


def register_tables(
    *,
    match_at: Callable[[str], int | None],
    label: Callable[[int, str], str],
    event_at: Callable[[str], int | None],
) -> None:
    """Name who knows the tables."""
    _tables[:] = [Tables(match_at, label, event_at)]


def of_match(match: CodedMatch, *, now: datetime) -> str:
    """Return the address for the two of a match; "" where they are not known, or nobody makes one."""
    if not _addresses or match.a_id is None or match.b_id is None:
        return ""
    return _addresses[0].of_match(match, now)


def of_table(key: str, *, now: datetime, event_id: int | None = None) -> str:
    """Return the address that leads to whichever match is played at a table; "" where no event is open.

    *event_id*: it leads to matches of this event alone.
    """
    return _addresses[0].of_table(key, now, event_id) if _addresses else ""


def until(address: str) -> datetime:
    """Return until when an address that was made here is good."""
    return _addresses[0].until(address)


def shorten(addresses: Collection[str], *, begins: datetime, now: datetime) -> Mapping[str, TypedLetters]:
    """Return for each address the letters that can be typed in its place; *begins*: when the event does."""
    return _addresses[0].shorten(addresses, begins, now) if _addresses and addresses else {}


def match_at(table: str) -> int | None:
    """Return the row of the match that is played at a table now."""
    return _tables[0].match_at(table) if _tables else None


def event_at(table: str) -> int | None:
    """Return the row of the event that is played at a table, or that is next."""
    return _tables[0].event_at(table) if _tables else None


def table_label(club_id: int, table: str) -> str:
    """Return what is written on a table of a club; "" where it has no such table."""
    return _tables[0].label(club_id, table) if _tables else ""
