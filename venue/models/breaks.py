"""When an event stands still because everybody eats, as planned."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

LONGEST_NAME = 60


class Break(models.Model):
    """A break of an event: it warns, and no match is called automatically in it."""

    event = models.ForeignKey("tournaments.Tournament", on_delete=models.CASCADE, related_name="breaks")
    begins_at = models.DateTimeField(_("begins"))
    ends_at = models.DateTimeField(_("ends"))
    name = models.CharField(_("name"), max_length=LONGEST_NAME, blank=True)
    # When the room was looked at again after it.
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
