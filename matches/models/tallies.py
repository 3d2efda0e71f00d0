"""Dice counts of finished matches, so that fairness statistics need not read all journals."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class DiceTally(models.Model):
    """Dice counts of a match. Computed from its journal; may be deleted and recomputed."""

    match = models.OneToOneField(
        "matches.Match", on_delete=models.CASCADE, primary_key=True, related_name="dice_tally"
    )
    # Last line counted.
    head = models.PositiveIntegerField()
    strict = models.PositiveIntegerField(default=0)
    sealed = models.PositiveIntegerField(default=0)
    weaker = models.PositiveIntegerField(default=0)
    # Frequencies of the 36 throws, 1-1, 1-2 to 6-6 as thrown: of one player, and of both at once.
    throws = models.JSONField()
    openings = models.JSONField()
    # Number of runs of doubles by length.
    runs = models.JSONField()

    class Meta:
        verbose_name = _("tally of dice")
        verbose_name_plural = _("tallies of dice")

    def __str__(self) -> str:
        return f"{self.match_id}"
