"""The position of the day."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.utils import timezone

from matches.state.status import Status
from opinion.models import DailyPosition, Progress
from opinion.selectors import here

if TYPE_CHECKING:
    from datetime import date

    from django.db.models import QuerySet

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
