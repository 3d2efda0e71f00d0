"""A list full of players as rows and nothing else: ratings that were not played for, to be sorted, counted and found."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import uuid4

from rankings.models import LedgerEntry, PlayerRating, RatingList
from tests.rankings import many


def stand(
    rating_list: RatingList, figures: Sequence[tuple[float, int, int]], now: datetime
) -> list[PlayerRating]:
    """Give a list new players (rating, experience, days since their last match)."""
    players = many.people(len(figures), now)
    event = many.field(rating_list.club, players[:2], now, 1)[0].tournament
    policy = rating_list.policies.get()
    entries = [
        LedgerEntry(
            list=rating_list, event=event, match=uuid4(), at=now - timedelta(days=days), player=player,
            opponent=players[number - 1], is_a=True, won=True, length=5, policy=policy, before=rating - 1,
            opponent_before=1500.0, expectancy=0.5, weight=1.0, k=2.0, change=1.0, after=rating,
            experience=experience, deviation=0.0, volatility=0.0, written_at=now,
        )
        for number, (player, (rating, experience, days)) in enumerate(zip(players, figures, strict=True))
    ]  # fmt: skip
    LedgerEntry.objects.bulk_create(entries)
    rows = [
        PlayerRating(
            list=rating_list, player=entry.player, last=entry, rating=entry.after, matches=1,
            experience=entry.experience, last_at=entry.at,
        )
        for entry in entries
    ]  # fmt: skip
    return PlayerRating.objects.bulk_create(rows)
