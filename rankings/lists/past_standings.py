"""Standings of a list at a point in time, from the ledger: only matches finished before it count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Count, Q

from rankings.formulas.glicko2 import Glicko2
from rankings.formulas.systems import system
from rankings.ledger import entries, opening_ratings, rated_matches, rebuilding
from rankings.ledger.order import DIGITS
from rankings.models import DatedRating

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from rankings.formulas.values import Standing
    from rankings.models import RatingList


def compute_placed_players(rating_list: RatingList, at: datetime, *, least: int) -> list[DatedRating]:
    """Return all players in order, unsaved; those with less experience than *least* are provisional.

    Order and shared places are those of the live list (`ledger.order`).
    """
    played = dict(
        rated_matches.list_entries(rating_list)
        .filter(at__lt=at)
        .order_by()
        .values_list("player")
        .annotate(Count("pk"))
    )
    rows = [
        (standing.experience < least, -standing.rating, player, standing)
        for player, standing in _load_standings(rating_list, at, played).items()
    ]
    rows.sort(key=lambda row: row[:3])
    found: list[DatedRating] = []
    last: tuple[bool, float] | None = None
    for number, (is_provisional, _, player, standing) in enumerate(rows, 1):
        figure = is_provisional, round(standing.rating, DIGITS)
        found.append(
            DatedRating(
                player_id=player,
                place=found[-1].place if figure == last else number,
                is_provisional=is_provisional,
                rating=standing.rating,
                deviation=standing.deviation,
                experience=standing.experience,
                matches=played[player],
            )
        )
        last = figure
    return found


def _load_standings(rating_list: RatingList, at: datetime, players: Collection[int]) -> dict[int, Standing]:
    how = system(rating_list.system, rating_list.params)
    if not isinstance(how, Glicko2):
        return _load_last_standings(rating_list, at, players)
    # Entries have the standing at the end of their period, so the last period is rated again up to *at*.
    begun = rated_matches.get_period_start(at)
    found = opening_ratings.load_standings(rating_list, players)
    found |= {str(player): each for player, each in _load_last_standings(rating_list, begun, players).items()}
    since = rated_matches.list_entries(rating_list).filter(at__gte=begun, at__lt=at, is_a=True)
    for _step in how.steps((entries.build_match(entry).outcome for entry in since), found):
        pass
    last = rated_matches.compute_period(at - rebuilding.MOMENT)
    return {int(player): how.at(standing, last) for player, standing in found.items()}


def _load_last_standings(
    rating_list: RatingList, at: datetime, players: Collection[int]
) -> dict[int, Standing]:
    found: dict[int, Standing] = {}
    for some in entries.batch_values(players):
        last = entries.find_last_entries(rating_list, some, Q(at__lt=at))
        found |= {player: rated_matches.read_standing(entry) for player, entry in last.items()}
    return found
