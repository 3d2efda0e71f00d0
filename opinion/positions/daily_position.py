"""The position of the day, and statistics of answers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db.models import Count
from django.utils import timezone

from matches.state.status import Status
from opinion.analyses import availability
from opinion.models import DailyPosition, GivenAnswer, Progress

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date
    from typing import Any

    from django.db.models import QuerySet

    from players.models import User

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


def find_own_answer(position: str, who: Respondent) -> str:
    """Return the respondent's first answer; "" if there is none."""
    rows = who.rows().filter(position=position)
    return rows.values_list("choice", flat=True).first() or ""


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
