"""Models of an event's room, its breaks, the stream queue, call modes, and queue runs."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from venue.models.rooms import Room


class CallMode(models.TextChoices):
    AUTOMATIC = "automatic", _("Automatic: a free table gets the next match at once")
    CONFIRMED = "confirmed", _("One key: the next match is proposed, a director calls it")
    BY_HAND = "by-hand", _("By hand: directors choose match and table")


class EventRoom(models.Model):
    event = models.OneToOneField("tournaments.Tournament", on_delete=models.CASCADE, related_name="played_in")
    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="events")
    mode = models.CharField(_("calls"), max_length=9, choices=CallMode, default=CallMode.AUTOMATIC)

    class Meta:
        verbose_name = _("event's room")
        verbose_name_plural = _("events' rooms")
        constraints = (
            models.CheckConstraint(condition=Q(mode__in=CallMode.values), name="call_mode_is_known"),
        )

    def __str__(self) -> str:
        return f"{self.event_id} {self.room_id}"


class QueueRun(models.Model):
    """A run of the queue that led to calls, with its whole input, so that it can be recomputed."""

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="queue_runs")
    at = models.DateTimeField()
    # None for automatic calls.
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    # Input and output of `python -m venue next`, with players and tables by key.
    asked = models.JSONField()
    calls = models.JSONField()

    class Meta:
        verbose_name = _("answer of the queue")
        verbose_name_plural = _("answers of the queue")
        ordering = ("at", "pk")

    def __str__(self) -> str:
        return f"{self.room_id} {self.at}"


LONGEST_BREAK_NAME = 60


class Break(models.Model):
    """A break of an event: no automatic calls in it, and a warning for matches that would run into it."""

    event = models.ForeignKey("tournaments.Tournament", on_delete=models.CASCADE, related_name="breaks")
    begins_at = models.DateTimeField(_("begins"))
    ends_at = models.DateTimeField(_("ends"))
    name = models.CharField(_("name"), max_length=LONGEST_BREAK_NAME, blank=True)
    # When the room was filled again after the break.
    over_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("break")
        verbose_name_plural = _("breaks")
        ordering = ("begins_at", "pk")
        constraints = (
            models.CheckConstraint(
                condition=Q(ends_at__gt=F("begins_at")), name="break_ends_after_it_begins"
            ),
        )
        indexes = (models.Index(fields=["ends_at"], condition=Q(over_at__isnull=True), name="break_to_end"),)

    def __str__(self) -> str:
        return f"{self.event_id} {self.begins_at:%H:%M}-{self.ends_at:%H:%M}"


class StreamedMatch(models.Model):
    """A match that is wanted on stream; the row stays when the match is at a table or over."""

    pairing = models.OneToOneField(
        "tournaments.Pairing", on_delete=models.CASCADE, related_name="wanted_on_stream"
    )
    # Position in the stream queue of its event's room.
    position = models.PositiveSmallIntegerField(_("position"))

    class Meta:
        verbose_name = _("match wanted on stream")
        verbose_name_plural = _("matches wanted on stream")
        ordering = ("position", "pk")

    def __str__(self) -> str:
        return f"{self.position} {self.pairing_id}"
