"""Disconnected players and spectator counts."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from matches.models.matches import Due, Match


class Absence(models.Model):
    """A side whose connection was lost; deleted when it is back or acts."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="absences")
    side = models.CharField(_("side"), max_length=5, choices=Due)
    since = models.DateTimeField(_("since"))

    class Meta:
        verbose_name = _("absence")
        verbose_name_plural = _("absences")
        constraints = (
            models.UniqueConstraint(fields=["match", "side"], name="one_absence_per_side"),
            models.CheckConstraint(condition=Q(side__in=[Due.WHITE, Due.BLACK]), name="a_side_is_absent"),
        )

    def __str__(self) -> str:
        return f"{self.match_id} {self.side}"


class Audience(models.Model):
    """The number of spectators last published."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="audience")
    watching = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("audience")
        verbose_name_plural = _("audiences")

    def __str__(self) -> str:
        return f"{self.match_id} {self.watching}"
