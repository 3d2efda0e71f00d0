"""The event that a club is likely to repeat: its last one on the same weekday."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from players.models import Club
from tournaments.base import local_times
from tournaments.models import Stage, Tournament
from tournaments.status import Status

# The number of recent events to search; enough for a club that plays every day.
RECENT: Final = 30
# The prefix of a choice that means an earlier event of the club; its key follows.
LIKE: Final = "like-"
TOLD: Final = (Status.PUBLISHED, Status.RUNNING, Status.FINISHED)


def find_last_event(club: Club, *, day: datetime, now: datetime) -> Tournament | None:
    """Return the club's last event on the weekday of *day*, or else its last event; None without one."""
    is_staged = Exists(Stage.objects.filter(tournament=OuterRef("pk")))
    rows = Tournament.objects.filter(
        is_staged, club=club, is_friendly=False, starts_at__lte=now, status__in=TOLD
    )
    recent = list(rows.order_by("-starts_at", "-pk")[:RECENT])

    def get_weekday(moment: datetime) -> int:
        return local_times.convert_to_local(moment, club.time_zone).weekday()

    same = (one for one in recent if get_weekday(one.starts_at) == get_weekday(day))
    return next(same, recent[0] if recent else None)


def format_repeat_label(event: Tournament) -> str:
    return _("As on %(day)s") % {"day": local_times.format_day(event.starts_at, event.club.time_zone)}


def find_public_event(club: Club, key: str) -> Tournament | None:
    """Return the public event of this club with that key; None without one."""
    return Tournament.objects.filter(club=club, is_friendly=False, key=key, status__in=TOLD).first()
