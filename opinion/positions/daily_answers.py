"""Answers to positions of the day: the first one of each user or browser counts.

Users are identified by account, others by a cookie of which only a hash is stored.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from opinion.errors import AnswerUnknown, NotOfADay, TooManyAnswers
from opinion.judging import positions
from opinion.models import GivenAnswer
from opinion.positions import daily_position
from opinion.positions.positions import list_choices, load_view
from players.access import attempts

if TYPE_CHECKING:
    from datetime import datetime

    from engine.situation import Situation
    from opinion.positions.daily_position import Respondent
    from players.models import Player

# Rate limit per address; a whole club may share one.
PACE: Final = attempts.RateLimit(free=120, first=5, most=60)


def create_token() -> str:
    """Return a new cookie value."""
    return secrets.token_urlsafe(18)


def hash_token(token: str) -> str:
    """Return the stored hash of a cookie value."""
    return sha256(token.encode()).hexdigest() if token else ""


def count_answer(*, situation: Situation, choice: str, who: Respondent, address: str, now: datetime) -> None:
    """Count an answer, unless there is one of this respondent already.

    :raises NotOfADay: it was never a position of the day, or has no evaluation.
    :raises AnswerUnknown: it is none of the choices.
    :raises TooManyAnswers: rate limit of this address.
    """
    position = positions.compute_key(situation)
    if not daily_position.is_daily_position(position):
        raise NotOfADay
    offered = list_choices(load_view(situation))
    if not offered:
        raise NotOfADay
    if choice not in offered:
        raise AnswerUnknown
    if who.rows().filter(position=position).exists():
        return
    try:
        attempts.count_try(attempts.build_network_buckets(PACE, "answers", address), now=now)
    except attempts.TooManyTries as too_soon:
        raise TooManyAnswers(seconds=too_soon.seconds) from too_soon
    fresh = GivenAnswer(position=position, choice=choice, at=now, **who.named)
    # Concurrent requests of one browser: the second is ignored.
    GivenAnswer.objects.bulk_create([fresh], ignore_conflicts=True)


def export_answers(player: Player) -> list[dict[str, object]]:
    """Return a player's answers to positions of the day, for the export of their data."""
    rows = GivenAnswer.objects.filter(user__player=player).order_by("at", "pk")
    return [dict(row) for row in rows.values("position", "choice", "at")]


def delete_answers(*, player: Player) -> None:
    if player.user_id is not None:
        GivenAnswer.objects.filter(user=player.user_id).delete()
