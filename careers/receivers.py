"""Hooks that add a player's record to the pages of other packages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Count, Max

from careers import results, views
from matches import hooks as match_hooks
from players import hooks as player_hooks
from runtime.hooks import SlotPart
from tournaments import hooks as event_hooks
from tournaments.models import Entry, Pairing, PairingState, ResultKind
from tournaments.status import Status

if TYPE_CHECKING:
    from collections.abc import Collection

    from players.hooks import Appearances


def add_appearances(players: Collection[int], found: Appearances) -> None:
    """Collect the events of some players, their matches over the board, and who met whom."""
    entries = Entry.objects.filter(
        player__in=players,
        withdrawn_at__isnull=True,
        tournament__status__in=(Status.RUNNING, Status.FINISHED),
    )
    for player, event, at in entries.values_list("player", "tournament", "tournament__started_at"):
        found.events[player].add(event)
        found.see(player, at)
    played = Pairing.objects.filter(
        state=PairingState.DECIDED,
        kind__in=(ResultKind.PLAYED, ResultKind.DRAWN),
        is_derived=False,
        is_cancelled=False,
    )
    # Live matches are counted by the `matches` package.
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


event_hooks.EVENT_MATCH.add("meetings", SlotPart("careers/_met_before.html", views.build_match_part))
match_hooks.MATCH_SIDE.add("meetings", SlotPart("careers/_met_before.html", views.build_board_part))
player_hooks.EXPORTS.add("events", results.export_entries)
player_hooks.APPEARANCES.add("events", add_appearances)
