"""What people answer about a position of the day is counted: the first answer of each, whoever they are.

Members are known by their account, others by a cookie of their browser; of that a digest is kept, so nobody can be found by it.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from opinion.errors import AnswerUnknown, NotOfADay, TooManyAnswers
from opinion.judging import positions
from opinion.models import GivenAnswer
from opinion.positions import daily
from opinion.positions.positions import list_choices, view
from players.access import attempts

if TYPE_CHECKING:
    from datetime import datetime

    from engine.situation import Situation
    from opinion.positions.daily import Respondent
    from players.models import Player

# Of one address, where a whole club may sit.
PACE: Final = attempts.Pace(free=120, first=5, most=60)


def new_token() -> str:
    """Return what a browser is known by from now on."""
    return secrets.token_urlsafe(18)


def digest(token: str) -> str:
    """Return what is kept of it."""
    return sha256(token.encode()).hexdigest() if token else ""


def give(*, situation: Situation, choice: str, who: Respondent, address: str, now: datetime) -> None:
    """Count an answer, unless this person has answered before.

    :raises NotOfADay: it never was the position of a day, or its answer is not known.
    :raises AnswerUnknown: it is none of the choices.
    :raises TooManyAnswers: too many came from this address.
    """
    position = positions.key(situation)
    if not daily.is_one(position):
        raise NotOfADay
    offered = list_choices(view(situation))
    if not offered:
        raise NotOfADay
    if choice not in offered:
        raise AnswerUnknown
    if who.rows().filter(position=position).exists():
        return
    try:
        attempts.take_turn(attempts.network_lanes(PACE, "answers", address), now=now)
    except attempts.TooSoon as too_soon:
        raise TooManyAnswers(seconds=too_soon.seconds) from too_soon
    fresh = GivenAnswer(position=position, choice=choice, at=now, **who.named)
    # Two pages of the same browser at once: the second is not counted.
    GivenAnswer.objects.bulk_create([fresh], ignore_conflicts=True)


def forget(*, player: Player) -> None:
    """Forget what somebody answered who leaves."""
    if player.user_id is not None:
        GivenAnswer.objects.filter(user=player.user_id).delete()
