"""Live boards of an event; for the front page, those outside events and the board finished last."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import cache
from typing import Any, Final

from django.db import connection
from django.db.models import QuerySet

from draw.brackets.structure import FINAL, MAIN
from matches.models import Match
from matches.play import boards, match_lists
from matches.play.boards import DisplayName, Tile
from tournaments.base.event_view import EventView, MatchView
from tournaments.pages import page_cache

Rows = Callable[[], QuerySet[Match]]

MOST: Final = 3


def list_free_boards(*, now: datetime) -> tuple[Tile, ...]:
    """List the public live boards outside events, those with a clock first."""
    return _draw_cached_tiles(_query_free_boards, now=now)


def find_last_board(*, now: datetime) -> tuple[Tile, ...]:
    """Return the board of the public match that ended last, in a tuple of at most one."""
    return _draw_cached_tiles(_query_last_board, now=now)


def compute_version_key() -> tuple[object, ...]:
    """Return the version key of `list_free_boards` and `find_last_board` together."""
    return (_load_version_key(_query_free_boards), _load_version_key(_query_last_board))


def _query_free_boards() -> QuerySet[Match]:
    return match_lists.list_in_play().filter(pairing__isnull=True)[:MOST]


def _query_last_board() -> QuerySet[Match]:
    return match_lists.list_finished()[:1]


def _draw_cached_tiles(rows: Rows, *, now: datetime) -> tuple[Tile, ...]:
    facts = _load_version_key(rows)
    if not facts:
        return ()
    return page_cache.get_or_compute(
        "boards", rows.__name__,
        mark=facts,
        make=lambda: boards.draw_tiles(rows()),
        now=now,
        size=lambda found: 1 + len(found),
    )  # fmt: skip


def _load_version_key(rows: Rows) -> tuple[object, ...]:
    sql, values = _compile_version_query(rows, connection.vendor)
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return tuple(cursor.fetchall())


@cache
def _compile_version_query(rows: Rows, _vendor: str) -> tuple[str, tuple[Any, ...]]:
    """Compile the SQL of the version key. Cached, because compiling takes ten times as long as the query."""
    return match_lists.query_version_facts(rows()).query.sql_with_params()


MOST_LIVE: Final = 5


def list_event_boards(view: EventView) -> tuple[Tile, ...]:
    """List the public live boards of an event, the most important match first.

    Matches of the main bracket come first, then those of later rounds, then those with more points played.
    """
    plays = {play.board: play for play in view.plays if play.is_live and play.board}
    if not plays:
        return ()
    found = list(match_lists.list_public().filter(key__in=plays))
    found.sort(
        key=lambda row: (*_compute_rank(view, plays[row.key]), -row.white_score - row.black_score, row.key)
    )
    return tuple(draw_tile(view, plays[row.key], row) for row in found[:MOST_LIVE])


def _compute_rank(view: EventView, play: MatchView) -> tuple[bool, int]:
    is_main = play.bracket in {"", MAIN, FINAL} and play.stage_id == view.parts[-1].stage.pk
    return not is_main, -play.round


def draw_tile(view: EventView, play: MatchView, row: Match) -> Tile:
    people = {
        player: DisplayName(view.people[pk].name, view.short_names[pk])
        for pk in (play.a_id, play.b_id)
        if pk in view.people and (player := view.player_of.get(pk)) is not None
    }
    return boards.draw_tile(row, people, label=view.label(play), table=play.table)
