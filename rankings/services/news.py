"""Telling a club's own programs that a list or a season is another: where to look, not what is there (ADR 28)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from players.services import webhooks

if TYPE_CHECKING:
    from datetime import datetime

    from rankings.models import DatedList, RatingList, Season


def list_changed(rating_list: RatingList, *, now: datetime) -> None:
    """Tell that ratings of a list are others, in the transaction that wrote them."""
    once = f"list:{rating_list.key}:{now.isoformat()}"
    about = {"list": rating_list.key}
    webhooks.tell(club_id=rating_list.club_id, what="list.changed", about=about, once=once, now=now)


def list_published(made: DatedList, *, now: datetime) -> None:
    """Tell that a list was published with a date, in the transaction that made it."""
    about = {"list": made.list.key, "day": made.day.isoformat()}
    once = f"dated:{made.list.key}:{made.day.isoformat()}"
    webhooks.tell(club_id=made.list.club_id, what="list.published", about=about, once=once, now=now)


def season_changed(season: Season, *, now: datetime) -> None:
    """Tell that a season's table or its rules are others, in the transaction of the change."""
    once = f"season:{season.key}:{now.isoformat()}"
    webhooks.tell(
        club_id=season.club_id, what="season.changed", about={"season": season.key}, once=once, now=now
    )
