"""What a director wants on stream, in order."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class StreamedMatch(models.Model):
    """A match that is wanted on stream; once it is at a table or over it is no longer waited for, and the row stays."""

    pairing = models.OneToOneField(
        "tournaments.Pairing", on_delete=models.CASCADE, related_name="wanted_on_stream"
    )
    # Its place among those of its room, which is the room of its event.
    position = models.PositiveSmallIntegerField(_("position"))

    class Meta:
        verbose_name = _("match wanted on stream")
        verbose_name_plural = _("matches wanted on stream")
        ordering = ("position", "pk")

    def __str__(self) -> str:
        return f"{self.position} {self.pairing_id}"
