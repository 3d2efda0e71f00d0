"""Series: weekly events that are announced automatically."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.keys import new_key
from tournaments.models.event_page_rows import EventPageRow

MOST_DAYS_BEFORE: Final = 60


class Series(EventPageRow):
    """A weekly event: each one is announced some days before, as a copy of a model event."""

    EVENT = "days__event"

    club = models.ForeignKey("players.Club", on_delete=models.CASCADE, related_name="series")
    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    # Also the name of its events.
    name = models.CharField(_("name"), max_length=80)
    # None: the club's last event on that weekday at the time of the announcement.
    like = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    # 0 is Monday.
    weekday = models.PositiveSmallIntegerField(_("weekday"))
    # In the club's time zone.
    at = models.TimeField(_("time"))
    days_before = models.PositiveSmallIntegerField(
        _("days before"), validators=[MinValueValidator(1), MaxValueValidator(MOST_DAYS_BEFORE)]
    )
    until = models.DateField(_("last day"), null=True, blank=True)
    paused_at = models.DateTimeField(_("paused"), null=True, blank=True, editable=False)
    # The code of the refusal that paused it; "" if a director did.
    trouble = models.CharField(max_length=40, blank=True, editable=False)
    # When its next event is announced; None while it is paused, and once it is over.
    due_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Increased by each change, so that two directors do not overwrite each other.
    version = models.PositiveIntegerField(default=0, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )
    created_at = models.DateTimeField(_("created"), editable=False)

    class Meta:
        verbose_name = _("series")
        verbose_name_plural = _("series")
        ordering = ("club", "weekday", "at", "pk")
        constraints = (
            models.CheckConstraint(condition=Q(weekday__gte=0, weekday__lte=6), name="series_weekday_is_one"),
            models.CheckConstraint(
                condition=Q(days_before__gte=1, days_before__lte=MOST_DAYS_BEFORE),
                name="series_is_announced_before",
            ),
            models.CheckConstraint(
                condition=Q(paused_at__isnull=True) | Q(due_at__isnull=True), name="series_paused_is_not_due"
            ),
        )
        indexes = (models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="series_due"),)

    def __str__(self) -> str:
        return self.name


class SeriesDay(EventPageRow):
    """A day of a series for which the event is announced, or which is skipped."""

    series = models.ForeignKey(Series, on_delete=models.CASCADE, related_name="days")
    day = models.DateField(_("day"))
    event = models.OneToOneField(
        "tournaments.Tournament", on_delete=models.SET_NULL, null=True, blank=True, related_name="series_day"
    )
    skipped_at = models.DateTimeField(_("skipped"), null=True, blank=True)
    skipped_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        verbose_name = _("day of a series")
        verbose_name_plural = _("days of series")
        ordering = ("series", "day")
        constraints = (
            # Only one worker can announce a day, also after a crash.
            models.UniqueConstraint(fields=["series", "day"], name="one_event_per_series_and_day"),
            models.CheckConstraint(
                condition=Q(event__isnull=True) | Q(skipped_at__isnull=True),
                name="series_day_is_made_or_skipped",
            ),
        )

    def __str__(self) -> str:
        return f"{self.series_id} {self.day}"
