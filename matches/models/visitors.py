"""Visitors without an account."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Visitor(models.Model):
    """A player known only by a session, who plays only against bots."""

    player = models.OneToOneField(
        "players.Player", on_delete=models.CASCADE, primary_key=True, related_name="visitor"
    )
    created_at = models.DateTimeField(_("created"))

    class Meta:
        verbose_name = _("visitor")
        verbose_name_plural = _("visitors")

    def __str__(self) -> str:
        return f"{self.pk}"
