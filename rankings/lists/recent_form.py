"""The recent form of players in a list: the ratings and results of their last ten matches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import connection

from rankings.lists import graph
from rankings.models import RatingList

MATCHES: Final = 10
RESULTS: Final = 5
LAST: Final = """SELECT * FROM (
    SELECT player_id, won, before, after FROM rankings_ledgerentry
    WHERE list_id = %s AND player_id = %s AND {stood}
    ORDER BY at DESC, match DESC LIMIT %s) AS latest"""

STANDS: Final = "voided_at IS NULL"
STOOD: Final = "written_at <= %s AND (voided_at IS NULL OR voided_at > %s)"


@dataclass(frozen=True, slots=True)
class RecentForm:
    """The recent form of a player; the latest result comes last."""

    results: tuple[bool, ...]
    change: float
    matches: int
    spark: graph.Sparkline

    @property
    def won(self) -> int:
        """The number of wins among the results shown."""
        return sum(self.results)


def load_form(
    rating_list: RatingList, players: Sequence[int], *, before: datetime | None = None
) -> dict[int, RecentForm]:
    """Return the form of each of these players who has rated matches.

    During a rebuild it is the form as of *before*, when the rebuild began, like the ratings beside it.
    """
    if not players:
        return {}
    at = [] if before is None else [connection.ops.adapt_datetimefield_value(before)] * 2
    one = LAST.format(stood=STANDS if before is None else STOOD)
    # One statement in which each part reads ten rows of an index: a window function would read all matches.
    given = [value for player in players for value in (rating_list.pk, player, *at, MATCHES)]
    last: defaultdict[int, list[tuple[bool, float, float]]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join([one] * len(players)), given)
        for player, won, began, ended in cursor.fetchall():
            last[player].insert(0, (bool(won), began, ended))
    return {player: _build_form(entries) for player, entries in last.items()}


def _build_form(entries: Sequence[tuple[bool, float, float]]) -> RecentForm:
    ratings = [entries[0][1], *(after for _, _, after in entries)]
    return RecentForm(
        results=tuple(won for won, _, _ in entries[-RESULTS:]),
        change=ratings[-1] - ratings[0],
        matches=len(entries),
        spark=graph.draw_sparkline(ratings),
    )
