"""Models of match photos: boards or score sheets, for disputes and adjourned matches."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from players.keys import new_key
from runtime import uids


class MatchPhoto(models.Model):
    """A photo, re-encoded from the upload (`runtime.pictures`); the original bytes are not stored."""

    uid = uids.field()
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
