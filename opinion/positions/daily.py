"""The position of the day, and what people have answered about it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db.models import Count
from django.utils import timezone

from matches.state.status import Status
from opinion.analyses import here
from opinion.models import DailyPosition, GivenAnswer, Progress

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date
    from typing import Any

    from django.db.models import QuerySet

    from players.models import User

# Until the one of a new day is chosen and answered, yesterday's stands.
STANDS_FOR: Final = timedelta(days=1)


def mark() -> tuple[date, str] | None:
    """Return the day and the position that pages show, if there is one; all that they show follows from it."""
    if not here.is_wanted():
        return None
    today = timezone.localdate()
    rows = shown().filter(day__lte=today, day__gte=today - STANDS_FOR).order_by("-day")
    return rows.values_list("day", "asked__position").first()


def shown() -> QuerySet[DailyPosition]:
    """Return those whose answer is there and whose match is over, and for everybody to see."""
    return DailyPosition.objects.filter(
        asked__progress=Progress.DONE, match__is_private=False, match__status=Status.FINISHED.value
    )


def is_one(position: str) -> bool:
    """Was this the position of some day?"""
    return shown().filter(asked__position=position).exists()


@dataclass(frozen=True, slots=True)
class Respondent:
    """Who answers: a member, or a browser by the digest of what its cookie holds."""

    user: User | None
    browser: str

    @property
    def named(self) -> dict[str, Any]:
        """By what their answer is found."""
        return {"user": self.user, "browser": "" if self.user else self.browser}

    def rows(self) -> QuerySet[GivenAnswer]:
        """Return what they have answered."""
        is_known = self.user is not None or self.browser
        return GivenAnswer.objects.filter(**self.named) if is_known else GivenAnswer.objects.none()


@dataclass(frozen=True, slots=True)
class ChoiceCount:
    """How many answered so."""

    choice: str
    count: int
    percent: int
    is_best: bool
    is_own: bool


@dataclass(frozen=True, slots=True)
class GivenView:
    """What all have answered; each counts once, with the first answer."""

    count: int
    choices: tuple[ChoiceCount, ...]


def own_answer(position: str, who: Respondent) -> str:
    """Return what somebody answered first; "" if they have not."""
    rows = who.rows().filter(position=position)
    return rows.values_list("choice", flat=True).first() or ""


def count_answers(position: str, *, best: Iterable[str], mine: str) -> GivenView:
    """Return who answered what, the most frequent first; the best stands there even if nobody chose it."""
    right = set(best)
    rows = GivenAnswer.objects.filter(position=position).values("choice").annotate(count=Count("pk"))
    counts = dict.fromkeys(right, 0) | {row["choice"]: row["count"] for row in rows}
    total = sum(counts.values())
    ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    return GivenView(
        total,
        tuple(
            ChoiceCount(
                choice, count, round(100 * count / total) if total else 0, choice in right, choice == mine
            )
            for choice, count in ordered
        ),
    )
