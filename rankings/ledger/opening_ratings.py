"""Opening ratings: the ratings with which players start in a list."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime, time
from typing import Final

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from players.models import Player
from rankings.formulas.systems import system
from rankings.formulas.values import Standing
from rankings.ledger.rated_matches import compute_period
from rankings.models import LedgerEntry, Opening, OpeningImport, RatingList

# For more players than this, all opening ratings of the list are read.
MOST_SELECTED: Final = 500


def list_valid(rating_list: RatingList) -> QuerySet[Opening]:
    """Return the opening ratings of a list that count, one of each player: as in `load_standings`."""
    rows = Opening.objects.filter(list=rating_list, undone_at__isnull=True)
    kept = OuterRef("player__merged_into")
    own = rows.filter(player=kept)
    first = rows.filter(player__merged_into=kept, pk__lt=OuterRef("pk"))
    counted = rows.filter(~Exists(own), ~Exists(first))
    return counted.select_related("player__merged_into", "opening_import").order_by("pk")


def load_standings(rating_list: RatingList, players: Collection[int] | None = None) -> dict[str, Standing]:
    """Return initial standings that differ from the default.

    A merged player's opening applies to the player they were merged into, unless that one has an opening as
    well.
    """
    rows = Opening.objects.filter(list=rating_list, undone_at__isnull=True).order_by("pk")
    if players is not None and len(players) <= MOST_SELECTED:
        theirs = Player.objects.filter(Q(pk__in=players) | Q(merged_into__in=players))
        rows = rows.filter(player__in=theirs.values("pk"))
    new = system(rating_list.system, rating_list.params).new()
    found: dict[str, Standing] = {}
    own: set[int] = set()
    for player, merged_into, day, rating, experience, deviation in rows.values_list(
        *("player", "player__merged_into", "day", "rating", "experience", "deviation")
    ):
        who = merged_into or player
        if (players is not None and who not in players) or who in own:
            continue
        if merged_into is None:
            own.add(who)
        elif str(who) in found:
            continue
        found[str(who)] = replace(
            new,
            rating=rating,
            experience=experience,
            deviation=new.deviation if deviation is None else deviation,
            period=compute_period(datetime.combine(day, time(), UTC)),
        )
    return found


def list_openings(rating_list: RatingList) -> QuerySet[Opening]:
    """Return the opening ratings of a list, the highest first, each with whether its player has played."""
    kept = Coalesce(OuterRef("player__merged_into"), OuterRef("player"))
    played = LedgerEntry.objects.filter(list=rating_list, voided_at__isnull=True, player=kept)
    return list_valid(rating_list).annotate(has_played=Exists(played)).order_by("-rating", "pk")


def export_openings(player: Player) -> list[dict[str, object]]:
    """Return the opening ratings of this player and of players merged into them, for their data export."""
    rows = Opening.objects.filter(Q(player=player) | Q(player__merged_into=player), undone_at__isnull=True)
    return [
        {
            "list": row.list.name,
            "club": row.list.club.name,
            "rating": row.rating,
            "experience": row.experience,
            "deviation": row.deviation,
            "day": row.day.isoformat(),
            "source": row.opening_import.source,
        }
        for row in rows.select_related("list__club", "opening_import").order_by("list", "pk")
    ]


def list_imports(rating_list: RatingList) -> QuerySet[OpeningImport]:
    """Return the saved imports of a list that are not undone, the latest first, each with its players."""
    rows = OpeningImport.objects.filter(list=rating_list, saved_at__isnull=False, undone_at__isnull=True)
    return rows.select_related("by__player").annotate(players=Count("openings")).order_by("-pk")
