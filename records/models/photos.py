"""Photos of a match at a table: of a board or a score sheet, as evidence in a dispute or for the day on which it goes on."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from players.keys import new_key
from runtime import uids


class MatchPhoto(models.Model):
    """One photo, painted anew from the one that was sent (`runtime.pictures`); never the bytes that came."""

    uid = uids.field()
    key = models.CharField(max_length=10, unique=True, default=new_key, editable=False)
    pairing = models.ForeignKey("tournaments.Pairing", on_delete=models.CASCADE, related_name="photos")
    # Who of the two sent it; blank where the desk did.
    entry = models.ForeignKey(
        "tournaments.Entry", on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    # The browser it came from, where that is known (`tournaments.Report.device`).
    device = models.CharField(max_length=22, blank=True, default="", editable=False)
    # Of the content: the same photo stands there once.
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
