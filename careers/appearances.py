"""Where players have been seen at events: what speaks for two of them being one person, and against it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Count, Max

from tournaments.models import Ended, Entry, Pairing, Stand
from tournaments.status import Status

if TYPE_CHECKING:
    from collections.abc import Collection

    from players.hooks import Appearances


def collect(players: Collection[int], found: Appearances) -> None:
    """Note the events of some players, their matches over the board, and who has met whom."""
    entries = Entry.objects.filter(
        player__in=players,
        withdrawn_at__isnull=True,
        tournament__status__in=(Status.RUNNING, Status.FINISHED),
    )
    for player, event, at in entries.values_list("player", "tournament", "tournament__started_at"):
        found.events[player].add(event)
        found.see(player, at)
    played = Pairing.objects.filter(state=Stand.DECIDED, kind__in=(Ended.PLAYED, Ended.DRAWN))
    # What was played live is counted by the matches.
    over_the_board = played.filter(match__isnull=True)
    for side in ("a", "b"):
        rows = over_the_board.filter(**{f"{side}__player__in": players}).order_by()
        for player, matches, at in rows.values_list(f"{side}__player").annotate(
            Count("pk"), Max("decided_at")
        ):
            found.see(player, at, matches=matches)
    both = played.filter(a__player__in=players, b__player__in=players)
    for one, other in both.order_by().values_list("a__player", "b__player").distinct():
        found.meet(one, other)
