"""Models of score sheets: taps in order; the state of the match is computed from them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from runtime import uids


class ScoreSheet(models.Model):
    """The sheet of a match between two entries; if the entries change, a new sheet is created."""

    uid = uids.field()
    pairing = models.ForeignKey("tournaments.Pairing", on_delete=models.CASCADE, related_name="score_sheets")
    a = models.ForeignKey("tournaments.Entry", on_delete=models.CASCADE, related_name="+")
    b = models.ForeignKey("tournaments.Entry", on_delete=models.CASCADE, related_name="+")
    begun_at = models.DateTimeField()
    # When the flag falls without a tap; None while no clock runs, and after it has fallen.
    flag_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("score sheet")
        verbose_name_plural = _("score sheets")
        constraints = (
            models.UniqueConstraint(fields=["pairing", "a", "b"], name="one_sheet_per_pairing_and_two"),
        )
        indexes = (
            models.Index(fields=["flag_at"], condition=Q(flag_at__isnull=False), name="sheet_flag_to_fall"),
        )

    def __str__(self) -> str:
        return str(self.uid)


class SheetAct(models.Model):
    """A tap; rows are only added, never changed."""

    sheet = models.ForeignKey(ScoreSheet, on_delete=models.CASCADE, related_name="acts")
    seq = models.PositiveIntegerField()
    # Idempotency key from the phone.
    key = models.CharField(max_length=40)
    # In the format of `records.sheets.sheet.Tap`.
    tap = models.JSONField()
    by = models.ForeignKey("players.User", on_delete=models.SET_NULL, null=True, related_name="+")
    # The browser of the tap, if known (`tournaments.Report.device`).
    device = models.CharField(max_length=22, blank=True, db_default="", editable=False)
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


class Holder(models.Model):
    """The player that a browser with a match's code claims to be."""

    pairing = models.ForeignKey("tournaments.Pairing", on_delete=models.CASCADE, related_name="holders")
    device = models.CharField(max_length=22)
    entry = models.ForeignKey("tournaments.Entry", on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("holder of a code")
        verbose_name_plural = _("holders of codes")
        constraints = (
            models.UniqueConstraint(fields=["pairing", "device"], name="one_holder_per_pairing_and_device"),
        )

    def __str__(self) -> str:
        return f"{self.pairing_id} {self.entry_id}"
