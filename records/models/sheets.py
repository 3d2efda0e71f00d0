"""Score sheets: what was tapped at the table, in its order; how the match stands is computed from it."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from runtime import uids


class ScoreSheet(models.Model):
    """The sheet of one match between two; who else comes to sit there gets another."""

    uid = uids.field()
    pairing = models.ForeignKey("tournaments.Pairing", on_delete=models.CASCADE, related_name="score_sheets")
    a = models.ForeignKey("tournaments.Entry", on_delete=models.CASCADE, related_name="+")
    b = models.ForeignKey("tournaments.Entry", on_delete=models.CASCADE, related_name="+")
    begun_at = models.DateTimeField()

    class Meta:
        verbose_name = _("score sheet")
        verbose_name_plural = _("score sheets")
        constraints = (
            models.UniqueConstraint(fields=["pairing", "a", "b"], name="one_sheet_per_pairing_and_two"),
        )

    def __str__(self) -> str:
        return str(self.uid)


class SheetAct(models.Model):
    """One tap: added, never changed."""

    sheet = models.ForeignKey(ScoreSheet, on_delete=models.CASCADE, related_name="acts")
    seq = models.PositiveIntegerField()
    # Given by the phone when it was tapped: however often it is sent, it counts once.
    key = models.CharField(max_length=40)
    # As `records.sheet.Tap` writes it.
    tap = models.JSONField()
    by = models.ForeignKey("players.User", on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("tap")
        verbose_name_plural = _("taps")
        ordering = ("sheet", "seq")
        constraints = (
            models.UniqueConstraint(fields=["sheet", "seq"], name="one_tap_per_sheet_and_seq"),
            models.UniqueConstraint(fields=["sheet", "key"], name="one_tap_per_sheet_and_key"),
        )

    def __str__(self) -> str:
        return f"{self.sheet_id} {self.seq}"
