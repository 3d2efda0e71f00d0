"""Hooks that add a player's record to the pages of other packages."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Count, Max

from careers import results, views
from matches import hooks as match_hooks
from players import hooks as player_hooks
from players.hooks import Appearances
from runtime.hooks import SlotPart
from tournaments import hooks as event_hooks
from tournaments.base import substitutes
from tournaments.models import Entry, Pairing, PairingState, ResultKind
from tournaments.status import Status


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
    replaced = substitutes.load_replacements_around(players)
    own = substitutes.list_entries(players, replaced).values("pk")
    played = substitutes.annotate_players(played, replaced).order_by()
    # Live matches are counted by the `matches` package.
    over_the_board = played.filter(match__isnull=True)
    for side in ("a", "b"):
        rows = over_the_board.filter(**{f"{side}__in": own, f"player_{side}__in": players})
        for player, matches, at in rows.values_list(f"player_{side}").annotate(
            Count("pk"), Max("decided_at")
        ):
            found.see(player, at, matches=matches)
    both = played.filter(a__in=own, b__in=own, player_a__in=players, player_b__in=players)
    sides = ("player_a", "player_b")
    for one, other in both.values_list(*sides).distinct():
        found.meet(one, other)


event_hooks.EVENT_MATCH.add("meetings", SlotPart("careers/_met_before.html", views.build_match_part))
match_hooks.MATCH_SIDE.add("meetings", SlotPart("careers/_met_before.html", views.build_board_part))
player_hooks.EXPORTS.add("events", results.export_entries)
player_hooks.APPEARANCES.add("events", add_appearances)
