"""Boards that need no event to stand on the front page: those played at outside events, and the last one that was played out."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from django.db import connection

from matches.play import boards, public_matches
from tournaments.pages import kept

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.db.models import QuerySet

    from matches.models import Match
    from matches.play.boards import Tile

    Rows = Callable[[], QuerySet[Match]]

MOST: Final = 3


def in_play(*, now: datetime) -> tuple[Tile, ...]:
    """Return the boards outside events that everybody may watch, those with a clock first."""
    return _drawn(_in_play, now=now)


def last(*, now: datetime) -> tuple[Tile, ...]:
    """Return the board of the match between people that everybody may see and was over last, as it ended, if there is one."""
    return _drawn(_last, now=now)


def mark() -> tuple[object, ...]:
    """Return what both are made of: while it stays the same, so do they."""
    return (_facts(_in_play), _facts(_last))


def _in_play() -> QuerySet[Match]:
    return public_matches.in_play().filter(pairing__isnull=True)[:MOST]


def _last() -> QuerySet[Match]:
    return public_matches.over()[:1]


def _drawn(rows: Rows, *, now: datetime) -> tuple[Tile, ...]:
    facts = _facts(rows)
    if not facts:
        return ()
    return kept.value(
        "boards", rows.__name__,
        mark=facts,
        make=lambda: boards.tiles(rows()),
        now=now,
        size=lambda found: 1 + len(found),
    )  # fmt: skip


def _facts(rows: Rows) -> tuple[object, ...]:
    sql, values = _question(rows, connection.vendor)
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return tuple(cursor.fetchall())


@cache
def _question(rows: Rows, _vendor: str) -> tuple[str, tuple[Any, ...]]:
    """Return in SQL what the boards are made of.

    It is asked for each page that a visitor sees: to have it written anew would cost ten times what the answer costs.
    """
    return public_matches.facts(rows()).query.sql_with_params()
