"""Boards on the front page that belong to no event: live ones, and the last finished one."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from django.db import connection

from matches.play import boards, listing
from tournaments.pages import kept

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.db.models import QuerySet

    from matches.models import Match
    from matches.play.boards import Tile

    Rows = Callable[[], QuerySet[Match]]

MOST: Final = 3


def list_in_play(*, now: datetime) -> tuple[Tile, ...]:
    """Public live boards outside events, those with a clock first."""
    return _drawn(_in_play, now=now)


def find_last(*, now: datetime) -> tuple[Tile, ...]:
    """The board of the public match that ended last, as a tuple of at most one."""
    return _drawn(_last, now=now)


def compute_version_key() -> tuple[object, ...]:
    """Version key of both lists."""
    return (_facts(_in_play), _facts(_last))


def _in_play() -> QuerySet[Match]:
    return listing.in_play().filter(pairing__isnull=True)[:MOST]


def _last() -> QuerySet[Match]:
    return listing.over()[:1]


def _drawn(rows: Rows, *, now: datetime) -> tuple[Tile, ...]:
    facts = _facts(rows)
    if not facts:
        return ()
    return kept.value(
        "boards", rows.__name__,
        mark=facts,
        make=lambda: boards.draw_tiles(rows()),
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
    """Compile the SQL of the version key. Cached, because compiling takes ten times as long as the query."""
    return listing.facts(rows()).query.sql_with_params()
