"""Which clubs a club leads: the lists that it keeps for its group rate what they play, too."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class GroupMember(models.Model):
    """A club that was asked to join the group another leads, by its own directors' consent; what was is kept."""

    lead = models.ForeignKey("players.Club", on_delete=models.CASCADE, related_name="group_members")
    club = models.ForeignKey("players.Club", on_delete=models.CASCADE, related_name="groups_joined")
    asked_at = models.DateTimeField(_("asked"))
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )
    # Matches that were opened from then on, and before it left, are rated by the lists of the group.
    joined_at = models.DateTimeField(_("joined"), null=True, blank=True)
    joined_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )
    # Left, or never joined: it said no, or was not asked any more.
    left_at = models.DateTimeField(_("left"), null=True, blank=True)
    left_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )

    class Meta:
        verbose_name = _("club of a group")
        verbose_name_plural = _("clubs of groups")
        ordering = ("lead", "asked_at", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=["lead", "club"],
                condition=Q(left_at__isnull=True),
                name="once_in_each_group",
            ),
            models.CheckConstraint(condition=~Q(lead=F("club")), name="no_club_joins_its_own_group"),
        )

    def __str__(self) -> str:
        return f"{self.lead_id} {self.club_id}"
