"""Helpers of one event, with a link instead of an account."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Helper(models.Model):
    """A helper's link. It belongs to the first browser that opens it."""

    tournament = models.ForeignKey("tournaments.Tournament", on_delete=models.CASCADE, related_name="helpers")
    name = models.CharField(_("name"), max_length=40)
    # Only the hash is stored: a leaked database contains no valid links.
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(_("created"))
    expires_at = models.DateTimeField(_("expires"))
    taken_up_at = models.DateTimeField(_("taken up"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    class Meta:
        verbose_name = _("helper")
        verbose_name_plural = _("helpers")
        constraints = (
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("created_at")), name="helper_expires_after_creation"
            ),
        )

    def __str__(self) -> str:
        return f"{self.name} · {self.tournament}"
