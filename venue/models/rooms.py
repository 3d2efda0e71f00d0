"""Models of rooms and tables."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.keys import new_key
from venue.queue import BROKEN, FREE
from venue.queue import STREAM as ON_STREAM


class TableState(models.TextChoices):
    """State of a table; only a free one gets a match (V1)."""

    FREE = FREE, _("Free")
    HELD = "held", _("Held")
    BROKEN = BROKEN, _("Broken")


class TableTag(models.TextChoices):
    STREAM = ON_STREAM, _("Stream")
    CLOCK = "clock", _("Clock")
    STEP_FREE = "step-free", _("Step-free")


class Room(models.Model):
    """A room that a club plays in; all its events share it."""

    club = models.ForeignKey("players.Club", on_delete=models.CASCADE, related_name="rooms")
    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    name = models.CharField(_("name"), max_length=80)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )
    created_at = models.DateTimeField(_("created"), editable=False)
    # When the reservation of a stream table ends (V9) and the room is filled again.
    kept_until = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("room")
        verbose_name_plural = _("rooms")
        ordering = ("club", "pk")
        constraints = (models.UniqueConstraint(fields=["club", "name"], name="one_room_per_club_and_name"),)
        indexes = (
            models.Index(
                fields=["kept_until"], condition=Q(kept_until__isnull=False), name="room_keeps_a_table"
            ),
        )

    def __str__(self) -> str:
        return self.name


class Table(models.Model):
    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="tables")
    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    # Same length as `Pairing.table`, which holds the label.
    label = models.CharField(_("label"), max_length=12)
    # Position in the room: tables are assigned in this order (V8).
    position = models.PositiveSmallIntegerField(default=0)
    state = models.CharField(_("state"), max_length=6, choices=TableState, default=TableState.FREE)
    tags = models.JSONField(_("tags"), default=list, blank=True)

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        ordering = ("room", "position")
        constraints = (
            models.UniqueConstraint(fields=["room", "label"], name="one_table_per_room_and_label"),
            models.CheckConstraint(condition=Q(state__in=TableState.values), name="table_state_is_known"),
        )

    def __str__(self) -> str:
        return self.label

    @property
    def tag_labels(self) -> tuple[str, ...]:
        return tuple(str(TableTag(tag).label) for tag in self.tags)
