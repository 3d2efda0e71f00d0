"""Merges of players, with what they moved, so that they can be undone; and pairs marked as two people."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Merge(models.Model):
    """A merge of a guest into another player; the row stays when it is undone."""

    kept = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="merges")
    dropped = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="merges_into_others")
    at = models.DateTimeField(_("merged"))
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    # The moved rows by their owner: {"memberships": [...], "merged": [...], "entries": [...], "matches":
    # {...}}.
    moved = models.JSONField(default=dict)
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        verbose_name = _("merge")
        verbose_name_plural = _("merges")
        ordering = ("-at", "-pk")
        constraints = (
            models.UniqueConstraint(
                fields=["dropped"], condition=Q(undone_at__isnull=True), name="one_standing_merge_per_dropped"
            ),
            models.CheckConstraint(condition=~Q(kept=F("dropped")), name="nobody_merged_with_themselves"),
        )

    def __str__(self) -> str:
        return f"{self.dropped} → {self.kept}"


class TwoPeople(models.Model):
    """A pair marked as two people, so that it is not suggested as a duplicate again.

    A merge does not change these rows, as queries follow `merged_into`.
    """

    # The one with the lower primary key.
    one = models.ForeignKey("players.Player", on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey("players.Player", on_delete=models.CASCADE, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(_("said"))

    class Meta:
        verbose_name = _("two people")
        verbose_name_plural = _("two people")
        constraints = (
            models.UniqueConstraint(fields=["one", "other"], name="two_people_once"),
            models.CheckConstraint(condition=Q(one__lt=F("other")), name="two_people_in_order"),
        )

    def __str__(self) -> str:
        return f"{self.one} ≠ {self.other}"
