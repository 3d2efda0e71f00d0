"""The dice of a match, counted once it is over, so that nobody has to read all journals to see if dice are fair."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class DiceTally(models.Model):
    """What was thrown in one match. Computed from its journal; may be dropped and counted again."""

    match = models.OneToOneField(
        "matches.Match", on_delete=models.CASCADE, primary_key=True, related_name="dice_tally"
    )
    # Up to which line it was counted.
    head = models.PositiveIntegerField()
    strict = models.PositiveIntegerField(default=0)
    sealed = models.PositiveIntegerField(default=0)
    weaker = models.PositiveIntegerField(default=0)
    # How often each of the 36 throws came, from 1-1, 1-2 to 6-6 as thrown: of one player, and of both at once.
    throws = models.JSONField()
    openings = models.JSONField()
    # How many runs of doubles there were: of one, of two in a row, and so on.
    runs = models.JSONField()

    class Meta:
        verbose_name = _("tally of dice")
        verbose_name_plural = _("tallies of dice")

    def __str__(self) -> str:
        return f"{self.match_id}"
