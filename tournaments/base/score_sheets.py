"""The score sheets of matches at tables, as far as an event has to know of them: where one is, and which positions fit it.

The packages above keep the sheets. Whoever rules on such a match asks here, and is told nothing where nobody keeps any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from tournaments.models import Pairing


class PlaysOn(NamedTuple):
    """From where two play on: a position as it is kept, its score, and whose turn it is there, "a" or "b"."""

    position: str
    score: tuple[int, int]
    turn: str


class Sheets(NamedTuple):
    """Who keeps the sheets."""

    plays_on: Callable[[Pairing, str], PlaysOn]
    address: Callable[[Pairing], str]


_sheets: Final[list[Sheets]] = []


def register(*, plays_on: Callable[[Pairing, str], PlaysOn], address: Callable[[Pairing], str]) -> None:
    """Name who keeps the sheets."""
    _sheets[:] = [Sheets(plays_on, address)]


def plays_on(row: Pairing, position: str) -> PlaysOn | None:
    """Return from where the two of a match play on by an XGID; None where the match has no sheet.

    :raises BadPosition: it is no position.
    :raises OtherScore: the match was never at its score, by the games that are kept.
    """
    return _sheets[0].plays_on(row, position) if _sheets and row.match_id is None else None


def address(row: Pairing) -> str:
    """Return the path of the sheet of a match, "" where it has none."""
    return _sheets[0].address(row) if _sheets and row.match_id is None else ""
