"""Follows: the friends whose evening somebody wants to see."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Follow(models.Model):
    """A player whom an account follows; nobody else is told of it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="follows")
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="followers")
    since = models.DateTimeField(_("since"))

    class Meta:
        verbose_name = _("follow")
        verbose_name_plural = _("follows")
        ordering = ("since", "pk")
        constraints = (
            models.UniqueConstraint(fields=["user", "player"], name="one_follow_per_user_and_player"),
        )

    def __str__(self) -> str:
        return f"{self.user} → {self.player}"
