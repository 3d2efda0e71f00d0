"""Two rows that became one person, with what that moved, so that it can be undone; and two that are two people."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Merge(models.Model):
    """A guest who was found to be somebody else; undone, it stays as a fact."""

    kept = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="merges")
    dropped = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="merges_into_others")
    at = models.DateTimeField(_("merged"))
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    # What it moved, by whom it belongs to: {"memberships": [...], "merged": [...], "entries": [...], "matches": {...}}.
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
    """Two whom a director knows to be two people: they are not suggested as duplicates again.

    Rows stay with whom they were written for; a merge needs to move none, since they are read by who somebody is now.
    """

    # The one with the lower number.
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
