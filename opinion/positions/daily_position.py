"""The position of the day, and its answers: the first one of each user or browser counts.

Users are identified by account, others by a cookie of which only a hash is stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db.models import Count
from django.utils import timezone

from matches.state.status import Status
from opinion.analyses import availability
from opinion.errors import AnswerUnknown, NotOfADay, TooManyAnswers
from opinion.judging import positions
from opinion.models import DailyPosition, GivenAnswer, Progress
from opinion.positions.positions import list_choices, load_view
from players.access import attempts

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date, datetime
    from typing import Any

    from django.db.models import QuerySet

    from engine.situation import Situation
    from players.models import Player, User

# Yesterday's position is shown until the new one is evaluated.
STANDS_FOR: Final = timedelta(days=1)


def compute_version_key() -> tuple[date, str] | None:
    """Return the version key of the shown position: its day and position; None if there is none."""
    if not availability.is_enabled():
        return None
    today = timezone.localdate()
    rows = list_shown().filter(day__lte=today, day__gte=today - STANDS_FOR).order_by("-day")
    return rows.values_list("day", "asked__position").first()


def list_shown() -> QuerySet[DailyPosition]:
    """Return the positions with an evaluation, from finished public matches."""
    return DailyPosition.objects.filter(
        asked__progress=Progress.DONE, match__is_private=False, match__status=Status.FINISHED.value
    )


def is_daily_position(position: str) -> bool:
    """True if this was a position of the day, and its match is still public."""
    return list_shown().filter(asked__position=position).exists()


@dataclass(frozen=True, slots=True)
class Respondent:
    """The author of an answer: a user, or a browser by the hash of its cookie."""

    user: User | None
    browser: str

    @property
    def named(self) -> dict[str, Any]:
        """The fields of `GivenAnswer` that identify the respondent."""
        return {"user": self.user, "browser": "" if self.user else self.browser}

    def rows(self) -> QuerySet[GivenAnswer]:
        is_known = self.user is not None or self.browser
        return GivenAnswer.objects.filter(**self.named) if is_known else GivenAnswer.objects.none()


@dataclass(frozen=True, slots=True)
class ChoiceCount:
    """Number of answers with one choice."""

    choice: str
    count: int
    percent: int
    is_best: bool
    is_own: bool


@dataclass(frozen=True, slots=True)
class AnswerCounts:
    """Statistics of all answers; each respondent counts once, with the first answer."""

    count: int
    choices: tuple[ChoiceCount, ...]


def count_answers(position: str, *, best: Iterable[str], mine: str) -> AnswerCounts:
    """Count answers by choice, the most frequent first; includes the best choice even with no answers."""
    right = set(best)
    rows = GivenAnswer.objects.filter(position=position).values("choice").annotate(count=Count("pk"))
    counts = dict.fromkeys(right, 0) | {row["choice"]: row["count"] for row in rows}
    total = sum(counts.values())
    ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    return AnswerCounts(
        total,
        tuple(
            ChoiceCount(
                choice, count, round(100 * count / total) if total else 0, choice in right, choice == mine
            )
            for choice, count in ordered
        ),
    )


# Rate limit per address; a whole club may share one.
PACE: Final = attempts.RateLimit(free=120, first=5, most=60)


def count_answer(*, situation: Situation, choice: str, who: Respondent, address: str, now: datetime) -> None:
    """Count an answer, unless there is one of this respondent already.

    :raises NotOfADay: it was never a position of the day, or has no evaluation.
    :raises AnswerUnknown: it is none of the choices.
    :raises TooManyAnswers: rate limit of this address.
    """
    position = positions.compute_key(situation)
    if not is_daily_position(position):
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
