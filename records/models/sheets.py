"""Models of a match at its table: score sheets, photos, and short codes to type if a camera does not scan.

A sheet is taps in order; the state of the match is computed from them.
"""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.keys import new_key
from runtime.rows import make_uid_field


class ScoreSheet(models.Model):
    """The sheet of a match between two entries; if the entries change, a new sheet is created."""

    uid = make_uid_field()
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


class MatchPhoto(models.Model):
    """A photo, re-encoded from the upload (`runtime.pictures`); the original bytes are not stored."""

    uid = make_uid_field()
    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    pairing = models.ForeignKey("tournaments.Pairing", on_delete=models.CASCADE, related_name="photos")
    # The player who sent it; blank for the desk.
    entry = models.ForeignKey(
        "tournaments.Entry", on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    # The browser that sent it, if known (`tournaments.Report.device`).
    device = models.CharField(max_length=22, blank=True, default="", editable=False)
    # Hash of the content; a photo is stored once per match.
    sha256 = models.CharField(max_length=64, editable=False)
    content = models.BinaryField()
    at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("photo of a match")
        verbose_name_plural = _("photos of matches")
        ordering = ("at", "pk")
        constraints = (
            models.UniqueConstraint(fields=["pairing", "sha256"], name="one_photo_per_pairing_and_hash"),
        )

    def __str__(self) -> str:
        return self.key


LETTERS_LENGTH: Final = 7


class ShortCode(models.Model):
    """Seven letters for a code of `tournaments.base.codes`, which says what it opens."""

    letters = models.CharField(_("letters"), max_length=LETTERS_LENGTH, unique=True, editable=False)
    code = models.CharField(_("code"), max_length=160, unique=True, editable=False)
    until = models.DateTimeField(db_index=True, editable=False)

    class Meta:
        verbose_name = _("short code")
        verbose_name_plural = _("short codes")

    def __str__(self) -> str:
        return self.letters
