"""What people have answered about a position of the day."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Count

from opinion.models import GivenAnswer

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from django.db.models import QuerySet

    from players.models import User


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


def own(position: str, who: Respondent) -> str:
    """Return what somebody answered first; "" if they have not."""
    rows = who.rows().filter(position=position)
    return rows.values_list("choice", flat=True).first() or ""


def of(position: str, *, best: Iterable[str], mine: str) -> GivenView:
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
