"""Models of rehearsals: temporary copies of events, each in a temporary club."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Goal(models.TextChoices):
    RESULT = "result", _("Next result")
    ROUND = "round", _("What is open")
    FINAL = "final", _("Up to the final")
    END = "end", _("To the end")


class Rehearsal(models.Model):
    """A copy of an event that plays itself; deleted together with its temporary club."""

    event = models.OneToOneField("tournaments.Tournament", on_delete=models.CASCADE, related_name="rehearsal")
    of = models.OneToOneField("tournaments.Tournament", on_delete=models.CASCADE, related_name="rehearsed_as")
    # Seed of the results.
    seed = models.CharField(max_length=32, editable=False)
    made_at = models.DateTimeField(_("made"))
    # When it is deleted.
    expires_at = models.DateTimeField(_("expires"), db_index=True)

    # ---- while it is playing

    goal = models.CharField(max_length=6, choices=Goal, blank=True)
    # For Goal.ROUND: keys of the matches that were open when it was started.
    keys = models.JSONField(default=list, blank=True)
    # Seconds between two results; 0 plays at once.
    pace = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(null=True, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        verbose_name = _("rehearsal")
        verbose_name_plural = _("rehearsals")
        constraints = (
            models.CheckConstraint(
                condition=Q(next_at__isnull=True) | ~Q(goal=""), name="rehearsal_plays_to_a_goal"
            ),
        )
        indexes = (
            models.Index(fields=["next_at"], condition=Q(next_at__isnull=False), name="rehearsal_plays_next"),
        )

    def __str__(self) -> str:
        return f"{self.event_id} {self.of_id}"
